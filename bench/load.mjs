// `node load.mjs [rooms] [seconds] [rounds]`: rooms of two players who move as fast as they can, against Alinea, which
// stores every move before it acknowledges it, and against a minimal Node server, which stores nothing; in turns, the
// server on core 0 and the clients on the others.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Pair, PeerPair } from './play.mjs';
import { folder, guest, percentile, startAlinea, startPeer } from './server.mjs';

const [rooms, seconds, rounds] = [500, 20, 3].map((usual, i) => Number(process.argv[i + 2] ?? usual));
execFileSync('taskset', ['-cp', '1', String(process.pid)]);

async function measure(server, seat) {
  const times = [];
  let counting = false;
  const onMove = (ms) => counting && times.push(ms);
  const pairs = [];
  for (let i = 0; i < rooms; i += 1) pairs.push(await seat(i, onMove));
  const ends = pairs.map((pair) => pair.begin());
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  counting = true;
  const [cpu, start] = [server.cpu(), performance.now()];
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  counting = false;
  const took = (performance.now() - start) / 1_000;
  const used = server.cpu() - cpu;
  const memory = server.memory();
  pairs.forEach((pair) => (pair.isOver = true));
  const failed = (await Promise.all(ends)).filter(Boolean);
  pairs.forEach((pair) => pair.close());
  times.sort((a, b) => a - b);
  return {
    'moves/s': Math.round(times.length / took),
    'p50 ms': percentile(times, 50).toFixed(1),
    'p99 ms': percentile(times, 99).toFixed(1),
    'µs CPU/move': Math.round((used * 1e6) / times.length),
    'MB': Math.round(memory),
    failed: failed.length,
  };
}

const results = {};
for (let round = 1; round <= rounds; round += 1) {
  const peer = await startPeer({ core: 0 });
  results[`node ${round}`] = await measure(peer, (i, onMove) => new PeerPair(peer.url, `t${i}`, onMove).seat());
  await peer.kill();

  const alinea = await startAlinea(join(folder(), 'data.db'), { core: 0 });
  const cookies = [await guest(alinea.url), await guest(alinea.url)];
  results[`alinea ${round}`] = await measure(alinea, (i, onMove) => new Pair(alinea.url, cookies, onMove).seat());
  await alinea.kill('SIGTERM');
}
console.table(results);
process.exit(0);

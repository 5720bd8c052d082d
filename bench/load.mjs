// `node load.mjs [rooms] [seconds] [rounds]`: rooms of two players who move as fast as they can, against Alinea, which
// stores every move before it acknowledges it, against Alinea with everything in memory, and against a minimal Node
// server, which stores nothing; in turns, the server on core 0 and the clients on the others.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Pair, PeerPair, end } from './play.mjs';
import { folder, guest, percentile, startAlinea, startPeer, wait } from './server.mjs';
import { Verdict } from './verdict.mjs';

const [rooms, seconds, rounds] = [500, 20, 3].map((usual, i) => Number(process.argv[i + 2] ?? usual));
execFileSync('taskset', ['-cp', '1', String(process.pid)]);
const faults = [];

async function measure(server, seat) {
  const times = [];
  let counting = false;
  const onMove = (ms) => counting && times.push(ms);
  const pairs = [];
  for (let i = 0; i < rooms; i += 1) pairs.push(await seat(i, onMove));
  const ends = pairs.map((pair) => pair.begin());
  await wait(2_000);
  counting = true;
  const [cpu, start] = [server.cpu(), performance.now()];
  await wait(seconds * 1_000);
  counting = false;
  const took = (performance.now() - start) / 1_000;
  const used = server.cpu() - cpu;
  const memory = server.memory();
  faults.push(...(await end(pairs, ends)));
  pairs.forEach((pair) => pair.close());
  return { rate: times.length / took, p50: percentile(times, 50), p99: percentile(times, 99), cpu: (used * 1e6) / times.length, memory };
}

async function ofAlinea(data) {
  const server = await startAlinea(data, { core: 0 });
  const cookies = [await guest(server.url), await guest(server.url)];
  const measured = await measure(server, (_, onMove) => new Pair(server.url, cookies, onMove).seat());
  await server.kill('SIGTERM');
  return measured;
}

async function ofPeer() {
  const server = await startPeer({ core: 0 });
  const measured = await measure(server, (i, onMove) => new PeerPair(server.url, `t${i}`, onMove).seat());
  await server.kill();
  return measured;
}

const results = { node: [], alinea: [], memory: [] };
for (let round = 0; round < rounds; round += 1) {
  results.node.push(await ofPeer());
  results.alinea.push(await ofAlinea(join(folder(), 'data.db')));
  results.memory.push(await ofAlinea(':memory:'));
}

const median = (who, what) => percentile(results[who].map((result) => result[what]), 50);
/** Of neighbouring runs, since the machine is not always as quick. */
const beside = (who, what) => percentile(results[who].map((result, round) => result[what] / results.node[round][what]), 50);
const verdict = new Verdict();
for (const [who, name] of [['node', 'Node, nothing stored'], ['alinea', 'Alinea, stored'], ['memory', 'Alinea, in memory']]) {
  verdict.figure(`${name}: rate`, median(who, 'rate'), { unit: 'moves/s' });
  verdict.figure(`${name}: p50`, median(who, 'p50'), { unit: 'ms' });
  verdict.figure(`${name}: p99`, median(who, 'p99'), { unit: 'ms' });
  verdict.figure(`${name}: CPU`, median(who, 'cpu'), { unit: 'µs/move', ...(who === 'alinea' && { most: 60 }) });
  verdict.figure(`${name}: memory`, median(who, 'memory'), { unit: 'MB' });
}
verdict.figure('rate beside Node, stored', beside('alinea', 'rate'), { least: 1 });
verdict.figure('rate beside Node, in memory', beside('memory', 'rate'), { least: 1.2 });
verdict.figure('memory beside Node', beside('alinea', 'memory'), { most: 0.5 });
verdict.promise('lost, doubled, out of order or refused', faults);
verdict.end();

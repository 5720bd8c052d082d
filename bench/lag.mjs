// `node lag.mjs [moves]`: what a slow line costs on the clock. Two players answer at once through a proxy that delays
// what passes by 150 ± 50 ms each way, and one packet in twenty by 200 ms more, as if it had to be sent again. Then one
// who thinks for 200 ms on a fast line claims a lag of an hour.
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { Client } from './client.mjs';
import { folder, guest, newTable, startAlinea, wait } from './server.mjs';
import { Report } from './report.mjs';

const moves = Number(process.argv[2] ?? 30);
const INITIAL_MS = 60_000;
/** What the server believes beyond what it measured, and what it compensates per move on average. */
const [SLACK_MS, QUOTA_MS] = [140, 390];

/** The same numbers in every run. */
let seed = 1;
function random() {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed / 2_147_483_647;
}

/** Passes on what arrives later, in order. */
function delayed(from, to) {
  let last = 0;
  from.on('data', (bytes) => {
    const delay = 100 + 100 * random() + (random() < 0.05 ? 200 : 0);
    last = Math.max(last, performance.now() + delay);
    setTimeout(() => to.writable && to.write(bytes), last - performance.now());
  });
  from.on('close', () => to.destroy());
  from.on('error', () => {});
}

async function proxy(url) {
  const { port } = new URL(url);
  const server = createServer((near) => {
    const far = connect(Number(port), '127.0.0.1');
    [near, far].forEach((socket) => socket.setNoDelay(true));
    delayed(near, far);
    delayed(far, near);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

const server = await startAlinea(join(folder(), 'data.db'));

/** Plays with both sides; returns the milliseconds that each move cost on the clock. */
async function play(url, thinking, lag) {
  const cookies = [await guest(server.url), await guest(server.url)];
  const table = await newTable(server.url, cookies[0], {
    game: 'connect-four:20x20x16',
    opponent: { kind: 'link' },
    side: 'first',
    clock: { kind: 'game', initial_ms: INITIAL_MS, increment_ms: 0 },
  });
  const clients = await Promise.all(cookies.map((cookie) => Client.connect(url, cookie)));
  const made = clients.map(() => ({}));
  clients.forEach((client, side) => client.on('move-made', (move) => made[side][move.ply]?.()));
  const arrives = (side, ply) => new Promise((done) => (made[side][ply] = done));
  for (const client of clients) await client.ask('join', { table });
  await clients[1].ask('sit', { table });
  const measured = [0, 0];
  for (let ply = 1; ply <= 2 * moves; ply += 1) {
    const side = (ply + 1) % 2;
    const next = arrives(1 - side, ply);
    if (thinking) await wait(thinking);
    const start = performance.now();
    const answer = clients[side].ask('make-move', {
      table,
      ply,
      move: String(1 + (ply % 20)),
      lag_ms: Math.round(lag ?? measured[side]),
    });
    await Promise.all([answer.then(({ ok }) => ok || process.exit(1)), next]);
    measured[side] = performance.now() - start;
  }
  const state = await (await fetch(`${server.url}/api/tables/${table}`, { headers: { cookie: cookies[0] } })).json();
  clients.forEach((client) => client.close());
  // The first move of each side is free.
  return state.clocks.left_ms.map((left) => (INITIAL_MS - left) / (moves - 1));
}

const slow = await proxy(server.url);
const lagging = await play(slow.url, 0);
const forged = await play(server.url, 200, 3_600_000);
slow.close();
await server.kill('SIGTERM');
const report = new Report();
report.figure('charged per move over the slow line', Math.max(...lagging), { most: 200, unit: 'ms' });
report.figure('charged per move of 200 ms with a forged lag', Math.min(...forged), {
  least: 200 - SLACK_MS - 20,
  unit: 'ms',
});
const gains = forged.map((charged) => 200 - charged).filter((gain) => gain > Math.min(SLACK_MS + 20, QUOTA_MS));
report.guarantee(
  'forged reports that gain more than the slack',
  gains.map((gain) => `${gain} ms per move`),
);
report.end();

// `node idle.mjs [connections] [tables] [servers]`: the cost of idle connections, in memory and for the moves of others,
// and whether tables without clients are unloaded although their games are unfinished. With several servers, which then
// share a PostgreSQL, each has that many connections.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from './client.mjs';
import { Pair, end } from './play.mjs';
import { folder, guest, newTable, percentile, startAlinea, startPostgres, wait } from './server.mjs';
import { Report } from './report.mjs';

const [connections, tables, count] = [5_000, 1_000, 1].map((usual, i) => Number(process.argv[i + 2] ?? usual));
/** A table is unloaded after a minute; a busy machine gets more. */
const MOST_SECONDS = 100;
const [GAMES, MOVES_PER_SECOND, SECONDS] = [100, 100, 20];
/** Longer than the interval of heartbeats, which are all that idle connections do. */
const IDLE_SECONDS = 30;

const data = count > 1 ? await (await startPostgres()).database() : join(folder(), 'data.db');
const extra = ['--connections', String(connections + 1_000), '--connections-per-address', String(connections + 1_000)];
const servers = [];
for (let i = 0; i < count; i += 1) servers.push(await startAlinea(data, { extra }));
const [server] = servers;
const cookie = await guest(server.url);
const sum = (of) => servers.reduce((total, one) => total + of(one), 0);

/**
 * Games at a steady rate on the first server: the time until acknowledgements, and the CPU time of all servers per move,
 * beyond the seconds per second that they use anyway.
 */
async function play(idle) {
  const [times, pairs] = [[], []];
  const cookies = [cookie, await guest(server.url)];
  for (let i = 0; i < GAMES; i += 1) {
    pairs.push(
      await new Pair(server.url, cookies, (ms) => times.push(ms), { pace: (1_000 * GAMES) / MOVES_PER_SECOND }).seat(),
    );
  }
  const cpu = sum((one) => one.cpu());
  const ends = pairs.map((pair) => pair.begin());
  await wait(SECONDS * 1_000);
  const used = sum((one) => one.cpu()) - cpu;
  const faults = await end(pairs, ends);
  pairs.forEach((pair) => pair.close());
  const each = ((used - idle * SECONDS) * 1e6) / times.length;
  return { p50: percentile(times, 50), p99: percentile(times, 99), each, faults };
}

const before = await play(0);
await wait(2_000);
const empty = sum((one) => one.memory());
const holders = servers.map(({ url }) => {
  const child = spawn(
    'node',
    [new URL('./idle-clients.mjs', import.meta.url).pathname, url, cookie, String(connections)],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
});
for (const { lines } of holders) await lines.next();
const each = ((sum((one) => one.memory()) - empty) * 1024) / (connections * count);
const memory = sum((one) => one.memory());
const cpu = sum((one) => one.cpu());
await wait(IDLE_SECONDS * 1_000);
const idle = (sum((one) => one.cpu()) - cpu) / IDLE_SECONDS;
const meanwhile = await play(idle);
let lost = 0;
for (const { child, lines } of holders) {
  child.stdin.end();
  lost += Number((await lines.next()).value.split(' ')[1]);
}

// A game against a program, and a correspondence game whose clock runs for days.
const kinds = [
  { opponent: { kind: 'program', name: 'random' } },
  { opponent: { kind: 'here' }, clock: { kind: 'correspondence', days: 3 } },
  { opponent: { kind: 'here' } },
];
const player = await Client.connect(server.url, cookie);
for (let i = 0; i < tables; i += 1) {
  const table = await newTable(server.url, cookie, kinds[i % kinds.length]);
  for (const ply of [1, 2]) {
    if (ply === 1 || i % kinds.length) await player.ask('make-move', { table, ply, move: String(ply) });
  }
}
player.close();
const most = await server.metric('alinea_tables');
const start = performance.now();
let left = most;
while (left > 0 && performance.now() - start < MOST_SECONDS * 1_000) {
  await wait(1_000);
  left = await server.metric('alinea_tables');
}
const took = (performance.now() - start) / 1_000;
await Promise.all(servers.map((one) => one.kill('SIGTERM')));

const report = new Report();
report.figure('idle connections', connections * count);
report.figure('memory per connection', each, { unit: 'kB' });
report.figure('memory of all servers', memory, { unit: 'MB' });
report.figure('CPU of all servers while idle', idle * 100, { unit: '% of a core' });
for (const [when, { p50, p99, each: cost }] of [
  ['before', before],
  ['meanwhile', meanwhile],
]) {
  report.figure(`p50 of a move ${when}`, p50, { unit: 'ms' });
  report.figure(`p99 of a move ${when}`, p99, { unit: 'ms' });
  report.figure(`CPU of a move ${when}`, cost, { unit: 'µs' });
}
report.figure('tables in memory', most);
report.figure('unloaded after', took, { most: 90, unit: 's' });
report.figure('still in memory', left, { most: 0 });
report.guarantee(
  'idle connections that were lost',
  Array.from({ length: lost }, () => 'it was closed'),
);
report.guarantee('lost, duplicated, out of order or rejected', [...before.faults, ...meanwhile.faults]);
// A table with a running clock may stay loaded; the others must not.
const others = left - Math.floor((tables + 1) / kinds.length);
report.guarantee(
  'tables that stay loaded without a clock',
  Array.from({ length: Math.max(0, others) }, () => 'it has no client'),
);
report.end();

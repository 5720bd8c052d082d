// `node idle.mjs [connections] [tables]`: the cost of idle connections, and whether tables without clients are unloaded
// although their games are unfinished.
import { join } from 'node:path';
import { Client } from './client.mjs';
import { folder, guest, newTable, startAlinea, wait } from './server.mjs';
import { Report } from './report.mjs';

const [connections, tables] = [5_000, 1_000].map((usual, i) => Number(process.argv[i + 2] ?? usual));
/** A table is unloaded after a minute; a busy machine gets more. */
const MOST_SECONDS = 100;
const server = await startAlinea(join(folder(), 'data.db'));
const cookie = await guest(server.url);

const empty = server.memory();
const clients = [];
for (let i = 0; i < connections; i += 100) {
  const some = Array.from({ length: Math.min(100, connections - i) }, () => Client.connect(server.url, cookie));
  clients.push(...(await Promise.all(some)));
}
const each = ((server.memory() - empty) * 1024) / connections;
clients.forEach((client) => client.close());

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
await server.kill('SIGTERM');

const report = new Report();
report.figure('idle connections', connections);
report.figure('memory per connection', each, { unit: 'kB' });
report.figure('tables in memory', most);
report.figure('unloaded after', took, { most: 90, unit: 's' });
report.figure('still in memory', left, { most: 0 });
// A table with a running clock may stay loaded; the others must not.
const others = left - Math.floor((tables + 1) / kinds.length);
report.guarantee('tables that stay loaded without a clock', Array.from({ length: Math.max(0, others) }, () => 'it has no client'));
report.end();

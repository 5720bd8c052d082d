// `node slow.mjs [slow clients]`: clients that stop reading, half of them while they go on asking so that all buffers on
// the way are full, must be gone within 15 s, cost little memory, and the others must not notice.
import { join } from 'node:path';
import { Client } from './client.mjs';
import { Pair, end } from './play.mjs';
import { folder, guest, percentile, startAlinea, wait } from './server.mjs';
import { Verdict } from './verdict.mjs';

const slow = Number(process.argv[2] ?? 200);
/** Far more than 15 s, so that a slow machine is not taken for a client that stays. */
const MOST_SECONDS = 60;
/** The answers take some megabytes. */
const ASKED = 4_000;
/** Ten times the usual: this one machine plays everyone. */
const server = await startAlinea(join(folder(), 'data.db'), { limits: 10 });
const cookies = await Promise.all([0, 1, 2].map(() => guest(server.url)));
const connected = () => server.figure('alinea_sockets');

const times = { before: [], between: [], during: [] };
let phase = 'before';
const rooms = [];
for (let i = 0; i < 50; i += 1) {
  rooms.push(await new Pair(server.url, cookies.slice(0, 2), (ms) => times[phase].push(ms), { pace: 100 }).seat());
}
const ends = rooms.map((room) => room.begin());
await wait(10_000);
phase = 'between';
const players = await connected();

const clients = await Promise.all(Array.from({ length: slow }, () => Client.connect(server.url, cookies[2])));
await Promise.all(clients.map((client, i) => client.ask('join', { table: rooms[i % rooms.length].table, view: true })));
const memory = server.memory();
clients.forEach((client) => client.pause());
for (const [i, client] of clients.entries()) {
  const table = rooms[i % rooms.length].table;
  for (let asked = 0; i % 2 && asked < ASKED; asked += 1) client.send('join', { table, view: true });
}
phase = 'during';
const start = performance.now();
let most = memory;
let left = slow;
while (left > 0 && performance.now() - start < MOST_SECONDS * 1_000) {
  await wait(200);
  most = Math.max(most, server.memory());
  left = (await connected()) - players;
}
const took = (performance.now() - start) / 1_000;
const faults = await end(rooms, ends);
await server.kill('SIGTERM');

const verdict = new Verdict();
verdict.figure('slow clients', slow);
verdict.figure('all gone after', took, { most: 15.5, unit: 's' });
verdict.figure('memory for them', most - memory, { most: 50, unit: 'MB' });
const [before, during] = [percentile(times.before, 99), percentile(times.during, 99)];
verdict.figure('others p99 before', before, { unit: 'ms' });
verdict.figure('others p99 during', during, { most: Number((1.5 * before).toFixed(1)), unit: 'ms' });
verdict.promise('slow clients that stay', Array.from({ length: Math.max(0, left) }, () => 'it does not read'));
verdict.promise('lost, doubled, out of order or refused', faults);
verdict.end();

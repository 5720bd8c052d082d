// `node slow.mjs [slow clients]`: clients that stop reading, half of them while they keep sending so that all buffers
// fill up, must be disconnected within 15 s at little cost in memory, without affecting other clients.
import { join } from 'node:path';
import { Client } from './client.mjs';
import { Pair, end } from './play.mjs';
import { folder, guest, percentile, startAlinea, wait } from './server.mjs';
import { Report } from './report.mjs';

const slow = Number(process.argv[2] ?? 200);
/** Far more than 15 s, so that a slow machine does not count as a remaining client. */
const MOST_SECONDS = 60;
/** The answers take some megabytes. */
const ASKED = 4_000;
/** Ten times the default rate limits: all clients run on this machine. */
const server = await startAlinea(join(folder(), 'data.db'), { limits: 10 });
const cookies = await Promise.all([0, 1, 2].map(() => guest(server.url)));
const connected = () => server.metric('alinea_sockets');

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

const report = new Report();
report.figure('slow clients', slow);
report.figure('all disconnected after', took, { most: 15.5, unit: 's' });
report.figure('memory for them', most - memory, { most: 50, unit: 'MB' });
const [before, during] = [percentile(times.before, 99), percentile(times.during, 99)];
report.figure('others p99 before', before, { unit: 'ms' });
report.figure('others p99 during', during, { most: Number((1.5 * before).toFixed(1)), unit: 'ms' });
report.guarantee(
  'slow clients that stay connected',
  Array.from({ length: Math.max(0, left) }, () => 'it does not read'),
);
report.guarantee('lost, duplicated, out of order or rejected', faults);
report.end();

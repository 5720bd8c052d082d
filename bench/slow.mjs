// `node slow.mjs [slow clients]`: clients that stop reading must be gone within 15 s, and the others must not notice.
import { join } from 'node:path';
import { Client } from './client.mjs';
import { Pair } from './play.mjs';
import { folder, guest, percentile, startAlinea } from './server.mjs';

const slow = Number(process.argv[2] ?? 200);
const server = await startAlinea(join(folder(), 'data.db'));
const cookies = await Promise.all([0, 1, 2].map(() => guest(server.url)));
const connected = async () => {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(text.match(/^alinea_sockets (\d+)/m)?.[1] ?? 0);
};

const times = { before: [], during: [] };
let phase = 'before';
const rooms = [];
for (let i = 0; i < 50; i += 1) {
  rooms.push(await new Pair(server.url, cookies, (ms) => times[phase].push(ms), { pace: 100 }).seat());
}
const ends = rooms.map((room) => room.begin());
await new Promise((resolve) => setTimeout(resolve, 5_000));
const [players, memory] = [await connected(), server.memory()];

const clients = await Promise.all(Array.from({ length: slow }, () => Client.connect(server.url, cookies[2])));
await Promise.all(clients.map((client, i) => client.ask('join', { table: rooms[i % rooms.length].table, view: true })));
clients.forEach((client) => client.pause());
phase = 'during';
const start = performance.now();
let most = server.memory();
while ((await connected()) > players && performance.now() - start < 60_000) {
  most = Math.max(most, server.memory());
  await new Promise((resolve) => setTimeout(resolve, 200));
}
const took = (performance.now() - start) / 1_000;
rooms.forEach((room) => (room.isOver = true));
await Promise.all(ends);
const p99 = (list) => percentile(list.sort((a, b) => a - b), 99).toFixed(1);
console.table({
  'slow clients': slow,
  'all gone after s': took.toFixed(1),
  'others p99 ms before': p99(times.before),
  'others p99 ms during': p99(times.during),
  'MB before': Math.round(memory),
  'MB at most': Math.round(most),
});
await server.kill('SIGTERM');
process.exit(took > 15.5 ? 1 : 0);

// `node watch.mjs [spectators] [other games]`: one game that many look on, beside others that should not notice.
import { join } from 'node:path';
import { Client } from './client.mjs';
import { Pair } from './play.mjs';
import { folder, guest, percentile, startAlinea } from './server.mjs';

const [spectators, others] = [5_000, 100].map((usual, i) => Number(process.argv[i + 2] ?? usual));
const server = await startAlinea(join(folder(), 'data.db'));
const cookies = await Promise.all([0, 1, 2].map(() => guest(server.url)));

const times = { before: [], during: [] };
let phase = 'before';
const rooms = [];
for (let i = 0; i < others; i += 1) {
  rooms.push(await new Pair(server.url, cookies, (ms) => times[phase].push(ms), { pace: 500 }).seat());
}
const ends = rooms.map((room) => room.begin());
await new Promise((resolve) => setTimeout(resolve, 10_000));

const watched = await new Pair(server.url, cookies, () => {}, { pace: 1_000 }).seat();
const arrivals = [];
for (let i = 0; i < spectators; i += 100) {
  const some = Array.from({ length: 100 }, () => Client.connect(server.url, cookies[2]));
  for (const client of await Promise.all(some)) {
    client.on('move-made', (made) => arrivals.push(Date.now() - made.at));
    await client.ask('join', { table: watched.table });
  }
}
phase = 'during';
const end = watched.begin();
await new Promise((resolve) => setTimeout(resolve, 20_000));
[...rooms, watched].forEach((room) => (room.isOver = true));
await Promise.all([...ends, end]);
const sorted = (list) => list.sort((a, b) => a - b);
console.table({
  spectators,
  'moves told': arrivals.length,
  'move to spectator p50 ms': percentile(sorted(arrivals), 50),
  'move to spectator p99 ms': percentile(arrivals, 99),
  'other games p99 ms before': percentile(sorted(times.before), 99).toFixed(1),
  'other games p99 ms during': percentile(sorted(times.during), 99).toFixed(1),
  MB: Math.round(server.memory()),
});
await server.kill('SIGTERM');
process.exit(0);

// `node paced.mjs [games] [moves per second] [seconds]`: many games at a steady pace, and the memory of idle connections.
import { join } from 'node:path';
import { Client } from './client.mjs';
import { Pair } from './play.mjs';
import { folder, guest, percentile, startAlinea } from './server.mjs';

const [games, rate, seconds] = [5_000, 2_500, 60].map((usual, i) => Number(process.argv[i + 2] ?? usual));
const server = await startAlinea(join(folder(), 'data.db'));
const cookies = [await guest(server.url), await guest(server.url)];

const empty = server.memory();
const idle = [];
for (let i = 0; i < 5_000; i += 100) {
  idle.push(...(await Promise.all(Array.from({ length: 100 }, () => Client.connect(server.url, cookies[0])))));
}
console.log(`5 000 idle connections: ${(((server.memory() - empty) * 1024) / 5_000).toFixed(1)} kB each`);
idle.forEach((client) => client.close());

const times = [];
let counting = false;
const pace = (1_000 * games) / rate;
const pairs = [];
for (let i = 0; i < games; i += 50) {
  const some = Array.from({ length: 50 }, () => new Pair(server.url, cookies, (ms) => counting && times.push(ms), { pace }));
  pairs.push(...(await Promise.all(some.map((pair) => pair.seat()))));
}
const ends = pairs.map((pair) => pair.begin());
await new Promise((resolve) => setTimeout(resolve, 5_000));
counting = true;
const [cpu, before] = [server.cpu(), server.memory()];
await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
counting = false;
const [used, after] = [server.cpu() - cpu, server.memory()];
pairs.forEach((pair) => (pair.isOver = true));
const failed = (await Promise.all(ends)).filter(Boolean);
times.sort((a, b) => a - b);
console.table({
  games,
  'moves/s': Math.round(times.length / seconds),
  'p50 ms': percentile(times, 50).toFixed(1),
  'p99 ms': percentile(times, 99).toFixed(1),
  'µs CPU/move': Math.round((used * 1e6) / times.length),
  'MB at first': Math.round(before),
  'MB at last': Math.round(after),
  failed: failed.length,
});
await server.kill('SIGTERM');
process.exit(0);

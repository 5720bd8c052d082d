// `node paced.mjs [games] [moves per second] [minutes]`: many games at a steady rate; latency, CPU time, and whether
// memory grows.
import { join } from 'node:path';
import { Pair, end } from './play.mjs';
import { folder, guest, percentile, slope, startAlinea, wait } from './server.mjs';
import { Report } from './report.mjs';

const [games, rate, minutes] = [5_000, 2_500, 10].map((usual, i) => Number(process.argv[i + 2] ?? usual));
const server = await startAlinea(join(folder(), 'data.db'));
const cookies = [await guest(server.url), await guest(server.url)];

const times = [];
let counting = false;
const pace = (1_000 * games) / rate;
const pairs = [];
for (let i = 0; i < games; i += 50) {
  const some = Array.from(
    { length: Math.min(50, games - i) },
    () => new Pair(server.url, cookies, (ms) => counting && times.push(ms), { pace }),
  );
  pairs.push(...(await Promise.all(some.map((pair) => pair.seat()))));
}
const ends = pairs.map((pair) => pair.begin());
await wait(5_000);
counting = true;
const [cpu, start] = [server.cpu(), performance.now()];
const memory = [];
while (performance.now() - start < minutes * 60_000) {
  memory.push([(performance.now() - start) / 60_000, server.memory()]);
  await wait(1_000);
}
counting = false;
const took = (performance.now() - start) / 1_000;
const used = server.cpu() - cpu;
const faults = await end(pairs, ends);
await server.kill('SIGTERM');

const report = new Report();
report.figure('games', games);
report.figure('moves', times.length);
report.figure('rate', times.length / took, { least: 0.95 * rate, unit: 'moves/s' });
report.figure('p50', percentile(times, 50), { most: 8, unit: 'ms' });
report.figure('p99', percentile(times, 99), { most: 50, unit: 'ms' });
report.figure('CPU', (used * 1e6) / times.length, { unit: 'µs/move' });
report.figure('initial memory', memory[0][1], { unit: 'MB' });
report.figure('peak memory', Math.max(...memory.map(([, mb]) => mb)), { most: 600, unit: 'MB' });
// Growth is measured in the second half: in the first, buffers, prepared statements and the journal still fill up.
report.figure('memory growth, second half', slope(memory.slice(Math.floor(memory.length / 2))), {
  most: 1,
  unit: 'MB/min',
});
report.guarantee('lost, duplicated, out of order or rejected', faults);
report.end();

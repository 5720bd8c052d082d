// `node watch.mjs [spectators] [other games] [seconds]`: one game with many spectators, beside other games that must
// not be affected.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Pair, end } from './play.mjs';
import { folder, guest, percentile, startAlinea, wait } from './server.mjs';
import { Report } from './report.mjs';

const [spectators, others, seconds] = [5_000, 100, 20].map((usual, i) => Number(process.argv[i + 2] ?? usual));
const server = await startAlinea(join(folder(), 'data.db'));
const cookies = await Promise.all([0, 1, 2].map(() => guest(server.url)));

const times = { before: [], between: [], during: [] };
let phase = 'before';
const rooms = [];
for (let i = 0; i < others; i += 1) {
  rooms.push(await new Pair(server.url, cookies.slice(0, 2), (ms) => times[phase].push(ms), { pace: 500 }).seat());
}
const ends = rooms.map((room) => room.begin());
await wait((seconds / 2) * 1_000);

phase = 'between';
const watched = await new Pair(server.url, cookies.slice(0, 2), () => {}, { pace: 1_000 }).seat();
const crowd = fork(new URL('./spectators.mjs', import.meta.url));
const message = async () => (await once(crowd, 'message'))[0];
crowd.send({ url: server.url, cookie: cookies[2], table: watched.table, spectators });
await message();
phase = 'during';
ends.push(watched.begin());
await wait(seconds * 1_000);
const memory = server.memory();
const faults = await end([...rooms, watched], ends);
crowd.send({ acked: watched.acked });
const { arrivals, faults: missed } = await message();
faults.push(...missed);
await server.kill('SIGTERM');

const report = new Report();
report.figure('spectators', spectators);
report.figure('moves received', arrivals.length);
report.figure('move to spectator p50', percentile(arrivals, 50), { unit: 'ms' });
report.figure('move to spectator p99', percentile(arrivals, 99), { most: 250, unit: 'ms' });
const [before, during] = [percentile(times.before, 99), percentile(times.during, 99)];
report.figure('other games p99 before', before, { unit: 'ms' });
report.figure('other games p99 during', during, { most: Number((1.5 * before).toFixed(1)), unit: 'ms' });
report.figure('memory', memory, { unit: 'MB' });
report.guarantee('lost, duplicated, out of order or rejected', faults);
report.end();

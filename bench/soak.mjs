// `node soak.mjs [games] [moves per second] [minutes]`: games at a steady rate while one percent of the sockets breaks
// and reconnects every second, new guests arrive, and tables are opened and left; whether memory, descriptors or tables
// grow.
import { join } from 'node:path';
import { Game, World } from './game.mjs';
import { folder, guest, newTable, slope, startAlinea, wait } from './server.mjs';
import { Report } from './report.mjs';

const [games, rate, minutes] = [200, 100, 60].map((usual, i) => Number(process.argv[i + 2] ?? usual));
const SAMPLE_SECONDS = 5;
/** Tables without clients are unloaded after a minute. */
const UNLOAD_SECONDS = 120;
const PROGRAM_EVERY = 10;

const server = await startAlinea(join(folder(), 'data.db'));
const idle = { descriptors: server.descriptors(), tables: await server.metric('alinea_tables') };
const cookies = [await guest(server.url), await guest(server.url)];
const world = new World();
world.urls = [server.url];
const pace = (1_000 * games) / rate;
const playing = Array.from(
  { length: games },
  (_, i) => new Game(world, cookies, { pace, program: i % PROGRAM_EVERY ? undefined : 'random' }),
);
const ends = playing.map((game) => game.play());
await world.goOn(playing, 60);

const start = performance.now();
const passed = () => (performance.now() - start) / 60_000;
const samples = [];
const [cpu, before] = [server.cpu(), world.moves];
let [broken, left] = [0, 0];
for (let second = 0; passed() < minutes; second += 1) {
  // Both sockets of a game reconnect when one of them breaks.
  for (let i = 0; i < Math.ceil(games / 100); i += 1) {
    const game = playing[Math.floor(Math.random() * games)];
    game.clients?.[0]?.close();
    broken += game.clients?.length ?? 0;
  }
  await newTable(server.url, await guest(server.url), { opponent: { kind: second % 2 ? 'here' : 'link' } });
  left += 1;
  if (second % SAMPLE_SECONDS === 0) {
    samples.push({
      at: passed(),
      memory: server.memory(),
      descriptors: server.descriptors(),
      tables: await server.metric('alinea_tables'),
    });
  }
  await wait(Math.max(0, start + (second + 1) * 1_000 - performance.now()));
}
const [took, moves, used] = [passed(), world.moves - before, server.cpu() - cpu];
playing.forEach((game) => (game.isOver = true));
await Promise.all(ends);
await Promise.all(playing.map((game) => game.check(server.url)));

const end = performance.now();
const open = async () => ({ tables: await server.metric('alinea_tables'), descriptors: server.descriptors() });
let rest = await open();
while (
  (rest.tables > idle.tables || rest.descriptors > idle.descriptors + 10) &&
  performance.now() - end < UNLOAD_SECONDS * 1_000
) {
  await wait(1_000);
  rest = await open();
}
const memory = server.memory();
await server.kill('SIGTERM');

// Growth is measured in the second half: in the first, buffers, prepared statements and the journal still fill up.
const half = samples.filter(({ at }) => at >= took / 2);
const growth = (of) => slope(half.map((sample) => [sample.at, sample[of]]));
const peak = (of) => Math.max(...samples.map((sample) => sample[of]));
const report = new Report();
report.figure('minutes', took);
report.figure('moves', moves);
report.figure('CPU', (used * 1e6) / moves, { unit: 'µs/move' });
report.figure('sockets that broke', broken);
report.figure('tables that were left', left);
report.figure(
  'memory at first, halfway, at last',
  [samples[0], half[0], samples.at(-1)].map((sample) => sample.memory.toFixed(1)).join(', '),
  { unit: 'MB' },
);
report.figure('peak memory', peak('memory'), { unit: 'MB' });
report.figure('memory growth, second half', growth('memory'), { most: 1, unit: 'MB/min' });
report.figure('descriptors, second half', growth('descriptors'), { most: 0.5, unit: '1/min' });
report.figure('tables in memory, second half', growth('tables'), { most: 0.5, unit: '1/min' });
report.figure('memory afterwards', memory, { unit: 'MB' });
report.figure('descriptors before and afterwards', `${idle.descriptors}, ${rest.descriptors}`);
report.guarantee(
  'tables that stay in memory without a client',
  Array.from({ length: Math.max(0, rest.tables - idle.tables) }, () => 'it has no client'),
);
world.promises(report);
report.end();

// `node kill.mjs [times] [games] [database url]`: kills the server with SIGKILL while games with clocks, some of them
// rated, run at full speed, restarts it, and checks that every acknowledged move exists exactly once, every game
// continues, no clock was charged for the outage, and every rated game counts once.
import { join } from 'node:path';
import { Game, World } from './game.mjs';
import { account, folder, guest, startAlinea, wait } from './server.mjs';
import { Report } from './report.mjs';

const [times, games] = [20, 50].map((usual, i) => Number(process.argv[i + 2] ?? usual));
const data = process.argv[4] ?? join(folder(), 'data.db');
const RATED_EVERY = 5;
/** Far more than 2 s, so that a slow machine does not count as a hanging game. */
const MOST_SECONDS = 30;

let server = await startAlinea(data);
const listen = server.url.replace('http://', '');
const world = new World();
world.urls = [server.url];
const guests = [await guest(server.url), await guest(server.url)];
const accounts = [await account(server.url), await account(server.url)];
const clock = { kind: 'game', initial_ms: 120_000, increment_ms: 0 };
const playing = Array.from({ length: games }, (_, i) => {
  const rated = i % RATED_EVERY === 0;
  return new Game(world, rated ? accounts.map(({ cookie }) => cookie) : guests, {
    settings: { clock, rated, listed: rated },
  });
});
const ends = playing.map((game) => game.play());
await world.goOn(playing, MOST_SECONDS);

let slowest = 0;
for (let i = 0; i < times; i += 1) {
  await wait(300 + Math.random() * 700);
  await server.kill();
  const from = Date.now();
  await wait(Math.random() * 1_000);
  world.downs.push([from, Date.now()]);
  const start = performance.now();
  server = await startAlinea(data, { listen });
  const started = (performance.now() - start) / 1_000;
  slowest = Math.max(slowest, started + (await world.goOn(playing, MOST_SECONDS)));
}
playing.forEach((game) => (game.isOver = true));
await Promise.all(ends);
await Promise.all(playing.map((game) => game.check(server.url)));

const finished = playing.filter(({ settings }) => settings.rated).flatMap((game) => game.finished);
const miscounted = [];
for (const { name } of accounts) {
  const get = async (path) => (await fetch(`${server.url}/api/players/${name}${path}`)).json();
  const rated = (await get('/ratings?game=connect-four&kind=fast')).map(({ table }) => table);
  const counted = (await get('')).ratings.reduce((sum, { games }) => sum + games, 0);
  const missing = finished.filter((table) => !rated.includes(table));
  if (new Set(rated).size !== rated.length) miscounted.push(`${name}: a game counted twice`);
  if (missing.length) miscounted.push(`${name}: ${missing.length} of ${finished.length} games did not count`);
  if (counted !== rated.length) miscounted.push(`${name}: ${counted} games, ${rated.length} of them in the history`);
}
await server.kill('SIGTERM');

const report = new Report();
report.figure('kills', times);
report.figure('moves acknowledged', world.moves);
report.figure(
  'games finished',
  playing.reduce((sum, game) => sum + game.finished.length, 0),
);
report.figure('rated games finished', finished.length);
report.figure('slowest game to continue after the start', slowest, { most: 2, unit: 's' });
world.promises(report);
report.guarantee('rated games that did not count once', miscounted);
report.end();

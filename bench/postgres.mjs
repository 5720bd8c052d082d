// `node postgres.mjs [games] [seconds down] [times]`: two servers on one PostgreSQL, the two players of each game on
// different servers; PostgreSQL is stopped immediately and restarted after a while. Meanwhile moves are rejected;
// afterwards every game continues, nothing acknowledged is lost, and no clock was charged.
import { Game, World } from './game.mjs';
import { guest, startAlinea, startPostgres, wait } from './server.mjs';
import { Report } from './report.mjs';

const [games, seconds, times] = [200, 8, 3].map((usual, i) => Number(process.argv[i + 2] ?? usual));
/** Far more than 10 s, so that a slow machine does not count as a hanging game. */
const MOST_SECONDS = 60;

const cluster = await startPostgres();
const url = await cluster.database();
const nodes = [await startAlinea(url), await startAlinea(url)];
const world = new World();
world.urls = nodes.map((node) => node.url);
const cookies = [await guest(nodes[0].url), await guest(nodes[1].url)];
const clock = { kind: 'game', initial_ms: 170_000, increment_ms: 0 };
const playing = Array.from({ length: games }, (_, i) => {
  const program = i % 10 === 0 ? 'random' : undefined;
  return new Game(world, cookies, { settings: { clock }, program, pace: 400 });
});
const ends = playing.map((game) => game.play());
await world.goOn(playing, MOST_SECONDS);

let slowest = 0;
for (let i = 0; i < times; i += 1) {
  await wait(1_000 + Math.random() * 500);
  await cluster.stop();
  const from = Date.now();
  world.isDown = true;
  await wait(seconds * 1_000);
  world.isDown = false;
  world.downs.push([from, Date.now()]);
  await cluster.start();
  slowest = Math.max(slowest, await world.goOn(playing, MOST_SECONDS));
}
await wait(1_000);
playing.forEach((game) => (game.isOver = true));
await Promise.all(ends);
await Promise.all(playing.map((game, i) => game.check(nodes[i % 2].url)));
await Promise.all(nodes.map((node) => node.kill('SIGTERM')));

const report = new Report();
report.figure('PostgreSQL outages', times);
report.figure('length of each outage', seconds, { unit: 's' });
report.figure('games', games);
report.figure('moves acknowledged', world.moves);
report.figure('slowest game to continue after an outage', slowest, { most: 10, unit: 's' });
world.promises(report);
report.end();

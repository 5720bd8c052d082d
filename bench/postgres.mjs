// `node postgres.mjs [games] [seconds down] [times]`: two servers on one PostgreSQL, the players of each game at one of
// them each; PostgreSQL ends as in a power cut and comes back after a while. Meanwhile moves are refused, afterwards
// every game goes on, nothing acknowledged is lost, and no clock was charged.
import { Game, World } from './game.mjs';
import { guest, startAlinea, startPostgres, wait } from './server.mjs';
import { Verdict } from './verdict.mjs';

const [games, seconds, times] = [200, 8, 3].map((usual, i) => Number(process.argv[i + 2] ?? usual));
/** Far more than 10 s, so that a slow machine is not taken for a game that hangs. */
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

const verdict = new Verdict();
verdict.figure('PostgreSQL ended', times);
verdict.figure('away each time', seconds, { unit: 's' });
verdict.figure('games', games);
verdict.figure('moves acknowledged', world.moves);
verdict.figure('slowest to go on after it came back', slowest, { most: 10, unit: 's' });
world.promises(verdict);
verdict.end();

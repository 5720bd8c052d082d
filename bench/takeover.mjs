// `node node.mjs [games] [how]`: many games at one of two servers on one PostgreSQL, one in ten against a program, when
// that server dies (`kill`), or stands still for a while and then goes on as if nothing were (`freeze`; usually both).
// All games go on at the other, and nothing that the first one still writes counts twice.
import { Game, World } from './game.mjs';
import { guest, startAlinea, startPostgres, wait } from './server.mjs';
import { Verdict } from './verdict.mjs';

const games = Number(process.argv[2] ?? 1_000);
const ways = (process.argv[3] ?? 'freeze,kill').split(',');
/** Far more than 10 s, so that a slow machine is not taken for a game that hangs. */
const MOST_SECONDS = 60;

const cluster = await startPostgres();
const url = await cluster.database();
let [doomed, other] = [await startAlinea(url), await startAlinea(url)];
const world = new World();
world.urls = [doomed.url];
const cookies = [await guest(doomed.url), await guest(doomed.url)];
const clock = { kind: 'game', initial_ms: 299_000, increment_ms: 0 };
const playing = Array.from({ length: games }, (_, i) => {
  const program = i % 10 === 0 ? 'random' : undefined;
  return new Game(world, cookies, { settings: { clock }, program, pace: 2_000 });
});
const ends = playing.map((game) => game.play());
await world.goOn(playing, MOST_SECONDS);

const verdict = new Verdict();
for (const way of ways) {
  await wait(2_000);
  world.urls = [other.url];
  if (way === 'kill') doomed.child.kill('SIGKILL');
  else {
    doomed.child.kill('SIGSTOP');
    // Whoever hears nothing any more comes back elsewhere.
    playing.forEach((game) => game.clients?.forEach((client) => client.close()));
  }
  verdict.figure(`slowest to go on elsewhere after a ${way}`, await world.goOn(playing, MOST_SECONDS), { most: 10, unit: 's' });
  if (way === 'freeze') {
    doomed.child.kill('SIGCONT');
    await wait(3_000);
    await world.goOn(playing, MOST_SECONDS);
    [doomed, other] = [other, doomed];
  }
}
playing.forEach((game) => (game.isOver = true));
await Promise.all(ends);
await Promise.all(playing.map((game) => game.check(world.urls[0])));
await Promise.all([doomed, other].map((node) => node.kill(node.child.exitCode === null && !node.child.signalCode ? 'SIGTERM' : 0)));

verdict.figure('games', games);
verdict.figure('of them against programs', Math.ceil(games / 10));
verdict.figure('moves acknowledged', world.moves);
world.promises(verdict);
verdict.end();

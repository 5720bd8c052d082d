// `node takeover.mjs [games] [how]`: many games on one of two servers with one PostgreSQL, one in ten against a program.
// That server is killed (`kill`), or frozen for a while and resumed (`freeze`); by default both. All games continue on
// the other server, and nothing that the first one still writes counts twice.
import { Game, World } from './game.mjs';
import { guest, startAlinea, startPostgres, wait } from './server.mjs';
import { Report } from './report.mjs';

const games = Number(process.argv[2] ?? 1_000);
const ways = (process.argv[3] ?? 'freeze,kill').split(',');
/** Far more than 10 s, so that a slow machine does not count as a hanging game. */
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

const report = new Report();
for (const way of ways) {
  await wait(2_000);
  world.urls = [other.url];
  if (way === 'kill') doomed.child.kill('SIGKILL');
  else {
    doomed.child.kill('SIGSTOP');
    // A client without a heartbeat reconnects to the other server.
    playing.forEach((game) => game.clients?.forEach((client) => client.close()));
  }
  report.figure(`slowest to go on elsewhere after a ${way}`, await world.goOn(playing, MOST_SECONDS), {
    most: 10,
    unit: 's',
  });
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
await Promise.all(
  [doomed, other].map((node) => node.kill(node.child.exitCode === null && !node.child.signalCode ? 'SIGTERM' : 0)),
);

report.figure('games', games);
report.figure('of them against programs', Math.ceil(games / 10));
report.figure('moves acknowledged', world.moves);
world.promises(report);
report.end();

// `node race.mjs [races] [tables]`: one player connected to two servers on one PostgreSQL sends each a different move
// for the same ply at the same time. Exactly one counts, and both servers agree which.
import { Client } from './client.mjs';
import { guest, newTable, startAlinea, startPostgres } from './server.mjs';
import { Report } from './report.mjs';

const [races, tables] = [10_000, 50].map((usual, i) => Number(process.argv[i + 2] ?? usual));
const [game, columns] = ['connect-four:20x20x16', 20];
/** Few enough that no column fills up and no line of 16 arises, whichever moves count. */
const MOST_PLIES = 200;

const cluster = await startPostgres();
const url = await cluster.database();
const servers = [await startAlinea(url), await startAlinea(url)];
const cookie = await guest(servers[0].url);
const lines = await Promise.all(servers.map((server) => Client.connect(server.url, cookie)));
const won = [0, 0];
const faults = { both: [], neither: [], code: [], differ: [] };

/** Races for each ply of a table in sequence. */
async function raceAt(plies) {
  const table = await newTable(servers[0].url, cookie, { game, opponent: { kind: 'here' } });
  for (const line of lines) await line.ask('join', { table });
  const expected = [];
  for (let ply = 1; ply <= plies; ply += 1) {
    const moves = lines.map((_, i) => String(1 + ((ply + i) % columns)));
    const answers = await Promise.all(lines.map((line, i) => line.ask('make-move', { table, ply, move: moves[i] })));
    const winners = [0, 1].filter((i) => answers[i]?.ok);
    const what = `${table}, ply ${ply}: ${JSON.stringify(answers)}`;
    if (winners.length !== 1) {
      faults[winners.length ? 'both' : 'neither'].push(what);
      return;
    }
    const [winner] = winners;
    if (answers[1 - winner]?.code !== 'stale-ply') faults.code.push(what);
    won[winner] += 1;
    expected.push(moves[winner]);
  }
  for (const server of servers) {
    const { moves } = await (await fetch(`${server.url}/api/tables/${table}`)).json();
    const known = moves.map(({ move }) => move);
    if (known.join() !== expected.join())
      faults.differ.push(`${table} at ${server.url}: ${known}, acknowledged ${expected}`);
  }
}

const start = performance.now();
let left = races;
const next = async () => {
  while (left > 0) {
    const plies = Math.min(left, MOST_PLIES, Math.ceil(races / tables));
    left -= plies;
    await raceAt(plies);
  }
};
await Promise.all(Array.from({ length: tables }, next));
const took = (performance.now() - start) / 1_000;
lines.forEach((line) => line.close());
await Promise.all(servers.map((server) => server.kill('SIGTERM')));

const report = new Report();
report.figure('races', won[0] + won[1]);
report.figure('of them won on the first server', won[0]);
report.figure('of them won on the second server', won[1]);
report.figure('races per second', (won[0] + won[1]) / took);
report.guarantee('both counted', faults.both);
report.guarantee('neither counted', faults.neither);
report.guarantee('rejected for another reason', faults.code);
report.guarantee('the servers disagree', faults.differ);
report.end();

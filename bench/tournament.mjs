// `node tournament.mjs [players] [swiss rounds] [arena minutes] [database url]`: a Swiss and then an arena of people who play
// tic-tac-toe as fast as they can, each with a server that is killed in the middle, and checks that every pairing of the
// Swiss was played once, no one played two games at a time, no one forfeited for the outage, and standings are right.
import { join } from 'node:path';
import { account, folder, guest, startAlinea, wait } from './server.mjs';
import { Report } from './report.mjs';

const [players, rounds, minutes] = [20, 5, 3].map((usual, i) => Number(process.argv[i + 2] ?? usual));
const data = process.argv[5] ?? join(folder(), 'data.db');
const THINKING_MS = 100;

let server = await startAlinea(data);
const listen = server.url.replace('http://', '');
const organiser = (await account(server.url)).cookie;
const cookies = [];
for (let i = 0; i < players; i += 1) cookies.push(await guest(server.url));

/** Asks until the server answers. */
async function ask(method, path, cookie, body) {
  for (;;) {
    try {
      const headers = { cookie, origin: server.url, 'content-type': 'application/json' };
      const response = await fetch(`${server.url}/api${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      const answer = await response.json();
      if (response.status < 500) return answer;
    } catch {
      // It is being started again.
    }
    await wait(20);
  }
}

const faults = { twice: [], atOnce: [], forfeits: [], standings: [] };

/** Plays the games of one tournament to its end. */
async function hold(name, format, killAt) {
  const settings = { name, game: 'tic-tac-toe', format, guests: true, sit_down_s: 30 };
  const { id } = await ask('POST', '/tournaments', organiser, settings);
  for (const cookie of cookies) await ask('POST', `/tournaments/${id}`, cookie, { enter: {} });
  const started = Date.now();
  await ask('POST', `/tournaments/${id}`, organiser, { start: {} });
  const begun = new Set();
  // A view tells the last games only.
  const all = new Map();
  const play = async ({ table, players: pair }) => {
    for (;;) {
      const { status, moves, legal } = await ask('GET', `/tables/${table}`, cookies[pair[0]]);
      if (status === 'ended') return;
      await wait(Math.random() * THINKING_MS);
      const { move } = legal[Math.floor(Math.random() * legal.length)];
      await ask('POST', `/tables/${table}/make-move`, cookies[pair[moves.length % 2]], { ply: moves.length + 1, move });
    }
  };
  let killed = false;
  let waited = 0;
  for (;;) {
    const view = await ask('GET', `/tournaments/${id}`, organiser);
    for (const game of view.games) all.set(game.number, game);
    const open = view.games.filter(({ result }) => !result);
    const busy = open.flatMap((game) => game.players);
    if (new Set(busy).size !== busy.length) faults.atOnce.push(`${name}: ${busy}`);
    for (const game of open) {
      if (!begun.has(game.table)) void play(game);
      begun.add(game.table);
    }
    if (view.phase === 'over') {
      check(name, { ...view, games: [...all.values()] });
      return { games: all.size, seconds: (Date.now() - started) / 1_000, waited };
    }
    if (!killed && killAt(view, Date.now() - started)) {
      killed = true;
      const since = Date.now();
      await server.kill();
      server = await startAlinea(data, { listen });
      waited = (Date.now() - since) / 1_000;
    }
    await wait(50);
  }
}

function check(name, { standings, games, format }) {
  const pairs = games.map(({ players }) => players.toSorted((a, b) => a - b).join('–'));
  if (format.kind === 'swiss' && new Set(pairs).size !== pairs.length) faults.twice.push(`${name}: ${pairs}`);
  for (const { number, result } of games)
    if (result?.by !== 'play') faults.forfeits.push(`${name}, game ${number}: ${JSON.stringify(result)}`);
  for (const { player, points, rounds = [] } of standings) {
    const own = games.filter(({ players, result }) => result && players.includes(player));
    const won = own.map(({ players, result }) =>
      result.winner === null ? 0.5 : Number(players[result.winner === 'first' ? 0 : 1] === player),
    );
    const free = Math.max(0, rounds.filter((one) => one !== null).length - own.length);
    const sum = won.reduce((sum, one) => sum + one, free);
    if (sum !== points) faults.standings.push(`${name}: player ${player} has ${points}, not ${sum}`);
  }
}

const report = new Report();
const swiss = await hold('Swiss', { kind: 'swiss', rounds }, ({ round }) => round > rounds / 2);
const arena = await hold('Arena', { kind: 'arena', minutes }, (_, ms) => ms > minutes * 30_000);
await server.kill('SIGTERM');
report.figure('players', players);
report.figure(`games of a Swiss of ${rounds} rounds`, swiss.games);
report.figure('it lasted', swiss.seconds, { unit: 's' });
report.figure(`games of an arena of ${minutes} minutes`, arena.games);
report.figure('it lasted, with the outage', arena.seconds, { unit: 's' });
report.figure('longer outage', Math.max(swiss.waited, arena.waited), { unit: 's' });
report.guarantee('pairings played twice', faults.twice);
report.guarantee('players at two games at once', faults.atOnce);
report.guarantee('games not decided by play', faults.forfeits);
report.guarantee('wrong standings', faults.standings);
report.end();

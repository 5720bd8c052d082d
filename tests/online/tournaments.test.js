// Tournaments of people: who may open and enter them, how they are paired, and that they survive the death of a server.
// Tournaments of programs: shown from a folder.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client, newName } from './client.js';
import { Server, newDatabase, programs, run } from './server.js';
import { serve } from './suite.js';

const server = await serve({ options: ['--limits', '100'] });
const SWISS = { name: 'Club evening', game: 'tic-tac-toe', format: { kind: 'swiss', rounds: 3 }, guests: true };

const accounts = (count, at = server) =>
  Promise.all(Array.from({ length: count }, () => new Client(at).signUp(newName())));
const guests = async (count, at = server) => {
  const clients = Array.from({ length: count }, () => new Client(at));
  for (const client of clients) await client.get('/api/me');
  return clients;
};

/** The tournament of an organiser. */
class Tournament {
  constructor(organiser, id) {
    Object.assign(this, { organiser, id, path: `/api/tournaments/${id}` });
  }

  static async open(organiser, more = {}) {
    return new Tournament(organiser, (await organiser.post('/api/tournaments', { ...SWISS, ...more })).id);
  }

  do(client, command, fields = {}) {
    return client.post(this.path, { [command]: fields });
  }

  view() {
    return this.organiser.get(this.path);
  }

  /** Enters all, in this order. */
  async enter(clients) {
    for (const client of clients) await this.do(client, 'enter');
    this.clients = clients;
  }
}

/** Plays the game of a table on, by the first or the last legal move, until it is over. A server that is gone comes back. */
async function playOn(table, players, choose) {
  for (;;) {
    try {
      const { status, moves, legal } = await players[0].get(`/api/tables/${table}`);
      if (status === 'ended') return;
      const move = choose(legal.map((choice) => choice.move));
      const response = await players[moves.length % 2].fetch('POST', `/api/tables/${table}/make-move`, {
        ply: moves.length + 1,
        move,
      });
      await response.text();
    } catch (error) {
      if (!/fetch failed|ECONN|timed out/.test(String(error))) throw error;
    }
  }
}

/** What standings must be, counted anew from the games. */
function checkStandings({ standings, games, round }) {
  for (const { player, points, tally, rounds = [] } of standings) {
    const own = games.filter((game) => game.players.includes(player) && game.result);
    const won = own.filter(
      ({ players, result }) => result.winner && players[result.winner === 'first' ? 0 : 1] === player,
    );
    const drawn = own.filter(({ result }) => result.winner === null);
    assert.deepEqual(tally, [won.length, drawn.length, own.length - won.length - drawn.length]);
    const free = Math.max(0, rounds.filter((one) => one !== null).length - own.length);
    assert.equal(points, won.length + drawn.length / 2 + free);
    assert.equal(rounds.length, round);
  }
  const order = standings.map(({ points, tie_breaks }) => [points, ...tie_breaks]);
  for (let i = 1; i < order.length; i += 1) {
    const differing = order[i].findIndex((value, at) => value !== order[i - 1][at]);
    if (differing >= 0) assert.ok(order[i][differing] < order[i - 1][differing], JSON.stringify(order));
  }
}

test('accounts open tournaments, with settings that make sense', async () => {
  const [ann] = await accounts(1);
  const [guest] = await guests(1);
  await guest.refused(401, 'sign-in-first', 'POST', '/api/tournaments', SWISS);
  for (const [more, status, code] of [
    [{ name: '  ' }, 400, 'bad-message'],
    [{ name: 'x'.repeat(61) }, 400, 'bad-message'],
    [{ game: 'ludo' }, 404, 'unknown-game'],
    [{ format: { kind: 'swiss', rounds: 0 } }, 400, 'bad-message'],
    [{ format: { kind: 'arena', minutes: 481 } }, 400, 'bad-message'],
    [{ format: { kind: 'gauntlet' } }, 400, 'bad-message'],
    [{ sit_down_s: 0 }, 400, 'bad-message'],
    [{ clock: { kind: 'game', initial_ms: 0, increment_ms: 0 } }, 400, 'bad-message'],
    [{ rated: true }, 403, 'not-allowed'],
    [{ rated: true, guests: false }, 403, 'not-allowed'],
    [{ surprise: 1 }, 400, 'bad-message'],
    [{ starts_at: Date.now() + 370 * 24 * 3_600_000 }, 400, 'bad-message'],
    [{ places_per_address: 0 }, 400, 'bad-message'],
  ]) {
    await ann.refused(status, code, 'POST', '/api/tournaments', { ...SWISS, ...more });
  }
  const secret = await Tournament.open(ann, { name: '  Only by\u202e link ' });
  const listed = await Tournament.open(ann, { listed: true });
  const ids = async (client) => (await client.get('/api/tournaments')).map(({ id }) => id);
  const [own, others] = [await ids(ann), await ids(guest)];
  assert.ok(
    own.includes(secret.id) && own.includes(listed.id) && others.includes(listed.id) && !others.includes(secret.id),
  );
  assert.equal((await guest.get(secret.path)).name, 'Only by link');
  await guest.refused(404, 'not-found', 'GET', '/api/tournaments/nothing');
  for (let count = 2; count < 5; count += 1) await Tournament.open(ann);
  assert.match(
    (await ann.refused(403, 'not-allowed', 'POST', '/api/tournaments', SWISS)).message,
    /5 unfinished tournaments/,
  );
});

test('only named accounts open tournaments where the host says so', async () => {
  const host = newName();
  const other = await Server.start({ options: ['--organisers', `${host},Ben`] });
  try {
    const [ann] = await accounts(1, other);
    await ann.refused(403, 'not-allowed', 'POST', '/api/tournaments', SWISS);
    await Tournament.open(await new Client(other).signUp(host));
  } finally {
    await other.stop();
  }
});

test('players enter and withdraw, and the organiser starts, removes and decides', async () => {
  const [ann] = await accounts(1);
  const players = await guests(4);
  const cup = await Tournament.open(ann);
  await cup.enter(players);
  await players[0].refused(403, 'not-allowed', 'POST', cup.path, { start: {} });
  await cup.do(players[3], 'withdraw');
  await cup.do(players[3], 'enter');
  const { games, standings } = await cup.do(ann, 'start');
  assert.equal(games.length, 2);
  assert.equal(standings.length, 4);
  // Resigning before the first move loses the game: it is not aborted as elsewhere.
  const [one, two] = games;
  await players[one.players[0]].post(`/api/tables/${one.table}/resign`);
  await ann.post(cup.path, { decide: { game: 1, result: 'replay' } });
  const seat = await players[two.players[0]].get(`/api/tables/${two.table}`);
  assert.deepEqual([seat.status, seat.result.reason, seat.settings.tournament], ['ended', 'aborted', cup.id]);
  const after = await ann.post(cup.path, { decide: { game: 1, result: 'draw' } });
  assert.deepEqual(after.games[1].result, { winner: null, by: 'organiser' });
  assert.notEqual(after.games[1].table, two.table);
  await players[one.players[0]].refused(403, 'not-allowed', 'POST', `/api/tables/${one.table}/rematch`, {});
  const socket = await ann.connect();
  await socket.done('watch-tournament', { id: cup.id });
  const { games: all } = await socket.waitFor('tournament', ({ round }) => round === 2);
  assert.deepEqual(all[0].result, { winner: 'second', by: 'play' });
  const [begun, empty] = all.slice(2);
  for (const [index, move] of ['b2', 'a1'].entries())
    await players[begun.players[index]].post(`/api/tables/${begun.table}/make-move`, { ply: index + 1, move });
  await cup.do(ann, 'remove', { player: 0 });
  await cup.do(ann, 'end');
  assert.equal(
    (await socket.waitFor('tournament', ({ phase }) => phase === 'over')).standings.find(({ player }) => player === 0)
      .withdrawn,
    true,
  );
  // A game in progress continues; one that nobody has begun ends, and does not wait for ever.
  const left = await Promise.all([begun, empty].map(({ table }) => ann.get(`/api/tables/${table}`)));
  assert.deepEqual(
    left.map(({ status, result }) => [status, result?.reason]),
    [
      ['playing', undefined],
      ['ended', 'aborted'],
    ],
  );
  await players[1].refused(409, 'game-over', 'POST', cup.path, { enter: {} });
  await socket.refused('not-found', 'watch-tournament', { id: 'nothing' });
});

test('who does not make the first move forfeits, and is not paired again', async () => {
  const [ann] = await accounts(1);
  const players = await guests(4);
  const cup = await Tournament.open(ann, { sit_down_s: 5 });
  await cup.enter(players);
  const socket = await ann.connect();
  await socket.done('watch-tournament', { id: cup.id });
  const { games } = await cup.do(ann, 'start');
  const empty = await ann.at(games[1].table);
  await playOn(
    games[0].table,
    games[0].players.map((player) => players[player]),
    (legal) => legal[0],
  );
  const { games: after, standings } = await socket.waitFor('tournament', ({ round }) => round === 2);
  assert.deepEqual(after[1].result, { winner: 'second', by: 'no-show' });
  assert.equal((await empty.event('ended')).reason, 'abandoned');
  const gone = games[1].players[0];
  assert.equal(standings.find(({ player }) => player === gone).withdrawn, true);
  assert.ok(!after.slice(2).some((game) => game.players.includes(gone)));
  await cup.do(ann, 'end');
});

const RATED = { rated: true, guests: false, clock: { kind: 'game', initial_ms: 60_000, increment_ms: 0 } };
const ratings = async (client) => (await client.get(`/api/players/${client.name}`)).ratings;

test('only play is rated: no decision of an organiser, no game without moves, and no replay', async () => {
  const [ann, ...players] = await accounts(5);
  const cup = await Tournament.open(ann, { ...RATED, format: { kind: 'round-robin' } });
  await cup.enter([ann, ...players.slice(0, 3)]);
  const everyone = [ann, ...players];
  const { games } = await cup.do(ann, 'start');
  const own = games.find((game) => game.players.includes(0));
  const other = games.find((game) => !game.players.includes(0));
  await ann.refused(403, 'not-allowed', 'POST', cup.path, { decide: { game: own.number, result: 'first' } });
  await ann.post(cup.path, { decide: { game: other.number, result: 'first' } });
  // Lost before the first move: a point in the tournament, and no rating.
  await everyone[own.players[0]].post(`/api/tables/${own.table}/resign`);
  for (const player of everyone) assert.deepEqual(await ratings(player), []);

  // A game that was played is rated; its replay is not.
  const { games: replayed } = await ann.post(cup.path, { decide: { game: other.number, result: 'replay' } });
  const pair = other.players.map((player) => everyone[player]);
  await playOn(replayed[other.number].table, pair, (legal) => legal[0]);
  const [first] = await ratings(pair[0]);
  assert.equal(first.games, 1);
  let view;
  do view = await cup.view();
  while (view.games[other.number].result?.by !== 'play');
  view = await ann.post(cup.path, { decide: { game: other.number, result: 'replay' } });
  await playOn(view.games[other.number].table, pair, (legal) => legal[0]);
  const [same] = await ratings(pair[0]);
  assert.deepEqual([same.games, same.rating], [1, first.rating]);

  // All see what the organiser has changed.
  const { changes } = await new Client(server).get(cup.path);
  assert.deepEqual(
    changes.map(({ action }) => [action.kind, action.game, action.before?.by]),
    [
      ['decided', other.number, undefined],
      ['replayed', other.number, 'organiser'],
      ['replayed', other.number, 'play'],
    ],
  );
  await cup.do(ann, 'end');
});

test('an address has so many places, and all of its entries are removed at once', async () => {
  const [ann] = await accounts(1);
  const cup = await Tournament.open(ann);
  const flood = Array.from({ length: 12 }, () => new Client(server, { 'x-forwarded-for': '203.0.113.7' }));
  for (const guest of flood) await guest.get('/api/me');
  for (const guest of flood.slice(0, 10)) await cup.do(guest, 'enter');
  const refused = await flood[10].refused(403, 'not-allowed', 'POST', cup.path, { enter: {} });
  assert.match(refused.message, /^10 players/);
  const [friend] = await guests(1);
  await cup.do(friend, 'enter');
  await friend.refused(403, 'not-allowed', 'POST', cup.path, { 'remove-address': { player: 4 } });
  const { standings } = await cup.do(ann, 'remove-address', { player: 4 });
  assert.deepEqual(
    standings.map(({ player }) => player),
    [10],
  );
  await flood[11].refused(403, 'not-allowed', 'POST', cup.path, { enter: {} });
  assert.ok(!JSON.stringify(await cup.view()).includes('203.0.113'));
});

test('thirty pupils behind one address play a rated tournament with the usual limits', async () => {
  const school = await Server.start();
  try {
    const address = { 'x-forwarded-for': '198.51.100.20' };
    const pupils = await Promise.all(Array.from({ length: 30 }, () => new Client(school, address).signUp(newName())));
    const cup = await Tournament.open(pupils[0], { ...RATED, format: { kind: 'swiss' }, places_per_address: 30 });
    await cup.enter(pupils);
    const socket = await pupils[0].connect();
    await socket.done('watch-tournament', { id: cup.id });
    const start = await cup.do(pupils[0], 'start');
    assert.deepEqual([start.rounds, start.games.length], [5, 15]);
    // Over sockets, as pages do.
    await Promise.all(
      start.games.map(async ({ table, players }) => {
        const [first, second] = await Promise.all(players.map((player) => pupils[player].at(table)));
        for (const [index, move] of ['b2', 'a1', 'b3', 'b1', 'a3', 'c3', 'c1'].entries()) {
          const mover = index % 2 ? second : first;
          await mover.move(index + 1, move);
        }
        for (const one of [first, second]) one.close();
      }),
    );
    await socket.waitFor('tournament', ({ round }) => round === 2);
    const rated = await Promise.all(pupils.map(ratings));
    assert.ok(rated.every(([line]) => line.games === 1));
    await cup.do(pupils[0], 'end');
  } finally {
    await school.stop();
  }
});

test('an arena pairs as games end, with late entries', async () => {
  const [ann] = await accounts(1);
  const players = await guests(5);
  const cup = await Tournament.open(ann, { format: { kind: 'arena', minutes: 10 } });
  await cup.enter(players.slice(0, 4));
  cup.clients = players;
  const socket = await ann.connect();
  await socket.done('watch-tournament', { id: cup.id });
  await cup.do(ann, 'start');
  const played = new Set();
  let entered = false;
  for (let count = 0; count < 10; count += 1) {
    const { games } = await socket.waitFor('tournament', ({ games }) =>
      games.some(({ table, result }) => !result && !played.has(table)),
    );
    const next = games.find(({ table, result }) => !result && !played.has(table));
    played.add(next.table);
    const choose = count % 2 ? (legal) => legal[0] : (legal) => legal.at(-1);
    await playOn(
      next.table,
      next.players.map((player) => players[player]),
      choose,
    );
    if (!entered) await cup.do(players[4], 'enter');
    entered = true;
  }
  const view = await cup.view();
  checkStandings(view);
  assert.ok(
    view.games.some((game) => game.players.includes(4)),
    'who came late plays',
  );
  const open = view.games.filter(({ result }) => !result).flatMap((game) => game.players);
  assert.equal(new Set(open).size, open.length, 'no one plays two games at a time');
  const boards = await ann.get(`${cup.path}/boards`);
  assert.ok(boards.tables.every(({ view }) => view.cells.length === 9));
  await cup.do(ann, 'end');
  // Until the end, new games may begin at any time.
  const { games } = await cup.view();
  const text = await (await ann.fetch('GET', `${cup.path}/games.txt`)).text();
  assert.equal(text.match(/^\[Event /gm).length, games.length);
  const table = await (await ann.fetch('GET', `${cup.path}/standings.tsv`)).text();
  assert.equal(table.split('\n').length, 7);
});

test('a Swiss of twenty players and five rounds survives a server that is killed in the middle', async () => {
  const database = await newDatabase();
  const start = () => Server.start({ database, options: ['--limits', '100'] });
  let node = await start();
  // All clients follow the server to its next address.
  const at = {
    get url() {
      return node.url;
    },
  };
  try {
    const [ann] = await accounts(1, at);
    const players = await guests(20, at);
    const cup = await Tournament.open(ann, { format: { kind: 'swiss', rounds: 5 }, sit_down_s: 600 });
    await cup.enter(players);
    await cup.do(ann, 'start');
    for (let round = 1; round <= 5; round += 1) {
      let view;
      do view = await cup.view();
      while (view.round < round);
      const games = view.games.filter((game) => game.round === round - 1);
      assert.equal(games.length, 10);
      const playing = games.map(({ table, players: pair, number }) => {
        const choose = [(legal) => legal[0], (legal) => legal.at(-1), (legal) => legal[legal.length >> 1]][
          (number + round) % 3
        ];
        return playOn(
          table,
          pair.map((player) => players[player]),
          choose,
        );
      });
      if (round === 3) {
        await Promise.race(playing);
        await node.kill();
        node = await start();
      }
      await Promise.all(playing);
    }
    let view;
    do view = await cup.view();
    while (view.phase !== 'over');
    checkStandings(view);
    assert.equal(view.games.length, 50);
    const pairs = view.games.map(({ players }) => players.toSorted((a, b) => a - b).join('–'));
    assert.equal(new Set(pairs).size, 50, 'every pairing once');
    assert.ok(
      view.games.every(({ result }) => result.by === 'play'),
      'no one forfeits for an outage',
    );
  } finally {
    await node.stop();
    await database.end();
  }
});

test('tournaments of programs are shown from a folder, while they run and afterwards', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'alinea-cups-'));
  const file = (name, text) => (writeFileSync(join(folder, `${name}.toml`), text), join(folder, `${name}.toml`));
  const other = await Server.start({ options: ['--tournaments', folder, '--limits', '100'] });
  const slow = spawn(
    join(programs, 'alinea'),
    [
      'tournament',
      file(
        'slow',
        "name = 'Slow cup'\ngame = 'connect-four'\nplayers = ['engine', 'B=engine']\n[limits]\nmovetime_ms = 150\n",
      ),
    ],
    { stdio: 'ignore' },
  );
  try {
    const guest = new Client(other);
    const phase = async (id) => (await guest.get('/api/tournaments')).find((one) => one.id === id)?.phase;
    while ((await phase('slow')) !== 'running');
    let boards;
    do boards = (await guest.get('/api/tournaments/slow/boards')).tables;
    while (!boards.length);
    assert.deepEqual(boards[0].seats.map(({ name }) => name).toSorted(), ['B', 'engine']);
    assert.ok(boards[0].ply > 0 && boards[0].view.cells.length === 42);
    slow.kill('SIGINT');
    while ((await phase('slow')) !== 'over');

    const quick = await run(
      'tournament',
      file(
        'quick',
        "name = 'Quick cup'\ngame = 'tic-tac-toe'\nplayers = ['random', 'oxo', 'level:2']\npairs = 30\nformat = 'swiss'\nrounds = 2\n",
      ),
    );
    assert.equal(quick.code, 0, quick.stderr);
    const view = await guest.get('/api/tournaments/quick');
    assert.deepEqual(
      [view.name, view.phase, view.format, view.people],
      ['Quick cup', 'over', { kind: 'swiss', rounds: 2 }, undefined],
    );
    assert.equal(view.games.length, 50);
    assert.ok(view.games.every(({ moves, players }) => moves.split(' ').length >= 5 && players.length === 2));
    const first = await guest.get(`/api/tournaments/quick/games?before=${view.games[0].number}`);
    assert.equal(first.at(-1).number + 1, view.games[0].number);
    for (const { player, tally, elo } of view.standings) {
      assert.deepEqual(
        tally,
        view.cross_table[player].reduce((sum, one) => sum.map((count, at) => count + one[at])),
      );
      assert.ok(elo[1] > 0);
    }
    const rows = await (await guest.fetch('GET', '/api/tournaments/quick/standings.tsv')).text();
    assert.equal(rows.trim().split('\n').length, 4);
    // What cannot be read is not there; names lead nowhere else.
    writeFileSync(join(folder, 'quick.results', 'report.json'), '{}');
    for (const id of ['quick', 'quick.results', '..%2Fslow', '%2Fetc'])
      await guest.refused(404, 'not-found', 'GET', `/api/tournaments/${id}`);
    assert.equal(await phase('slow'), 'over');
  } finally {
    slow.kill('SIGKILL');
    await other.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

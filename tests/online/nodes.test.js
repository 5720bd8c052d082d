// Two servers share one PostgreSQL and serve the same tables, even if one dies.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client, closeAll, newName, play } from './client.js';
import { Server, run, stopShared, newDatabase, onPostgres, sql, startPostgres } from './server.js';

const only = { skip: onPostgres ? false : 'several servers need PostgreSQL; the other run has it' };
let database;
let nodes;
before(async () => {
  if (!onPostgres) return;
  database = await newDatabase();
  nodes = await Promise.all(
    [0, 1].map(() =>
      Server.start({ database, env: { RUST_LOG: 'info' }, options: ['--limits', '100', '--grace', '0.3'] }),
    ),
  );
});
after(async () => {
  closeAll();
  await Promise.all((nodes ?? []).map((node) => node.stop()));
  await stopShared();
});

/// The same user on another server.
function at(node, client) {
  const other = new Client(node, client.headers);
  other.cookies = new Map(client.cookies);
  other.name = client.name;
  return other;
}

async function apart(game, more) {
  const clients = nodes.map((node) => new Client(node));
  const { table } = await clients[0].table(game, 'link', more);
  const first = await clients[0].at(table);
  const second = await clients[1].at(table);
  await second.do('sit');
  await first.event('seated');
  return { table, first, second, clients };
}

test('a move on one server reaches players on the other', only, async () => {
  const { table, first, second } = await apart('connect-four');
  for (let ply = 1; ply <= 6; ply += 1) {
    const [mover, other] = ply % 2 ? [first, second] : [second, first];
    const { v } = await mover.move(ply, '1');
    assert.equal((await other.moveMade(ply)).v, v);
  }
  await first.do('chat', { text: 'hello over there' });
  assert.equal((await second.event('chat')).text, 'hello over there');
  for (const connection of [first, second]) {
    const versions = connection.versions(table);
    assert.deepEqual(
      versions,
      versions.map((_, i) => versions[0] + i),
    );
  }
});

test('a move may follow at once on the other server', only, async () => {
  const { first, second } = await apart('connect-four:20x20x16');
  // Each move follows the acknowledgement of the one before, without waiting for its event.
  for (let ply = 1; ply <= 100; ply += 1) await (ply % 2 ? first : second).move(ply, String(1 + (ply % 20)));
  await first.not('future-ply', 'make-move', { ply: 102, move: '1' });
});

test('a server works beside one of the next version, until that takes something away', only, async () => {
  const own = await newDatabase();
  const old = await Server.start({ database: own });
  await sql(
    own.url,
    "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) VALUES (99, 'next', true, '', 0); ALTER TABLE tables ADD COLUMN next BIGINT",
  );
  const { table } = await new Client(old).table('tic-tac-toe', 'link');
  const again = await Server.start({ database: own });
  assert.equal((await new Client(again).get(`/api/tables/${table}`)).table, table);
  await Promise.all([old.stop(), again.stop()]);
  await sql(own.url, "INSERT INTO settings (name, value) VALUES ('oldest-schema', '99')");
  const { code, stderr } = await run('serve', '--listen', '127.0.0.1:0', ...own.args);
  assert.equal(code, 2);
  assert.match(
    stderr,
    /^alinea: cannot open the database: the database was written by a newer version of this program\n$/,
  );
});

test('presence is known on both servers', only, async () => {
  const { first, second } = await apart('connect-four');
  await first.waitFor('presence', ({ here }) => here[0] && here[1]);
  await first.move(1, '4');
  await second.move(2, '4');
  await first.moveMade(2);
  second.close();
  await first.waitFor('presence', ({ here }) => !here[1]);
});

test('seeks on different servers are paired', only, async () => {
  const lines = await Promise.all(nodes.map((node) => new Client(node).connect()));
  await Promise.all(lines.map((connection) => connection.done('seek', { game: 'tic-tac-toe' })));
  const tables = await Promise.all(lines.map((connection) => connection.waitFor('paired')));
  assert.equal(tables[0].table, tables[1].table);
});

test('signing out on one server closes connections on the other', only, async () => {
  const client = await new Client(nodes[0]).signUp(newName());
  const connection = await at(nodes[1], client).connect();
  await client.ask('DELETE', '/api/session');
  await connection.waitFor('disconnect');
});

test('when a server is killed, its players and programs continue on the other', only, async () => {
  const doomed = await Server.start({ database, options: ['--limits', '100'] });
  const clients = [new Client(doomed), new Client(doomed)];
  const { table } = await clients[0].table('connect-four', 'link');
  const [first, second] = await Promise.all(clients.map((client) => client.at(table)));
  await second.do('sit');
  await play(first, second, '4 4 5');
  const { v } = await first.moveMade(3);
  const demo = await clients[0].table('connect-four', { kind: 'demo', first: 'random', second: 'random' });
  const watcher = await clients[0].at(demo.table);
  await watcher.do('pace', { paused: false, delay_ms: 100 });
  await watcher.moveMade(2);
  await doomed.kill();
  const there = await at(nodes[1], clients[1]).connect();
  const { missed } = await there.done('join', { table, seen: v - 1 });
  assert.deepEqual(
    missed.map((made) => made.v),
    [v],
  );
  await there.done('make-move', { table, ply: 4, move: '5' });
  const back = await at(nodes[0], clients[0]).at(table);
  await back.move(5, '6');
  await there.moveMade(5);
  // The programs go on at the server where they are watched.
  const watching = await at(nodes[0], clients[0]).at(demo.table);
  await watching.event('ended');
  // The log tells of it.
  const start = Date.now();
  const isTold = () =>
    nodes.every(({ log }) => /node_joined/.test(log) && /node_left/.test(log)) &&
    nodes.some(({ log }) => /tables_taken_over/.test(log));
  while (!isTold()) {
    assert.ok(Date.now() - start < 30_000, nodes.map(({ log }) => log).join('\n'));
    await new Promise((done) => setTimeout(done, 100));
  }
});

/// Two servers whose notifications can get lost, at the rate in the table `lost`.
async function deaf() {
  const database = await newDatabase();
  // The search path finds this function before the system's own.
  const { pathname } = new URL(database.url);
  await sql(
    database.url,
    `
    CREATE TABLE public.lost (one_in INT); INSERT INTO public.lost VALUES (0); CREATE SEQUENCE public.words;
    CREATE FUNCTION public.pg_notify(channel TEXT, words TEXT) RETURNS VOID LANGUAGE plpgsql AS $$
      DECLARE one_in INT := (SELECT lost.one_in FROM public.lost);
      BEGIN
        IF one_in = 0 OR nextval('public.words') % one_in <> 0 THEN PERFORM pg_catalog.pg_notify(channel, words); END IF;
      END $$;
    ALTER DATABASE ${pathname.slice(1)} SET search_path = public, pg_catalog`,
  );
  const nodes = await Promise.all([0, 1].map(() => Server.start({ database, options: ['--limits', '100'] })));
  const lose = (oneIn) => sql(database.url, `UPDATE public.lost SET one_in = ${oneIn}`);
  return { nodes, lose, url: database.url };
}

/// A move by each player on its own server; both receive all moves, in order and once.
async function exchange(nodes, games, plies) {
  await Promise.all(
    Array.from({ length: games }, async () => {
      const clients = nodes.map((node) => new Client(node));
      const { table } = await clients[0].table('connect-four', 'link');
      const second = await clients[1].at(table);
      await second.do('sit');
      const lines = [await clients[0].at(table), second];
      const game = '1 2 1 2 2 1 2 1 1 2 1 2'.split(' ');
      for (let ply = 1; ply <= plies; ply += 1) {
        const [mover, other] = ply % 2 ? lines : lines.toReversed();
        await mover.move(ply, game[ply - 1]);
        await other.moveMade(ply);
      }
      for (const connection of lines) {
        const versions = connection.versions(table);
        assert.deepEqual(
          versions,
          versions.map((_, i) => versions[0] + i),
        );
        const made = connection.log.received.filter(({ name }) => name === 'move-made').map(({ data }) => data.move);
        assert.deepEqual(made, game.slice(0, plies));
        connection.close();
      }
    }),
  );
}

test('without notifications between servers, everything arrives through the log', only, async () => {
  const { nodes, lose, url } = await deaf();
  await exchange(nodes, 2, 4);
  await lose(1);
  const seekers = await Promise.all(nodes.map((node) => new Client(node).connect()));
  const paired = Promise.all(
    seekers.map(async (connection) => {
      await connection.done('seek', { game: 'tic-tac-toe' });
      return (await connection.waitFor('paired')).table;
    }),
  );
  await exchange(nodes, 5, 2);
  const [one, other] = await paired;
  assert.equal(one, other);
  // One in ten.
  await lose(10);
  await exchange(nodes, 10, 6);
  await lose(0);
  // The connections are cut; the servers catch up when they are back.
  const client = await new Client(nodes[0]).signUp(newName());
  const connection = await at(nodes[1], client).connect();
  await lose(1);
  await client.ask('DELETE', '/api/session');
  await lose(0);
  await sql(url, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'alinea %'");
  await connection.waitFor('disconnect');
  await exchange(nodes, 2, 4);
  await Promise.all(nodes.map((node) => node.stop()));
});

test('while PostgreSQL is unavailable moves are rejected, afterwards accepted', only, async () => {
  const cluster = await startPostgres();
  const own = { args: ['--database-url', await cluster.database()], end: async () => {} };
  const node = await Server.start({ database: own, options: ['--limits', '100'] });
  const client = new Client(node);
  const { table } = await client.table('connect-four', 'here');
  const connection = await client.at(table);
  await connection.move(1, '4');
  await cluster.stop();
  await connection.not('unavailable', 'make-move', { ply: 2, move: '4' });
  await client.refused(503, 'unavailable', 'GET', '/api/ready');
  assert.equal((await client.get('/api/health')).ok, true);
  await cluster.start();
  let answer;
  do answer = await connection.ask('make-move', { table, ply: 2, move: '4' });
  while (answer.code === 'unavailable');
  assert.equal(answer.ply, 2, JSON.stringify(answer));
  const { moves } = await client.get(`/api/tables/${table}`);
  assert.deepEqual(
    moves.map(({ move }) => move),
    ['4', '4'],
  );
  await node.stop();
  await cluster.end();
});

test('a tournament is paired once by two servers, and seen on both', only, async () => {
  const [ann, ...players] = await Promise.all(
    Array.from({ length: 9 }, (_, i) => new Client(nodes[i % 2]).signUp(newName())),
  );
  const { id } = await ann.post('/api/tournaments', {
    name: 'Two nodes',
    game: 'tic-tac-toe',
    format: { kind: 'swiss', rounds: 4 },
  });
  for (const player of players) await player.post(`/api/tournaments/${id}`, { enter: {} });
  const there = await at(nodes[1], ann).connect();
  await there.done('watch-tournament', { id });
  await ann.post(`/api/tournaments/${id}`, { start: {} });
  for (let round = 1; round <= 4; round += 1) {
    const { games } = await there.waitFor('tournament', (view) => view.round === round);
    const open = games.filter((game) => game.round === round - 1);
    assert.equal(open.length, 4);
    await Promise.all(
      open.map(({ table, players: [, second] }) => players[second].post(`/api/tables/${table}/resign`)),
    );
  }
  const { games, standings } = await there.waitFor('tournament', ({ phase }) => phase === 'over');
  assert.equal(new Set(games.map((game) => game.players.toSorted().join(' '))).size, 16, 'every pairing once');
  assert.equal(
    standings.reduce((sum, { points }) => sum + points, 0),
    16,
  );
  assert.deepEqual(await ann.get(`/api/tournaments/${id}`), await at(nodes[1], ann).get(`/api/tournaments/${id}`));
});

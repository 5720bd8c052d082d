// Reconnecting: exactly the missed events or a snapshot; nothing lost and nothing twice, whatever failed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, play, two } from './client.js';
import { Server, newDatabase } from './server.js';
import { serve } from './suite.js';

const server = await serve({ options: ['--limits', '100'] });

test('a client that names its version gets the missed events, in order and once', async () => {
  const { table, first, second, clients } = await two(server, 'connect-four');
  await play(first, second, '4 4');
  const { v } = await second.moveMade(2);
  second.close();
  await first.move(3, '4');
  await first.do('chat', { text: 'are you there?' });
  const back = await clients[1].connect();
  const { missed, snapshot } = await back.done('join', { table, seen: v });
  assert.equal(snapshot, undefined);
  assert.deepEqual(
    missed.map((happened) => happened.v),
    [v + 1, v + 2],
  );
  assert.deepEqual([missed[0].ply, missed[0].move, missed[1].event.text], [3, '4', 'are you there?']);
  await back.done('make-move', { table, ply: 4, move: '4' });
  assert.equal((await back.moveMade(4)).v, v + 3);
});

test('an up-to-date client gets nothing, a version from the future gets a snapshot', async () => {
  const { table, first, clients } = await two(server, 'connect-four');
  const { v } = await first.move(1, '4');
  const back = await clients[0].connect();
  assert.deepEqual((await back.done('join', { table, seen: v })).missed, []);
  const { snapshot } = await back.done('join', { table, seen: v + 100 });
  assert.equal(snapshot.v, v);
});

test('every client sees the versions of a table without gaps', async () => {
  const { table, first, second, clients } = await two(server, 'connect-four');
  const watcher = await new Client(server).at(table);
  let seen = watcher.snapshot.v;
  const told = [];
  for (let ply = 1; ply <= 6; ply += 1) {
    await (ply % 2 ? first : second).move(ply, '1');
    if (ply % 2 === 0) {
      // Disconnecting and reconnecting all the time.
      const back = await clients[1].connect();
      const { missed } = await back.done('join', { table, seen });
      missed.forEach(({ v }) => told.push(v));
      seen = missed.at(-1).v;
      back.close();
    }
  }
  await watcher.moveMade(6);
  const all = watcher.versions(table);
  assert.deepEqual(told, all);
  assert.deepEqual(
    all,
    all.map((_, i) => all[0] + i),
  );
});

test('a guest keeps the seat by its cookie', async () => {
  const { table, first, second, clients } = await two(server, 'connect-four');
  await play(first, second, '4 4');
  const again = new Client(server);
  again.cookies = new Map(clients[0].cookies);
  const connection = await again.at(table);
  assert.deepEqual(connection.snapshot.you, ['first']);
  await connection.move(3, '4');
  // A cookie with a wrong signature is ignored.
  const forger = new Client(server);
  const [name, value] = [...clients[0].cookies][0];
  forger.cookies.set(name, value.slice(0, -1) + (value.endsWith('0') ? '1' : '0'));
  assert.deepEqual((await forger.get(`/api/tables/${table}`)).you, []);
});

test('the official client reconnects and repeats unacknowledged commands', async () => {
  const { table, first, second } = await two(server, 'connect-four');
  await first.move(1, '4');
  const client = new Client(server);
  const watcher = await client.connect({ reconnection: true, reconnectionDelay: 10 });
  await watcher.done('join', { table });
  watcher.socket.io.engine.close();
  const done = new Promise((back) => watcher.socket.io.once('reconnect', back));
  await second.move(2, '4');
  await done;
  const { missed } = await watcher.done('join', { table, seen: 0 }).then((answer) => answer);
  assert.ok(missed === undefined || missed.at(-1).ply === 2);
  await first.move(3, '4');
  await watcher.moveMade(3);
});

test('a killed server has everything it acknowledged after a restart', async () => {
  const database = await newDatabase();
  const options = ['--limits', '100'];
  let node = await Server.start({ database, options });
  const { table, first, second, clients } = await two(node, 'connect-four');
  await play(first, second, '4 4 5 5');
  const { v } = await second.moveMade(4);
  await node.kill();
  await first.waitFor('disconnect');
  node = await Server.start({ database, options });
  clients.forEach((client) => (client.server = node));
  const [one, other] = await Promise.all(clients.map((client) => client.at(table)));
  assert.deepEqual(
    one.snapshot.moves.map(({ move }) => move),
    ['4', '4', '5', '5'],
  );
  assert.equal(one.snapshot.v, v);
  // A move whose acknowledgement got lost is repeated.
  assert.equal((await other.move(4, '5')).v, v);
  await play(one, other, '6 6 7', 5);
  assert.equal((await other.event('ended')).winner, 'first');
  await node.stop();
  await database.end();
});

test('a program continues after the server was killed', async () => {
  const database = await newDatabase();
  let node = await Server.start({ database });
  const client = new Client(node);
  const { table } = await client.table('connect-four', { kind: 'program', name: 'engine:1s' });
  const connection = await client.at(table);
  await connection.move(1, '4');
  await node.kill();
  node = await Server.start({ database });
  client.server = node;
  // It continues without any client.
  let moves;
  do {
    await new Promise((soon) => setTimeout(soon, 50));
    ({ moves } = await client.get(`/api/tables/${table}`));
  } while (moves.length < 2);
  assert.equal(moves.length, 2);
  await node.stop();
  await database.end();
});

test('a graceful stop notifies clients and keeps everything', async () => {
  const database = await newDatabase();
  let node = await Server.start({ database });
  const { table, first, second } = await two(node, 'connect-four');
  await play(first, second, '4 4');
  const code = await Promise.all([node.stop('SIGINT'), first.waitFor('closing')]).then(([code]) => code);
  assert.equal(code, 0);
  node = await Server.start({ database });
  const { moves } = await new Client(node).get(`/api/tables/${table}`);
  assert.equal(moves.length, 2);
  assert.equal(await node.stop('SIGTERM'), 0);
  await database.end();
});

// The two transports of Socket.IO: long polling, and a WebSocket to which the official client upgrades. Nothing is lost
// or duplicated on the way.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, closeAll, newName, play, two, within } from './client.js';
import { RawSocket } from './raw-socket.js';
import { serve } from './suite.js';

const PATH = '/socket.io/?EIO=4&transport=polling';

const server = await serve({ options: ['--limits', '0'] });

/// A hand-written long-polling client.
class Polling {
  static async open(client) {
    if (!client.cookies.size) await client.get('/api/me');
    const polling = new Polling();
    polling.client = client;
    const [opening] = await polling.waitFor();
    assert.equal(opening[0], '0');
    polling.opening = JSON.parse(opening.slice(1));
    polling.path = `${PATH}&sid=${polling.opening.sid}`;
    return polling;
  }

  path = PATH;

  ask(method, body, headers) {
    return this.client.server.fetch(this.path, {
      method,
      body,
      headers: { ...this.client.headers, cookie: this.client.cookie, ...headers },
    });
  }

  async waitFor() {
    const response = await this.ask('GET');
    assert.equal(response.status, 200);
    return (await response.text()).split('\x1e');
  }

  async say(...packets) {
    return (await this.ask('POST', packets.join('\x1e'))).status;
  }
}

test('a game is played by long polling alone', async () => {
  const clients = [new Client(server), new Client(server)];
  const { table } = await clients[0].table('connect-four', 'link');
  const [first, second] = [
    await clients[0].at(table, { transports: ['polling'] }),
    await clients[1].at(table, { transports: ['polling'] }),
  ];
  await second.do('sit');
  await play(first, second, '4 4 5 5 6 6 7');
  const { snapshot } = await second.done('join', { table });
  assert.deepEqual([snapshot.status, snapshot.result.winner, snapshot.moves.length], ['ended', 'first', 7]);
  assert.equal(first.socket.io.engine.transport.name, 'polling');
});

test('the official client upgrades to a WebSocket, and every move in between arrives once', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { table, first, second } = await two(server, 'connect-four:20x20x16');
    const playing = (async () => {
      for (let ply = 1; ply <= 60; ply += 1) await (ply % 2 ? first : second).move(ply, String(1 + (ply % 20)));
    })();
    const connection = await new Client(server).connect({ transports: ['polling', 'websocket'] });
    const plies = [];
    connection.socket.on('move-made', ({ ply }) => plies.push(ply));
    const { engine } = connection.socket.io;
    const isChanged = () => engine.transport.name === 'websocket';
    const changed = within(new Promise((done) => (isChanged() ? done() : engine.once('upgrade', done))), 'a WebSocket');
    const from = (await connection.done('join', { table })).snapshot.moves.length;
    await Promise.all([playing, changed]);
    assert.ok(isChanged());
    const { snapshot } = await connection.done('join', { table });
    assert.equal(snapshot.moves.length, 60);
    assert.deepEqual(
      plies,
      Array.from({ length: 60 - from }, (_, i) => from + 1 + i),
    );
  }
});

test('invalid handshakes are rejected with Engine.IO error codes', async () => {
  const refused = async (path, code, options) => {
    const response = await server.fetch(path, options);
    assert.equal(response.status, 400, path);
    assert.equal((await response.json()).code, code, path);
  };
  await refused('/socket.io/?EIO=4&transport=pigeon', 0);
  await refused('/socket.io/?EIO=4', 0);
  await refused(`${PATH}&sid=nobody`, 1);
  await refused(`${PATH}&sid=nobody`, 1, { method: 'POST', body: '40' });
  await refused(PATH, 2, { method: 'POST', body: '40' });
  await refused(PATH, 2, { method: 'DELETE' });
  await refused('/socket.io/?EIO=4&transport=websocket', 3);
  await refused('/socket.io/?EIO=3&transport=polling', 5);
  await refused('/socket.io/', 5);
});

test('invalid requests close that session only', async () => {
  const { first, second } = await two(server, 'connect-four');
  const client = new Client(server);
  for (const body of [
    '',
    '9',
    '42{}',
    '42[7]',
    '4\x1e4',
    'bAAAA',
    '0{}',
    'x'.repeat(20_000),
    Buffer.from([0x34, 0xff]),
  ]) {
    const polling = await Polling.open(client);
    assert.equal(await polling.say('40'), 200);
    assert.match((await polling.waitFor())[0], /^40/);
    assert.equal((await polling.ask('POST', body)).status, 400, `${body}`);
    assert.equal(await polling.say('421["cancel-seek",{}]'), 400, `${body}`);
  }
  await play(first, second, '4 4');
});

test('two concurrent polls close the session', async () => {
  const polling = await Polling.open(new Client(server));
  await polling.say('40');
  await polling.waitFor();
  // The two travel on connections of their own: either can be the one that arrives first and is told that it is over.
  const answers = await Promise.all([polling.ask('GET'), polling.ask('GET')]);
  const [told, refused] = answers.sort((a, b) => a.status - b.status);
  assert.deepEqual([told.status, refused.status], [200, 400]);
  assert.equal(await told.text(), '1');
  assert.equal((await polling.ask('GET')).status, 400);
});

test('after an upgrade a session is reached by its WebSocket only', async () => {
  const client = new Client(server);
  const polling = await Polling.open(client);
  const socket = () => RawSocket.open(server, { ...client.headers, cookie: client.cookie }, polling.opening.sid);
  const upgraded = await socket();
  upgraded.say('2probe');
  await upgraded.until(() => upgraded.received.includes('3probe'), 'the answer to the probe');
  assert.equal((await socket()).status, 400, 'another one is taking over');
  assert.deepEqual(await polling.waitFor(), ['6']);
  upgraded.say('5');
  await upgraded.openNamespace();
  assert.equal((await polling.ask('GET')).status, 400);
  assert.equal(await polling.say('40'), 400);
  assert.equal((await socket()).status, 400);
  assert.equal((await upgraded.ask(1, 'cancel-seek', {})).ok, true, 'and that one goes on');
  upgraded.socket.destroy();
});

test('a cancelled poll closes the session, and its client loses nothing', async () => {
  const { table, first, second } = await two(server, 'connect-four');
  const client = new Client(server);
  const polling = await Polling.open(client);
  await polling.say('40', `421${JSON.stringify(['join', { table }])}`);
  await polling.waitFor();
  const cancelled = new AbortController();
  const waiting = client.server.fetch(polling.path, {
    headers: { ...client.headers, cookie: client.cookie },
    signal: cancelled.signal,
  });
  await first.move(1, '4');
  cancelled.abort();
  await waiting.then((response) => response.text()).catch(() => {});
  await second.move(2, '4');
  while ((await polling.ask('GET')).status === 200);
  const again = await client.connect({ transports: ['polling'] });
  const { missed } = await again.done('join', { table, seen: 2 });
  assert.deepEqual(
    missed.map(({ ply }) => ply),
    [1, 2],
  );
});

/// Waits until this many clients are connected.
async function connected(count) {
  const start = performance.now();
  for (;;) {
    const open = await server.metric('alinea_sockets');
    if (open === count) return;
    assert.ok(performance.now() - start < 30_000, `${open} are connected, not ${count}`);
  }
}

test('a client that closes or stops polling is removed', async () => {
  closeAll();
  await connected(0);
  const [polite, silent] = [await Polling.open(new Client(server)), await Polling.open(new Client(server))];
  for (const polling of [polite, silent]) assert.equal(await polling.say('40'), 200);
  await connected(2);
  assert.equal(await polite.say('1'), 200);
  await connected(1);
  await connected(0);
  assert.equal(await silent.say('3'), 400);
});

test('an idle polling client stays connected', async () => {
  const connection = await new Client(server).connect({ transports: ['polling'] });
  let isGone = false;
  connection.socket.once('disconnect', () => (isGone = true));
  // Longer than the ping timeout.
  await new Promise((done) => setTimeout(done, 17_000));
  await connection.done('cancel-seek');
  assert.ok(!isGone);
});

test('signing out closes polling sessions too', async () => {
  const client = await new Client(server).signUp(newName());
  const connection = await client.connect({ transports: ['polling'] });
  const gone = new Promise((done) => connection.socket.once('disconnect', done));
  await client.ask('DELETE', '/api/session');
  assert.equal(await within(gone, 'the end of the session'), 'io server disconnect');
});

// Hostile clients: other players' seats, malformed data, floods, foreign origins. Nothing breaks or changes, and other
// tables are unaffected.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Client, newName, play, two } from './client.js';
import { RawSocket } from './raw-socket.js';
import { Server } from './server.js';
import { serve } from './suite.js';

const server = await serve({ env: { RUST_LOG: 'debug' } });
after(() => {
  // Secrets are not logged.
  for (const secret of ['correct horse', 'alinea-session', 'alinea-guest', 'Bearer'])
    assert.ok(!server.log.includes(secret), secret);
});

test('no client can move for another player', async () => {
  const { table, first, second, clients } = await two(server, 'connect-four');
  await play(first, second, '4 4');
  const watcher = await new Client(server).at(table);
  const me = await clients[0].get('/api/me');
  for (const extra of [{}, { side: 'first' }, { who: me.id }, { id: me.id }, { seat: 0 }]) {
    const answer = await watcher.ask('make-move', { table, ply: 3, move: '4', ...extra });
    assert.ok(['not-seated', 'bad-message'].includes(answer.code), JSON.stringify(answer));
  }
  for (const command of ['resign', 'offer-draw', 'take-back', 'decline-draw', 'decline-take-back', 'rematch']) {
    await watcher.not('not-seated', command);
  }
  await watcher.not('not-seated', 'claim', { result: 'win' });
  await second.not('not-your-turn', 'make-move', { ply: 3, move: '4' });
  // A message replayed by another client has no effect.
  await watcher.not('not-seated', 'make-move', { ply: 1, move: '4' });
  const { moves, status } = await watcher.done('join', { table }).then(({ snapshot }) => snapshot);
  assert.deepEqual([moves.length, status], [2, 'playing']);
});

test('messages without an acknowledgement id, with extra arguments or binary data do no harm', async () => {
  const { table, first, second } = await two(server, 'connect-four');
  const connection = await new Client(server).connect();
  connection.socket.emit('make-move');
  connection.socket.emit('make-move', { table, ply: 1, move: '4' });
  connection.socket.emit('join', { table }, { table }, [1, 2, 3]);
  connection.socket.emit('chat', Buffer.from('bytes'));
  connection.socket.emit('join', { table: Buffer.alloc(100) });
  await connection.done('cancel-seek');
  await play(first, second, '4 4');
});

test('request bodies and paths are bounded', async () => {
  const client = new Client(server);
  await client.refused(413, 'too-large', 'POST', '/api/tables', `{"game":"${'x'.repeat(20_000)}"}`);
  await client.refused(413, 'too-large', 'GET', `/api/tables/${'x'.repeat(5000)}`);
  await client.refused(400, 'bad-message', 'POST', '/api/tables', '['.repeat(10_000));
  await client.refused(400, 'bad-message', 'POST', '/api/tables', 'nonsense');
  await client.refused(400, 'bad-message', 'POST', '/api/tables', '');
  await client.refused(404, 'not-found', 'GET', '/api/nothing');
  await client.refused(404, 'not-found', 'POST', '/api/tables/x/y/z', {});
  await client.refused(405, 'bad-message', 'DELETE', '/api/games');
  await client.refused(404, 'unknown-table', 'GET', '/api/tables/..%2f..%2fetc%2fpasswd');
  await client.refused(400, 'bad-message', 'GET', '/api/tables/%ff%fe');
});

test('foreign origins can neither read nor change anything', async () => {
  const client = await new Client(server).signUp(newName());
  const evil = { origin: 'https://evil.example' };
  for (const [method, path, body] of [
    ['POST', '/api/tables', { game: 'tic-tac-toe', opponent: { kind: 'here' } }],
    ['DELETE', '/api/session'],
    ['PUT', '/api/account/password', { old: 'correct horse', new: 'battery staple' }],
    ['POST', '/api/session', { name: client.name, password: 'correct horse' }],
    ['GET', '/socket.io/?EIO=4&transport=polling'],
    ['POST', '/socket.io/?EIO=4&transport=polling&sid=x', '40'],
  ]) {
    for (const headers of [evil, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }]) {
      const response = await client.fetch(method, path, body, headers);
      assert.equal(response.status, 403, `${method} ${path}`);
      assert.equal((await response.json()).code, 'foreign-origin');
    }
  }
  const upgrade = await RawSocket.open(server, { ...evil, cookie: client.cookie });
  assert.equal(upgrade.status, 403);
  upgrade.socket.destroy();
  const ours = await RawSocket.open(server, { origin: server.url, cookie: client.cookie });
  assert.equal(ours.status, 101);
  ours.socket.destroy();
  const own = await client.fetch('GET', '/socket.io/?EIO=4&transport=polling', undefined, { origin: server.url });
  assert.equal(own.status, 200);
  assert.equal((await client.get('/api/me')).account, true);
});

test('an option allows another origin', async () => {
  const open = await Server.start({ options: ['--origin', 'https://friend.example'] });
  const status = async (origin) => (await open.fetch('/api/tables', { method: 'POST', headers: { origin } })).status;
  assert.equal(await status('https://friend.example'), 400);
  assert.equal(await status('https://evil.example'), 403);
  await open.stop();
});

test('user text stays text, without control characters', async () => {
  const { table, first, second } = await two(server, 'connect-four');
  const words = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    'javascript:alert(1)',
    '"\'><svg/onload=alert(1)>',
    "{{constructor.constructor('alert(1)')()}}",
  ];
  for (const [i, text] of words.entries()) {
    await (i % 2 ? first : second).do('chat', { text });
    const told = await first.waitFor('table-event', ({ event }) => event.text === text);
    assert.equal(told.event.kind, 'chat');
  }
  const response = await new Client(server).fetch('GET', `/api/tables/${table}`);
  assert.match(response.headers.get('content-type'), /^application\/json/);
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  await second.do('chat', { text: `a\u202Eb\u0000c\u200Fd${'\u0301'.repeat(50)}` });
  const { event } = await first.waitFor('table-event', ({ event }) => event.text?.startsWith('a'));
  assert.ok(!/[\u0000-\u001f\u202a-\u202e\u200b-\u200f]/.test(event.text), JSON.stringify(event.text));
  assert.ok(event.text.length < 20, 'accents do not pile up');
});

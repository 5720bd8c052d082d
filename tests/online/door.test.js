// Who may use the server, and for how long: pages of other sites, slow clients, and more clients than there are places.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { Client, within } from './client.js';
import { serve } from './suite.js';

const PLACES = 5;
const FRIEND = 'https://friend.example';

const server = await serve({ options: ['--connections', `${PLACES}`, '--origin', FRIEND] });

/// A TCP connection that sends this text, and a promise of everything that is answered.
async function raw(text) {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(text);
  let answer = '';
  socket.on('data', (data) => (answer += data));
  return {
    socket,
    closed: within(
      once(socket, 'close').then(() => answer),
      'the end of a connection',
    ),
  };
}

const get = (path) => raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`).then(({ closed }) => closed);

test('a body that does not come ends its request', async () => {
  const { closed, socket } = await raw(
    'POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\nConnection: close\r\n\r\n{',
  );
  assert.match(await closed, /^HTTP\/1\.1 400 [^]*the body did not arrive in time/);
  socket.destroy();
});

test('who finds every place taken is told so at once, and whether the server is alive', async () => {
  const idle = await Promise.all(Array.from({ length: PLACES }, () => raw('')));
  assert.match(await get('/api/games'), /^HTTP\/1\.1 503 [^]*too many connections/);
  assert.match(await get('/api/health'), /^HTTP\/1\.1 200 [^]*"ok":true/);
  assert.match(server.log, /has 5 connections/);
  assert.equal(server.log.match(/are refused/g).length, 1, 'one line in the log');
  idle.forEach(({ socket }) => socket.destroy());
  await Promise.all(idle.map(({ closed }) => closed));
  let answer;
  do answer = await get('/api/games');
  while (answer.startsWith('HTTP/1.1 503'));
  assert.match(answer, /^HTTP\/1\.1 200/);
});

test('pages of other sites that the host allows may use HTTP, polling and WebSocket', async () => {
  const client = new Client(server, { origin: FRIEND, connection: 'close' });
  const preflight = await client.fetch('OPTIONS', '/api/tables', undefined, {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type,authorization',
  });
  assert.equal(preflight.status, 200);
  const allowed = (name) => preflight.headers.get(`access-control-allow-${name}`);
  assert.equal(allowed('origin'), FRIEND);
  assert.equal(allowed('credentials'), 'true');
  assert.match(allowed('methods'), /POST/);
  assert.match(allowed('headers'), /authorization/);
  const me = await client.fetch('GET', '/api/me');
  assert.equal(me.headers.get('access-control-allow-origin'), FRIEND);
  assert.match(me.headers.get('set-cookie'), /SameSite=None; Secure; Partitioned/);
  const { table } = await client.table('tic-tac-toe', 'here');
  for (const transport of ['polling', 'websocket']) {
    const connection = await client.at(table, { transports: [transport] });
    connection.close();
  }
  const poll = await client.fetch('GET', '/socket.io/?EIO=4&transport=polling');
  assert.equal(poll.headers.get('access-control-allow-origin'), FRIEND);
});

test('pages of other sites may not', async () => {
  const client = new Client(server, { origin: 'https://stranger.example', connection: 'close' });
  const preflight = await client.fetch('OPTIONS', '/api/tables', undefined, {
    'access-control-request-method': 'POST',
  });
  assert.equal(preflight.headers.get('access-control-allow-origin'), null);
  await client.refused(403, 'foreign-origin', 'POST', '/api/tables', {
    game: 'tic-tac-toe',
    opponent: { kind: 'here' },
  });
});

// Protocol violations: invalid frames, floods, clients that do not read. The server closes that connection, frees its
// memory, and other clients are unaffected.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { Client, closeAll, play, two, within } from './client.js';
import { RawSocket, frame, text } from './raw-socket.js';
import { Server, stopShared } from './server.js';

/// The target is one second; a busy machine gets more, but far less than the idle timeout of 15 s.
const SOON_MS = 5_000;

let server;
let unlimited;
before(async () => {
  server = await Server.start();
  unlimited = await Server.start({ options: ['--limits', '0'] });
});
after(async () => {
  closeAll();
  await Promise.all([server.stop(), unlimited.stop()]);
  await stopShared();
  for (const { log } of [server, unlimited]) assert.ok(!/panicked/.test(log), log);
});

/// Waits until a metric of the server matches.
async function waitForMetric(name, fits) {
  const start = performance.now();
  for (;;) {
    const value = await unlimited.metric(name);
    if (fits(value)) return;
    assert.ok(performance.now() - start < 30_000, `${name} stays ${value}`);
  }
}

const parts = (count) => Array.from({ length: count }, () => frame(0, Buffer.alloc(1024, 0x5b), { last: false }));
const BROKEN = {
  '64 MiB announced': frame(1, Buffer.alloc(64 << 10, 0x34), { length: 64 << 20 }),
  '64 MiB sent': frame(1, Buffer.alloc(64 << 20, 0x34)),
  'a message too long': frame(1, Buffer.alloc(20_000, 0x34)),
  'a message too long in parts': Buffer.concat([frame(1, Buffer.from('42'), { last: false }), ...parts(1024)]),
  'no UTF-8': frame(1, Buffer.from([0x34, 0xff, 0xfe])),
  'no mask': Buffer.from([0x81, 1, 0x32]),
  'no such opcode': frame(0xb, Buffer.from('x')),
  'a ping too long': frame(9, Buffer.alloc(200)),
  'no frame at all': Buffer.from('GET / HTTP/1.1\r\n\r\n'),
  'bytes that were not announced': frame(2, Buffer.alloc(100)),
  'no such packet': text('9 what is this'),
  'no such message': text('47nonsense'),
  'attachments without end': text('459999999-["x"]'),
  'an endless list': text(`42${'['.repeat(10_000)}`),
  'no name': text('42[7]'),
  'no list': text('42{}'),
  'an answer without a number': text('4399999999999999999999[1]'),
  'half a packet': text('4'),
  nothing: text(''),
  'a second opening': text('0{}'),
};
/// Odd but harmless: the connection may stay open.
const ODD = {
  'deep JSON': text(`427["chat",${'['.repeat(5_000)}${']'.repeat(5_000)}]`),
  'another namespace': text('40/admin,'),
  'an answer to nothing': text('4377[1]'),
  'a second hello': text('40'),
  'a number too long': text('4299999999999999999999["join",{}]'),
};

test('oversized, broken or unknown frames close that connection only', async () => {
  const { first, second } = await two(server, 'connect-four');
  const client = new Client(server);
  const before = server.memory();
  const times = {};
  for (const [what, bytes] of Object.entries(BROKEN)) {
    const raw = await RawSocket.connect(client);
    raw.write(bytes);
    times[what] = await raw.end(what);
  }
  const slow = Object.entries(times).filter(([, ms]) => ms > SOON_MS);
  assert.deepEqual(slow, []);
  const grown = server.memory() - before;
  assert.ok(grown <= 20, `${grown} MB more`);
  await play(first, second, '4 4');
});

test('odd packets do no harm', async () => {
  for (const [what, bytes] of Object.entries(ODD)) {
    const raw = await RawSocket.connect(new Client(server));
    raw.write(bytes);
    assert.equal((await raw.ask(1, 'cancel-seek', {}))?.ok, true, what);
    raw.socket.destroy();
  }
});

test('a flooding client is warned and then disconnected', async () => {
  const { first, second } = await two(server, 'connect-four');
  const before = server.memory();
  const raw = await RawSocket.connect(new Client(server));
  const flood = Array.from({ length: 10_000 }, (_, i) => text(`42${i}["cancel-seek",{}]`));
  raw.write(Buffer.concat(flood));
  assert.ok((await raw.timeToClose('who floods')) < SOON_MS);
  const [done, refused] = [true, false].map((ok) => raw.answers().filter((answer) => answer.ok === ok));
  assert.ok(done.length >= 1 && done.length <= 300, `${done.length} were done`);
  assert.ok(refused.every(({ code }) => code === 'too-fast'));
  assert.ok(server.memory() - before <= 20);
  // The same connection cannot be used again.
  await Promise.race([raw.openNamespace(), raw.closed]);
  assert.ok(
    raw.isClosed || raw.received.findLast((words) => /^4[04]/.test(words)).startsWith('44'),
    `${raw.received.slice(-3)}`,
  );
  raw.socket.destroy();
  await play(first, second, '4 4');
});

test('reconnecting to the namespace does not reset the rate limit', async () => {
  const raw = await RawSocket.connect(new Client(server));
  const start = performance.now();
  let sent = 0;
  for (let round = 0; round < 3 && !raw.isDisconnected; round += 1) {
    for (let i = 0; i < 120; i += 1) raw.emit(sent++, 'cancel-seek', {});
    const last = sent - 1;
    await Promise.race([
      raw.until(() => raw.isDisconnected || raw.answers().at(-1)?.id === last, 'the last answer'),
      raw.closed,
    ]);
    raw.say('41');
    await Promise.race([raw.openNamespace(), raw.closed]);
  }
  // A burst of a hundred plus twenty per second, plus timer tolerance.
  const allowed = 100 + 20 * (1 + (performance.now() - start) / 1_000);
  const done = raw.answers().filter(({ ok }) => ok).length;
  assert.ok(done <= allowed, `${done} of ${sent} were done`);
  raw.socket.destroy();
});

test('a client that disconnects during the handshake is not counted as connected', async () => {
  const client = new Client(unlimited);
  await client.get('/api/me');
  const enter = async (_, i) => {
    const raw = await RawSocket.open(unlimited, { ...client.headers, cookie: client.cookie });
    raw.say('40');
    if (i % 3 === 0) raw.say('41');
    if (i % 3 === 1) await new Promise(setImmediate);
    raw.socket.destroy();
  };
  for (let round = 0; round < 40; round += 1) await Promise.all(Array.from({ length: 50 }, enter));
  await waitForMetric('alinea_sockets', (open) => open === 0);
});

test('clients that do not read are disconnected without affecting others', async () => {
  const { table, first, second } = await two(unlimited, 'connect-four:20x20x16');
  const before = unlimited.memory();
  const client = new Client(unlimited);
  const slow = await Promise.all(Array.from({ length: 10 }, () => RawSocket.connect(client)));
  await waitForMetric('alinea_sockets', (open) => open === 2 + slow.length);
  for (const raw of slow) {
    raw.socket.pause();
    // More answers than all buffers can hold.
    for (let i = 0; i < 1_500; i += 1) raw.emit(i, 'join', { table, view: true });
  }
  for (let ply = 1; ply <= 100; ply += 1) await (ply % 2 ? first : second).move(ply, String(1 + (ply % 20)));
  await waitForMetric('alinea_sockets', (open) => open === 2);
  const grown = unlimited.memory() - before;
  assert.ok(grown <= 50, `${grown} MB more`);
  for (const raw of slow) raw.socket.resume();
  await Promise.all(slow.map((raw) => raw.timeToClose('who does not read')));
  slow.forEach((raw) => raw.socket.destroy());
  assert.equal((await first.done('join', { table })).snapshot.moves.length, 100);
});

test('answers over HTTP that are not read do not fill the memory', async () => {
  const moves = Array.from({ length: 480 }, (_, i) => 1 + (i % 60)).join(' ');
  const body = JSON.stringify({ game: 'connect-four:64x64x16', moves });
  const { hostname, port } = new URL(unlimited.url);
  const before = unlimited.memory();
  const ask = async () => {
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(
      `POST /api/position HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    // The answer has begun; the rest is not read.
    await within(once(socket, 'readable'), 'an answer');
    return socket;
  };
  const sockets = await Promise.all(Array.from({ length: 300 }, ask));
  const grown = unlimited.memory() - before;
  sockets.forEach((socket) => socket.destroy());
  assert.ok(grown <= 120, `${grown} MB more`);
});

test('a client that resumes reading gets all answers or is disconnected', async () => {
  const { table } = await two(unlimited, 'connect-four:20x20x16');
  const { first, second } = await two(unlimited, 'connect-four');
  const raw = await RawSocket.connect(new Client(unlimited));
  raw.socket.pause();
  const count = 3_000;
  for (let i = 0; i < count; i += 1) raw.emit(i, 'join', { table, view: true });
  await play(first, second, '1 2 1 2 2 1 2 1');
  raw.socket.resume();
  // Other messages may follow the last answer.
  const answer = (message) => message.startsWith('43');
  const all = raw.until(() => raw.received.findLast(answer)?.startsWith(`43${count - 1}[`), 'all answers');
  await Promise.any([raw.timeToClose('who did not read'), all]);
  const ids = raw.answers().map(({ id }) => id);
  assert.deepEqual(
    ids,
    ids.toSorted((a, b) => a - b),
  );
  if (ids.length < count) await raw.timeToClose('who did not get everything');
  raw.socket.destroy();
});

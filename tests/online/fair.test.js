// Thinking is shared: whatever one client or address does, programs and analyses of others go on.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from './client.js';
import { serve } from './suite.js';

const LARGE = 'connect-four:64x64x16';

const server = await serve({ options: ['--programs', '2'] });

/// A metric without labels, as Prometheus reads it.
async function metric(name) {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(text.match(new RegExp(`^${name} (\\S+)$`, 'm'))?.[1]);
}

test('two programs play only before spectators', async () => {
  const client = new Client(server);
  const { table } = await client.table('connect-four', { kind: 'demo', first: 'random', second: 'random' });
  assert.equal(await metric('alinea_thinking'), 0);
  assert.equal((await client.get(`/api/tables/${table}`)).moves.length, 0);
  const watching = await client.at(table);
  await watching.do('pace', { paused: false, delay_ms: 200 });
  const { ply } = await watching.waitFor('move-made');
  await watching.done('leave', { table });
  // A move that was being stored may still come; then there is no more, until there is a spectator again.
  const again = await client.at(table);
  await again.do('pace', { paused: false, delay_ms: 0 });
  await again.event('ended');
  assert.ok(ply < (await client.get(`/api/tables/${table}`)).moves.length);
});

test('a program answers however many others one address lets think', async () => {
  const greedy = new Client(server);
  const watching = [];
  for (let demo = 0; demo < 20; demo += 1) {
    const { table } = await greedy.table(LARGE, { kind: 'demo', first: 'engine:10s', second: 'engine:10s' });
    watching.push(await greedy.at(table));
  }
  const other = new Client(server);
  const { table } = await other.table('connect-four', { kind: 'program', name: 'level:3' });
  const game = await other.at(table);
  for (let ply = 1; ply < 6; ply += 2) {
    await game.move(ply, '4');
    await game.moveMade(ply + 1);
  }
  // Nor can a crowd of guests behind that address.
  for (let guest = 0; guest < 10; guest += 1) {
    const another = new Client(server, { 'x-forwarded-for': greedy.headers['x-forwarded-for'] });
    const { table } = await another.table(LARGE, { kind: 'program', name: 'engine:10s' }, { side: 'second' });
    watching.push(await another.at(table));
  }
  await game.move(7, '1');
  await game.moveMade(8);
  watching.forEach((connection) => connection.close());
});

test('analyses of one address do not keep others from theirs', async () => {
  const greedy = new Client(server);
  const connections = await Promise.all(Array.from({ length: 12 }, () => greedy.connect()));
  await Promise.all(connections.map((connection) => connection.done('analyse', { game: LARGE, moves: '' })));
  const other = new Client(server);
  for (let times = 0; times < 8; times += 1) {
    const { moves } = await other.post('/api/analysis', { game: 'connect-four', moves: '44', lines: 1, time_ms: 200 });
    assert.ok(moves.length);
  }
  connections.forEach((connection) => connection.close());
});

test('a client that asks for too many analyses at once is refused, and others behind its address are not', async () => {
  const greedy = new Client(server);
  const asked = { game: LARGE, lines: 1, time_ms: 2000 };
  await greedy.get('/api/me');
  const answers = await Promise.all(Array.from({ length: 12 }, () => greedy.fetch('POST', '/api/analysis', asked)));
  const statuses = answers.map(({ status }) => status);
  assert.ok(statuses.includes(503), `${statuses}`);
  assert.ok(statuses.filter((status) => status === 200).length >= 4, `${statuses}`);
  const beside = new Client(server, { 'x-forwarded-for': greedy.headers['x-forwarded-for'] });
  assert.equal((await beside.fetch('POST', '/api/analysis', { ...asked, time_ms: 100 })).status, 200);
});

test('a review of a long game on a large board ends when its time is used up', async () => {
  const client = new Client(server);
  const moves = Array.from({ length: 480 }, (_, i) => 1 + (i % 64)).join(' ');
  const response = await client.fetch('POST', '/api/review', { game: LARGE, moves });
  assert.equal(response.status, 200);
  const lines = (await response.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    lines.map(({ number }) => number),
    lines.map((_, index) => index + 1),
  );
  assert.ok(lines.length > 0 && lines.length <= 480);
});

test('four addresses with long searches do not keep a newcomer from a level', async () => {
  const watching = [];
  for (let address = 0; address < 4; address += 1) {
    const greedy = new Client(server);
    for (let game = 0; game < 4; game += 1) {
      const { table } = await greedy.table(LARGE, { kind: 'program', name: 'engine:10s' }, { side: 'second' });
      watching.push(await greedy.at(table));
    }
  }
  const other = new Client(server);
  const { table } = await other.table('connect-four', { kind: 'program', name: 'level:3' });
  const game = await other.at(table);
  for (let ply = 1; ply < 6; ply += 2) {
    await game.move(ply, '4');
    await game.moveMade(ply + 1);
  }
  watching.forEach((connection) => connection.close());
});

test('a preview is drawn once', async () => {
  const client = new Client(server);
  const path = '/api/picture.png?game=connect-four&moves=4+4+3';
  const pictures = await Promise.all(
    Array.from({ length: 8 }, async () => Buffer.from(await (await client.fetch('GET', path)).arrayBuffer())),
  );
  for (const picture of pictures) assert.ok(picture.equals(pictures[0]));
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const waited = Number(text.match(/^alinea_queue_seconds_count\{class="picture"\} (\d+)$/m)?.[1]);
  assert.ok(waited >= 1 && waited <= 8);
  await client.fetch('GET', path);
  const later = await (await fetch(`${server.url}/metrics`)).text();
  assert.equal(Number(later.match(/^alinea_queue_seconds_count\{class="picture"\} (\d+)$/m)?.[1]), waited);
});

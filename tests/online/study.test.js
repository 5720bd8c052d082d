// Inspecting and analysing positions without a table.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from './client.js';
import { serve } from './suite.js';

const server = await serve();
const client = new Client(server);

test('a game is replayed move by move', async () => {
  const walk = await client.post('/api/position', { game: 'connect-four', moves: '4455667' });
  assert.deepEqual([walk.game, walk.moves, walk.plies.length], ['connect-four:6x7x4', 7, 8]);
  assert.deepEqual(
    walk.plies.map(({ move }) => move),
    [undefined, '4', '4', '5', '5', '6', '6', '7'],
  );
  const last = walk.plies[7];
  assert.deepEqual([last.position, last.view.outcome, last.legal], ['7/7/7/7/3ooo1/3xxxx b', 'first', []]);
  assert.deepEqual(last.view.line, ['d1', 'e1', 'f1', 'g1']);
  assert.equal(walk.plies[0].legal.length, 7);
  const rest = await client.post('/api/position', { game: 'connect-four', moves: '4455667', from: 6 });
  assert.deepEqual(rest.plies, walk.plies.slice(6));
});

test('all games and positions can be replayed; large boards are paginated', async () => {
  for (const [game, moves] of [
    ['tic-tac-toe', 'b2 a1'],
    ['simplexity', '4r 4s'],
    ['chess-five', 'Q@d K@a'],
  ]) {
    assert.equal((await client.post('/api/position', { game, moves })).plies.length, 3);
  }
  const start = await client.post('/api/position', { game: 'tic-tac-toe', position: 'xo1/1x1/3 b' });
  assert.equal(start.plies[0].view.turn, 'second');
  const moves = Array.from({ length: 200 }, (_, i) => 1 + (i % 64)).join(' ');
  const large = await client.post('/api/position', { game: 'connect-four:64x64x16', moves });
  assert.equal(large.moves, 200);
  assert.ok(large.plies.length < 200);
  const next = await client.post('/api/position', { game: 'connect-four:64x64x16', moves, from: large.plies.length });
  assert.equal(next.plies[0].ply, large.plies.length);
});

test('invalid requests are rejected with a message', async () => {
  for (const [status, code, asked] of [
    [404, 'unknown-game', { game: 'ludo' }],
    [400, 'bad-message', { game: 'connect-four', position: 'nonsense' }],
    [422, 'illegal-move', { game: 'connect-four', moves: '9' }],
    [422, 'illegal-move', { game: 'connect-four', moves: '44556677' }],
    [400, 'bad-message', { game: 'connect-four', moves: '4', from: 2 }],
    [400, 'bad-message', { game: 'connect-four', moves: ['4'] }],
  ])
    await client.refused(status, code, 'POST', '/api/position', asked);
  for (const wrong of [{ lines: 0 }, { lines: 6 }, { time_ms: 0 }, { time_ms: 2001 }, { time_ms: -1 }]) {
    await client.refused(400, 'bad-message', 'POST', '/api/analysis', { game: 'connect-four', ...wrong });
  }
});

test('an assessment has every move with its proven result, and reasons', async () => {
  const assessment = await client.post('/api/analysis', {
    game: 'connect-four',
    moves: '445566',
    lines: 2,
    time_ms: 1,
  });
  assert.deepEqual([assessment.ply, assessment.final, assessment.done, assessment.moves.length], [6, true, true, 7]);
  assert.deepEqual(
    assessment.moves
      .slice(0, 2)
      .map(({ move }) => move)
      .sort(),
    ['3', '7'],
  );
  for (const { verdict } of assessment.moves.slice(0, 2))
    assert.deepEqual(verdict, { kind: 'proven', result: 'win', plies: 1 });
  assert.ok(
    assessment.moves.slice(2).every(({ verdict }) => verdict.result === 'win' && verdict.plies === 3),
    JSON.stringify(assessment),
  );
  assert.ok(assessment.reasons.length > 0);
  const empty = await client.post('/api/analysis', { game: 'connect-four' });
  assert.deepEqual([empty.moves[0].move, empty.moves[0].verdict], ['4', { kind: 'proven', result: 'win', plies: 41 }]);
  for (const game of ['simplexity', 'chess-five', 'connect-four:8x9x5']) {
    const estimated = await client.post('/api/analysis', { game, lines: 3, time_ms: 200 });
    assert.ok(estimated.moves.length >= 1 && estimated.moves.length <= 3, `${game} ${JSON.stringify(estimated)}`);
    assert.ok(
      estimated.moves.every(({ verdict }) => verdict.kind === 'estimate'),
      `${game} ${JSON.stringify(estimated)}`,
    );
    assert.ok(estimated.reasons.length > 0 && !estimated.final, `${game} ${JSON.stringify(estimated)}`);
  }
  const over = await client.post('/api/analysis', { game: 'connect-four', moves: '4455667' });
  assert.deepEqual([over.moves, over.reasons, over.final], [[], [], true]);
});

test('a review streams every move, and marks exactly those that change a proven result', async () => {
  const response = await fetch(`${server.url}/api/review`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ game: 'tic-tac-toe', moves: 'a1 b2 b1 a3 c1' }),
  });
  assert.equal(response.headers.get('content-type'), 'application/x-ndjson');
  const moves = (await response.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    moves.map(({ number, mark }) => [number, mark]),
    [
      [1, undefined],
      [2, undefined],
      [3, undefined],
      [4, 'throws-draw'],
      [5, undefined],
    ],
  );
  assert.deepEqual(moves[3].best.verdict.result, 'draw');
});

test('an analysis over the socket runs until stopped', async () => {
  const connection = await client.connect();
  await connection.done('analyse', { game: 'simplexity', moves: '4r', lines: 2 });
  const assessment = await connection.waitFor('assessment', ({ depth }) => depth >= 3);
  assert.deepEqual([assessment.table, assessment.ply, assessment.moves.length], [undefined, 1, 2]);
  await connection.done('stop-analysis');
  await connection.refused('illegal-move', 'analyse', { game: 'simplexity', moves: '9r' });
  await connection.refused('unknown-game', 'analyse', { game: 'ludo' });
});

// A player disconnects: the seat is kept, the opponent is told, and after the grace period may claim the game.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { play, two } from './client.js';
import { serve } from './suite.js';

const server = await serve({ options: ['--limits', '100', '--grace', '0.3'] });

/// Claims as soon as it is allowed.
async function claim(connection, result) {
  for (;;) {
    const answer = await connection.ask('claim', { table: connection.table, result });
    if (answer.code !== 'too-early') return answer;
  }
}

test('a disconnected player can lose the game after the grace period', async () => {
  const { table, first, second } = await two(server, 'connect-four');
  await play(first, second, '4 4');
  await first.waitFor('presence', ({ here }) => here[0] && here[1]);
  await first.not('too-early', 'claim', { result: 'win' });
  second.close();
  const gone = await first.waitFor('presence', ({ here }) => here[0] && !here[1]);
  assert.equal(gone.table, table);
  assert.ok(gone.claim_ms[1] <= 300 && gone.claim_ms[0] === null, JSON.stringify(gone));
  assert.equal((await claim(first, 'win')).ok, true);
  const { winner, reason } = await first.event('ended');
  assert.deepEqual([winner, reason], ['first', 'abandoned']);
});

test('a draw can be claimed as well', async () => {
  const { first, second } = await two(server, 'connect-four');
  await play(first, second, '4 4');
  first.close();
  assert.equal((await claim(second, 'draw')).ok, true);
  assert.equal((await second.event('ended')).winner, null);
});

test('a returning player keeps the seat', async () => {
  const { table, first, second, clients } = await two(server, 'connect-four');
  await play(first, second, '4 4');
  second.close();
  await first.waitFor('presence', ({ here }) => !here[1]);
  const back = await clients[1].at(table);
  assert.deepEqual(back.snapshot.you, ['second']);
  const seen = first.log.received.length;
  await first.waitFor('presence', ({ here }) => here[1]);
  assert.ok(seen > 0);
  await first.not('too-early', 'claim', { result: 'win' });
  await play(first, back, '4 4', 3);
});

test('two windows of one user count as one', async () => {
  const { table, first, second, clients } = await two(server, 'connect-four');
  await play(first, second, '4 4');
  const window = await clients[1].at(table);
  second.close();
  await window.not('not-your-turn', 'make-move', { ply: 3, move: '4' });
  await first.not('too-early', 'claim', { result: 'win' });
  await first.move(3, '4');
  await window.move(4, '4');
});

// Commands that a client sends without waiting are executed in order.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, within } from './client.js';
import { serve } from './suite.js';

const server = await serve({ options: ['--limits', '0'] });

const PLIES = 1_000;

/// An endless sequence of moves: two columns at a time in alternating patterns, so that no line of sixteen arises.
function wholeGame() {
  const moves = [];
  for (let pair = 0; moves.length < PLIES; pair += 1) {
    const [a, b] = [String(1 + 2 * pair), String(2 + 2 * pair)];
    for (let row = 0; row < 64; row += 2) moves.push(...(pair % 2 ? [a, b, b, a] : [a, a, b, b]));
  }
  return moves.slice(0, PLIES);
}

test('a whole game sent at once is played in order', async () => {
  const client = new Client(server);
  const { table } = await client.table('connect-four:64x64x16', 'here');
  const connection = await client.at(table);
  const answers = await Promise.all(
    wholeGame().map((move, i) => connection.ask('make-move', { table, ply: i + 1, move })),
  );
  const refused = answers.findIndex(({ ok }) => !ok);
  assert.equal(refused, -1, `move ${refused + 1}: ${JSON.stringify(answers[refused])}`);
  assert.deepEqual(
    answers.map(({ ply }) => ply),
    answers.map((_, i) => i + 1),
  );
  await connection.moveMade(PLIES);
  const versions = connection.versions(table);
  assert.deepEqual(
    versions,
    versions.map((_, i) => versions[0] + i),
  );
});

test('20,000 messages sent at once are answered in order', async () => {
  const client = new Client(server);
  const { table } = await client.table('tic-tac-toe', 'here');
  const connection = await client.at(table);
  const count = 20_000;
  const order = [];
  const answered = new Promise((done) => {
    for (let number = 0; number < count; number += 1) {
      // Rejected by the table itself, one by one.
      connection.socket.emit('make-move', { table, ply: number + 2, move: 'b2' }, ({ code }) => {
        if (order.push([number, code]) === count) done();
      });
    }
  });
  const ended = connection
    .waitFor('disconnect')
    .then((reason) => assert.fail(`${reason} after ${order.length} answers`));
  await within(Promise.race([answered, ended]), 'all answers').catch((error) =>
    assert.fail(`${error.message}: ${order.length} came`),
  );
  const wrong = order.find(([number, code], at) => number !== at || code !== 'future-ply');
  assert.equal(wrong, undefined);
});

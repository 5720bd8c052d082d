// Clocks: the server flags a player who runs out of time, even while no client is connected.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, play, two } from './client.js';
import { serve } from './suite.js';

const server = await serve({ options: ['--limits', '100'] });

const short = { kind: 'game', initial_ms: 1000, increment_ms: 0 };

test('clocks start with the second move of each side, and the server flags by itself', async () => {
  const { first, second } = await two(server, 'connect-four', { clock: short });
  await first.move(1, '4');
  assert.equal((await first.moveMade(1)).clocks.running, undefined);
  await second.move(2, '4');
  const made = await second.moveMade(2);
  assert.equal(made.clocks.running, 'first');
  assert.equal(made.clocks.left_ms[1], 1000);
  assert.ok(made.clocks.left_ms[0] <= 1000);
  for (const connection of [first, second]) {
    const { winner, reason } = await connection.event('ended');
    assert.deepEqual([winner, reason], ['second', 'time']);
  }
  await first.not('game-over', 'make-move', { ply: 3, move: '4' });
});

test('used time is deducted and the increment added', async () => {
  const clock = { kind: 'game', initial_ms: 60_000, increment_ms: 5_000 };
  const { first, second } = await two(server, 'connect-four', { clock });
  await play(first, second, '4 4 4 4');
  const [left] = [(await first.moveMade(4)).clocks.left_ms];
  for (const ms of left) assert.ok(ms <= 65_000 && ms > 35_000, `${left}`);
  assert.ok((await first.moveMade(3)).clocks.left_ms[0] <= 65_000);
});

test('a clock per move restarts with every move', async () => {
  const clock = { kind: 'move', ms: 30_000 };
  const { first, second } = await two(server, 'connect-four', { clock });
  await play(first, second, '4 4 4 4');
  const [running, waiting] = (await first.moveMade(4)).clocks.left_ms;
  assert.equal(waiting, 30_000);
  assert.ok(running <= 30_000);
});

test('a forged lag report gains no time', async () => {
  const { table, first, second } = await two(server, 'connect-four', {
    clock: { kind: 'game', initial_ms: 600_000, increment_ms: 0 },
  });
  await play(first, second, '4 4');
  const huge = Number.MAX_SAFE_INTEGER;
  await first.do('make-move', { ply: 3, move: '4', lag_ms: huge });
  assert.ok((await first.moveMade(3)).clocks.left_ms[0] <= 600_000);
  await second.refused('bad-message', 'make-move', { table, ply: 4, move: '4', lag_ms: -1 });
});

test('the time charged is the time that passed, and no clock grows', async () => {
  const [initial_ms, increment_ms] = [60_000, 500];
  const { table, first, second } = await two(server, 'connect-four', {
    clock: { kind: 'game', initial_ms, increment_ms },
  });
  const game = '1 2 1 2 2 1 2 1 1 2 1 2 3 4 3 4 4 3 4 3 3 4 3 4 5 6 5 6 6 5'.split(' ');
  const plies = game.length;
  let [begun, ended] = [];
  for (let ply = 1; ply <= plies; ply += 1) {
    await (ply % 2 ? first : second).do('make-move', { ply, move: game[ply - 1], lag_ms: 0 });
    // Two moves are free; then one side thinks, or neither for long.
    if (ply === 2) begun = performance.now();
    if (ply % 10 === 0) await new Promise((thought) => setTimeout(thought, 200));
    ended = performance.now();
  }
  const { moves } = (await first.done('join', { table })).snapshot;
  assert.equal(moves.length, plies);
  let used = 0;
  for (const [i, { at, left_ms }] of moves.entries()) {
    if (i < 2) continue;
    const side = i % 2;
    const own = moves[i - 1].left_ms[side] + increment_ms - left_ms[side];
    assert.ok(own >= 0, `move ${i + 1} won time: ${JSON.stringify(moves.slice(i - 1, i + 1))}`);
    assert.ok(
      Math.abs(own - (at - moves[i - 1].at)) <= 50,
      `move ${i + 1} took ${at - moves[i - 1].at} ms and cost ${own} ms`,
    );
    assert.equal(left_ms[1 - side], moves[i - 1].left_ms[1 - side], 'the clock of the side that waits stands');
    used += own;
  }
  assert.ok(Math.abs(used - (moves.at(-1).at - moves[1].at)) <= 50);
  // Measured here, so it includes the round trip.
  assert.ok(Math.abs(used - (ended - begun)) <= 1_000, `${used} ms used, ${ended - begun} ms passed`);
});

test('a move after the flag is not acknowledged', async () => {
  // The server waits up to a second for a move that was made in time and is still in transit. These were late.
  const late = async (ms) => {
    const { table, first, second } = await two(server, 'connect-four', {
      clock: { kind: 'game', initial_ms: 1_000, increment_ms: 10_000 },
    });
    await play(first, second, '4 4');
    await new Promise((over) => setTimeout(over, ms));
    const answer = await first.ask('make-move', { table, ply: 3, move: '4', lag_ms: 0 });
    const { moves, result } = await new Client(server).get(`/api/tables/${table}`);
    assert.deepEqual([moves.length, result?.reason, answer.ok], [2, 'time', false], JSON.stringify(answer));
    // Nor when it is repeated.
    assert.equal((await first.ask('make-move', { table, ply: 3, move: '4', lag_ms: 0 })).code, 'game-over');
  };
  await Promise.all([1_050, 1_200, 1_400, 1_900, 2_500].map(late));
});

test('the server flags even if no client is connected', async () => {
  const { table, first, second } = await two(server, 'connect-four', { clock: short });
  await play(first, second, '4 4');
  first.close();
  second.close();
  const witness = await new Client(server).at(table);
  const reason = witness.snapshot.result?.reason ?? (await witness.event('ended')).reason;
  assert.equal(reason, 'time');
});

test('correspondence clocks count days', async () => {
  const { first, second } = await two(server, 'chess-five', { clock: { kind: 'correspondence', days: 3 } });
  await play(first, second, 'Q@d Q@e');
  const [first_ms, second_ms] = (await first.moveMade(2)).clocks.left_ms;
  assert.equal(second_ms, 259_200_000);
  assert.ok(first_ms <= second_ms && first_ms > 259_000_000, `${first_ms}`);
});

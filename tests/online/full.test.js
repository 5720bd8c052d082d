// Writing fails: a full disk or a read-only database. Nothing is acknowledged, stored data stays readable, and play
// continues when writing works again.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { Client, play, two } from './client.js';
import { onPostgres, sql } from './server.js';
import { serve } from './suite.js';

const server = await serve({ options: ['--limits', '100'] });

/// Allows or blocks writing from now on.
async function writable(can) {
  if (onPostgres) {
    const { url } = server.database;
    const name = new URL(url).pathname.slice(1);
    await sql(url, `ALTER DATABASE ${name} SET default_transaction_read_only = ${can ? 'off' : 'on'}`);
    await sql(
      url,
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
  } else {
    await promisify(execFile)('prlimit', [`--fsize=${can ? 'unlimited' : '4096:'}`, '--pid', String(server.child.pid)]);
  }
}

test('while nothing can be stored nothing is acknowledged, and afterwards the game continues', async () => {
  const clock = { kind: 'game', initial_ms: 60_000, increment_ms: 0 };
  const { table, first, second } = await two(server, 'connect-four', { clock });
  const other = await two(server, 'tic-tac-toe');
  await play(first, second, '4 4');
  await writable(false);
  const from = Date.now();
  await first.not('unavailable', 'make-move', { ply: 3, move: '4' });
  await second.not('unavailable', 'chat', { text: 'hello?' });
  await other.first.not('unavailable', 'resign');
  const client = new Client(server);
  assert.equal(
    (await client.fetch('POST', '/api/tables', { game: 'tic-tac-toe', opponent: { kind: 'here' } })).status,
    503,
  );
  assert.equal(
    (await client.fetch('POST', '/api/account', { name: 'somebody', password: 'correct horse' })).status,
    503,
  );
  // It can still be read, and no client received an event that was not stored.
  assert.equal((await client.get('/api/health')).ok, true);
  assert.ok(!second.log.received.some(({ name, data }) => name === 'move-made' && data.ply > 2));
  // Longer than the grace for moves in transit, had the clocks kept running.
  await new Promise((later) => setTimeout(later, 3_000));
  await first.not('unavailable', 'make-move', { ply: 3, move: '4' });
  const away = Date.now() - from;
  await writable(true);
  let answer;
  do answer = await first.ask('make-move', { table, ply: 3, move: '4' });
  while (answer.code === 'unavailable');
  assert.equal(answer.ply, 3, JSON.stringify(answer));
  await second.moveMade(3);
  await play(first, second, '3 4 3 4', 4);
  const { moves, chat } = (await second.done('join', { table })).snapshot;
  assert.deepEqual([moves.map(({ move }) => move), chat], [['4', '4', '4', '3', '4', '3', '4'], []]);
  const [before, after] = [moves[1], moves[2]];
  const cost = before.left_ms[0] - after.left_ms[0];
  assert.ok(
    cost <= after.at - before.at - away + 1_500,
    `${cost} ms for ${after.at - before.at} ms, of which ${away} ms nobody could move`,
  );
  await play(other.first, other.second, 'b2 a1');
});

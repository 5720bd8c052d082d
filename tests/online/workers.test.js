// Servers that think nothing themselves: workers on the same PostgreSQL take programs' moves, analyses and reviews.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Client, closeAll } from './client.js';
import { Server, newDatabase, onPostgres, programs, run, sql, stopShared } from './server.js';

const only = { skip: onPostgres ? false : 'workers need PostgreSQL; the other run has it' };
let database;
let servers;
const workers = new Set();

async function startWorker() {
  const child = spawn(join(programs, 'alinea'), ['worker', ...database.args, '--programs', '2'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.closed = once(child, 'close');
  workers.add(child);
  await once(child.stdout, 'data');
  return child;
}

/// Ends a worker that may be gone; resolves with its exit code.
async function end(worker, signal) {
  workers.delete(worker);
  worker.kill(signal);
  return (await worker.closed)[0];
}

before(async () => {
  if (!onPostgres) return;
  database = await newDatabase();
  servers = await Promise.all(
    [0, 1].map(() => Server.start({ database, options: ['--programs', '0', '--limits', '100'] })),
  );
});
after(async () => {
  closeAll();
  await Promise.all([...workers].map((worker) => end(worker, 'SIGKILL')));
  await Promise.all((servers ?? []).map((server) => server.stop()));
  await stopShared();
});

/// Waits until a worker thinks about something.
async function taken() {
  for (;;) {
    if ((await sql(database.url, 'SELECT COUNT(*) FROM jobs WHERE worker IS NOT NULL')) !== '0') return;
  }
}

test('two servers and three workers: programs move, positions are assessed, games are reviewed', only, async () => {
  const three = await Promise.all([1, 2, 3].map(startWorker));
  const games = await Promise.all(
    servers.flatMap((server) =>
      ['tic-tac-toe', 'connect-four', 'simplexity'].map(async (game) => {
        const client = new Client(server);
        const { table } = await client.table(game, { kind: 'program', name: 'level:2' });
        const player = await client.at(table);
        for (let ply = 1; ply <= 4; ply += 2) {
          const { legal } = await client.get(`/api/tables/${table}`);
          await player.move(ply, legal[0].move);
          await player.moveMade(ply + 1);
        }
        return (await client.get(`/api/tables/${table}`)).moves.length;
      }),
    ),
  );
  assert.deepEqual(games, [4, 4, 4, 4, 4, 4]);
  for (const server of servers) {
    const client = new Client(server);
    const assessment = await client.post('/api/analysis', {
      game: 'connect-four',
      moves: '4 4',
      lines: 1,
      time_ms: 300,
    });
    assert.deepEqual([assessment.done, assessment.moves[0].move], [true, '4']);
    const review = await fetch(`${server.url}/api/review`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ game: 'tic-tac-toe', moves: 'a1 b2 c3 a3' }),
    });
    const lines = (await review.text())
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      lines.map(({ number }) => number),
      [1, 2, 3, 4],
    );
  }
  assert.equal(await sql(database.url, 'SELECT COUNT(*) FROM jobs'), '0');
  // A worker that is told to stop does so at once.
  for (const worker of three) assert.equal(await end(worker, 'SIGTERM'), 0);
});

for (const [how, signal] of [
  ['killed', 'SIGKILL'],
  ['frozen', 'SIGSTOP'],
]) {
  test(`a worker ${how} in the middle costs no move`, only, async () => {
    const client = new Client(servers[0]);
    const first = await startWorker();
    const { table } = await client.table('connect-four:8x9x5', { kind: 'program', name: 'engine:3s' });
    const player = await client.at(table);
    await player.move(1, '4');
    await taken();
    first.kill(signal);
    const second = await startWorker();
    await player.moveMade(2);
    await player.move(3, '4');
    await taken();
    // What the first one still has to say about ply 2 changes nothing.
    first.kill('SIGCONT');
    await player.moveMade(4);
    const { moves } = await client.get(`/api/tables/${table}`);
    assert.equal(moves.length, 4);
    assert.deepEqual(
      player.versions(table),
      player.versions(table).map((_, i) => player.versions(table)[0] + i),
    );
    await Promise.all([end(first, 'SIGKILL'), end(second, 'SIGKILL')]);
  });
}

test('a job whose server is gone is not thought about', only, async () => {
  const worker = await startWorker();
  const server = await Server.start({ database, options: ['--programs', '0'] });
  const analysis = new Client(server)
    .post('/api/analysis', { game: 'connect-four:16x16x8', moves: '', lines: 1, time_ms: 2000 })
    .catch(() => {});
  await taken();
  await server.kill();
  await analysis;
  while ((await sql(database.url, 'SELECT COUNT(*) FROM jobs')) !== '0');
  await end(worker, 'SIGTERM');
});

test('what cannot work is refused in one sentence', async () => {
  for (const [args, sentence] of [
    [['serve', '--programs', '0', '--data', ':memory:'], /--programs 0 leaves all searches to workers/],
    [['worker'], /needs the PostgreSQL database of its servers/],
    [['worker', '--database-url', 'postgres://alinea@127.0.0.1:1/none'], /cannot open the database/],
  ]) {
    const { code, stderr } = await run(...args);
    assert.equal(code, 2, stderr);
    assert.match(stderr, sentence);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
  }
});

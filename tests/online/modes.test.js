// Every mode is a table: on one screen, against programs, program against program, by link, by code, by quick pairing,
// by challenge.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, newName, play } from './client.js';
import { serve } from './suite.js';

const server = await serve({ options: ['--limits', '100'] });

test('two people on one screen play both sides', async () => {
  const client = new Client(server);
  const { table } = await client.table('tic-tac-toe', 'here');
  const connection = await client.at(table);
  assert.deepEqual(connection.snapshot.you, ['first', 'second']);
  await play(connection, connection, 'b2 a1 b3 b1 a3 c3 c1');
  const { winner, reason } = await connection.event('ended');
  assert.deepEqual([winner, reason], ['first', 'rules']);
});

test('a person plays against a program of every game', async () => {
  for (const [game, program, move] of [
    ['tic-tac-toe', 'oxo', 'b2'],
    ['connect-four:8x9x5', 'smart:3', '5'],
    ['simplexity', 'oizys:2', '4r'],
    ['chess-five', 'chess-five:easy', 'Q@d'],
  ]) {
    const client = new Client(server);
    const { table } = await client.table(game, { kind: 'program', name: program });
    const connection = await client.at(table);
    assert.deepEqual(connection.snapshot.you, ['first']);
    await connection.move(1, move);
    const answer = await connection.moveMade(2);
    assert.equal(answer.side, 'second');
    assert.ok(Array.isArray(answer.thought.reasons), `${game}: ${JSON.stringify(answer)}`);
    await connection.do('resign');
    assert.equal((await connection.event('ended')).winner, 'second');
  }
});

test('a program moves first if the person takes the second side', async () => {
  const client = new Client(server);
  const { table } = await client.table('connect-four', { kind: 'program', name: 'random' }, { side: 'second' });
  const connection = await client.at(table);
  const { side } = connection.snapshot.moves[0] ? { side: 'first' } : await connection.moveMade(1);
  assert.equal(side, 'first');
  await connection.move(2, '4');
  await connection.moveMade(3);
});

test('takebacks against a program are free if enabled', async () => {
  const client = new Client(server);
  const { table } = await client.table('connect-four', { kind: 'program', name: 'greedy' }, { take_back: true });
  const connection = await client.at(table);
  await connection.move(1, '4');
  await connection.moveMade(2);
  await connection.do('take-back');
  assert.equal((await connection.event('taken-back')).ply, 0);
  await connection.move(1, '3');
  const strict = await client.table('connect-four', { kind: 'program', name: 'greedy' });
  const other = await client.at(strict.table);
  await other.move(1, '4');
  await other.not('not-allowed', 'take-back');
});

test('a game between programs follows the pace and steps of its spectator', async () => {
  const client = new Client(server);
  const demo = { kind: 'demo', first: 'random', second: 'greedy' };
  const { table } = await client.table('connect-four', demo);
  const connection = await client.at(table);
  await connection.do('pace', { paused: true, delay_ms: 0 });
  await connection.event('paced', (event) => event.paused);
  // One move may have been in progress.
  const before = (await client.get(`/api/tables/${table}`)).moves.length;
  await connection.do('step');
  const made = await connection.waitFor('move-made', ({ ply }) => ply > before);
  assert.ok(made.ply <= before + 2);
  const stranger = await new Client(server).at(table);
  await stranger.not('not-seated', 'pace', { paused: false, delay_ms: 0 });
  await stranger.not('not-seated', 'step');
  await connection.do('pace', { paused: false, delay_ms: 0 });
  await connection.not('not-allowed', 'step');
  const { reason } = await connection.event('ended');
  assert.equal(reason, 'rules');
  // A spectator sees the same.
  await stranger.event('ended');
  await connection.not('game-over', 'pace', { paused: true, delay_ms: 0 });
});

test("a link gives the second visitor the open seat and the third a spectator's view", async () => {
  const [ann, ben, cat] = [new Client(server), new Client(server), new Client(server)];
  const { table } = await ann.table('connect-four', 'link', { side: 'second' });
  assert.match(table, /^[0-9a-f]{32}$/, 'it cannot be guessed');
  const first = await ann.at(table);
  assert.equal(first.snapshot.status, 'open');
  await first.not('not-started', 'make-move', { ply: 1, move: '4' });
  const second = await ben.at(table);
  await second.do('sit');
  await first.event('seated', ({ side }) => side === 'first');
  await second.do('sit'); // Idempotent.
  const third = await cat.at(table);
  await third.not('seat-taken', 'sit');
  await play(second, first, '4 4');
  assert.equal((await third.moveMade(2)).side, 'second');
});

test('a code finds its table while a seat is open', async () => {
  const [ann, ben] = [new Client(server), new Client(server)];
  const { table, code } = await ann.table('tic-tac-toe', 'link');
  assert.match(code, /^[A-HJ-NP-Z2-9]{6}$/, 'without letters and digits that look alike');
  assert.deepEqual((await ben.get(`/api/codes/${code.toLowerCase()}`)).table, table);
  const connection = await ben.at(table);
  await connection.do('sit');
  await ben.refused(404, 'not-found', 'GET', `/api/codes/${code}`);
});

test('quick pairing matches equal wishes', async () => {
  const [ann, ben, cat] = await Promise.all([0, 1, 2].map(() => new Client(server).connect()));
  const clock = { kind: 'game', initial_ms: 60_000, increment_ms: 0 };
  await cat.done('seek', { game: 'connect-four', clock });
  await ann.done('seek', { game: 'tic-tac-toe', clock });
  await ben.done('seek', { game: 'tic-tac-toe', clock });
  const [one, two] = await Promise.all([ann.waitFor('paired'), ben.waitFor('paired')]);
  assert.equal(one.table, two.table);
  const joined = await Promise.all([ann, ben].map((connection) => connection.done('join', { table: one.table })));
  const sides = joined.map(({ snapshot }) => snapshot.you).flat();
  assert.deepEqual(sides.sort(), ['first', 'second']);
  assert.deepEqual(joined[0].snapshot.settings.clock, clock);
  // A cancelled seek is not paired.
  await cat.done('cancel-seek');
  const dan = await new Client(server).connect();
  await dan.done('seek', { game: 'connect-four', clock });
  const eve = await new Client(server).connect();
  await eve.done('seek', { game: 'connect-four', clock });
  await Promise.all([dan.waitFor('paired'), eve.waitFor('paired')]);
  assert.ok(!cat.log.received.some(({ name }) => name === 'paired'));
});

test('a challenge is for one user', async () => {
  const [ann, ben, cat] = [new Client(server), new Client(server), new Client(server)];
  await ben.signUp(newName());
  await ann.refused(404, 'not-found', 'POST', '/api/tables', {
    game: 'tic-tac-toe',
    opponent: { kind: 'challenge', name: 'nobody-here' },
  });
  const { table } = await ann.table('tic-tac-toe', { kind: 'challenge', name: ben.name });
  await (await cat.at(table)).not('seat-taken', 'sit');
  const connection = await ben.at(table);
  await connection.do('sit');
  await play(await ann.at(table), connection, 'b2 a1');
});

test('a game starts at a given position on a board of any size', async () => {
  const client = new Client(server);
  const { table } = await client.table('connect-four:4x5x3', 'here', { position: '5/5/5/2x2 b' });
  const connection = await client.at(table);
  assert.equal(connection.snapshot.view.turn, 'second');
  assert.equal(connection.snapshot.legal.length, 5);
  await play(connection, connection, '1 3');
  for (const [status, code, wrong] of [
    [404, 'unknown-game', { game: 'ludo' }],
    [404, 'unknown-game', { game: 'connect-four:99x99' }],
    [400, 'bad-message', { position: 'nonsense' }],
    [400, 'bad-message', { clock: { kind: 'game', initial_ms: 1, increment_ms: 0 } }],
    [400, 'bad-message', { opponent: { kind: 'nobody' } }],
    [404, 'unknown-player', { opponent: { kind: 'program', name: 'smart:99' } }],
    [400, 'bad-message', { colour: 'blue' }],
    [401, 'sign-in-first', { rated: true, opponent: { kind: 'link' } }],
  ]) {
    await client.refused(status, code, 'POST', '/api/tables', {
      game: 'connect-four',
      opponent: { kind: 'here' },
      ...wrong,
    });
  }
});

test("a program's thoughts are sent to clients that subscribe", async () => {
  const client = new Client(server);
  const { table } = await client.table('simplexity', 'here');
  const connection = await client.at(table);
  await connection.do('think', { on: true });
  const assessment = await connection.waitFor(
    'assessment',
    (assessment) => assessment.table === table && assessment.done,
  );
  assert.ok(assessment.moves[0].line.length > 0 && assessment.depth > 0 && assessment.reasons.length > 0);
  await connection.do('think', { on: false });
});

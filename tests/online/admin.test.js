// Operators manage accounts and tables of a server that runs.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Client, closeAll, newName, play, two } from './client.js';
import { run, Server, stopShared } from './server.js';

const folder = mkdtempSync(join(tmpdir(), 'alinea-admin-'));
let server;
before(async () => {
  server = await Server.start();
});
after(async () => {
  closeAll();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
  await stopShared();
});

async function admin(...args) {
  const { code, stdout, stderr } = await run('admin', ...server.database.args, ...args);
  assert.deepEqual([code, stderr], [0, ''], args.join(' '));
  return stdout;
}

async function refused(sentence, ...args) {
  const { code, stdout, stderr } = await run('admin', ...args);
  assert.deepEqual([code, stdout], [2, ''], stderr);
  assert.match(stderr, sentence);
  assert.equal(stderr.trim().split('\n').length, 1, stderr);
}

test('a banned account is signed out and stays out until the ban is lifted', async () => {
  const name = newName();
  const ann = await new Client(server).signUp(name);
  assert.equal((await ann.get('/api/me')).account, true);
  assert.match(await admin('ban', name), /is banned/);
  assert.equal((await ann.get('/api/me')).account, false);
  await new Client(server).refused(403, 'not-allowed', 'POST', '/api/session', { name, password: 'correct horse' });
  assert.match(await admin('accounts', name), new RegExp(`^${name}\t\\d{4}-\\d\\d-\\d\\d\t-\t0 games banned\n$`));
  await admin('unban', name);
  await new Client(server).post('/api/session', { name, password: 'correct horse' });
});

test('a forgotten password is replaced', async () => {
  const name = newName();
  const ann = await new Client(server).signUp(name);
  const [, password] = /is (\w+)\n$/.exec(await admin('reset-password', name));
  assert.equal((await ann.get('/api/me')).account, false);
  await new Client(server).refused(401, 'wrong-password', 'POST', '/api/session', { name, password: 'correct horse' });
  await new Client(server).post('/api/session', { name, password });
});

test('results are voided and restored, with all that followed', async () => {
  const clock = { kind: 'game', initial_ms: 60_000, increment_ms: 0 };
  const [cheat, ann, bob] = await Promise.all([0, 1, 2].map(() => new Client(server).signUp(newName())));
  const beat = async (winner, loser) => {
    const { table } = await winner.table('tic-tac-toe', 'link', { rated: true, clock });
    const [first, second] = [await winner.at(table), await loser.at(table)];
    await second.do('sit');
    await play(first, second, 'b2 a1 b3 b1 a3 c3 c1');
    return table;
  };
  const rating = async ({ name }) => (await new Client(server).get(`/api/players/${name}`)).ratings[0]?.rating;
  const fraud = await beat(cheat, ann);
  const honest = await beat(bob, ann);
  const before = await Promise.all([cheat, ann, bob].map(rating));
  const listed = await admin('results', '--account', cheat.name);
  assert.match(listed, new RegExp(`^${fraud}\t[-0-9]+\ttic-tac-toe fast\t${cheat.name} – ${ann.name}\t1-0\n$`));
  assert.equal(await admin('void-results', '--account', cheat.name), '1 results voided; 2 results applied again\n');
  const after = await Promise.all([cheat, ann, bob].map(rating));
  assert.equal(after[0], undefined);
  assert.ok(after[1] > before[1] && after[2] > before[2], JSON.stringify([before, after]));
  assert.ok(Math.abs(after[1] + after[2] - 3000) < 1e-6);
  const log = await ann.get(`/api/tables/${fraud}`);
  assert.deepEqual([log.status, log.moves.length], ['ended', 7]);
  assert.match(await admin('results', '--table', fraud), /\tvoided [-0-9]+\n$/);
  await admin('restore-results', '--table', fraud);
  assert.deepEqual(await Promise.all([cheat, ann, bob].map(rating)), before);
  assert.match(await admin('results', '--account', bob.name), new RegExp(`^${honest}`));
  await refused(/--table, --account or --tournament/, ...server.database.args, 'void-results');
  await refused(/no rated result/, ...server.database.args, 'void-results', '--table', 'none');
  await refused(/there is no account none/, ...server.database.args, 'results', '--account', 'none');
});

test('a deleted account leaves its games without its name', async () => {
  const [name, other] = [newName(), newName()];
  const [ann, bob] = [await new Client(server).signUp(name), await new Client(server).signUp(other)];
  const tables = [];
  for (const moves of ['a1 b1 a2 b2 a3', 'a1 b2']) {
    const { table } = await ann.table('tic-tac-toe', 'link', { listed: true, side: 'first' });
    const [first, second] = [await ann.at(table), await bob.at(table)];
    await second.do('sit');
    await play(first, second, moves);
    await first.do('chat', { text: 'my address is' });
    tables.push(table);
  }
  const { id } = await ann.post('/api/tournaments', {
    name: 'Club',
    game: 'tic-tac-toe',
    format: { kind: 'round-robin' },
  });
  for (const player of [ann, bob]) await player.post(`/api/tournaments/${id}`, { enter: {} });
  await refused(/--yes/, ...server.database.args, 'delete-account', name);
  assert.match(await admin('delete-account', name, '--yes'), /removed from 2 games/);
  await bob.refused(404, 'not-found', 'GET', `/api/players/${name}`);
  assert.equal((await ann.get('/api/me')).account, false);
  const { tables: games } = await bob.get(`/api/players/${other}/games`);
  assert.deepEqual(
    games.map(({ status, seats }) => [status, seats[0].name, seats[1].name]),
    [
      ['ended', 'deleted', other],
      ['ended', 'deleted', other],
    ],
  );
  // A server forgets what it has in memory when no one looks.
  let club;
  // Each look is another client's, so that none asks too often.
  do club = await new Client(server).get(`/api/tournaments/${id}`);
  while (club.people.organiser.name === name);
  assert.deepEqual(
    club.standings.map(({ occupant }) => occupant.name),
    ['deleted', other],
  );
  // Nothing of it is left in the database.
  const file = join(folder, 'backup');
  assert.equal((await run('backup', file, ...server.database.args)).code, 0);
  const all = readFileSync(file, 'utf8');
  assert.ok(all.includes(tables[0]) && all.includes(other));
  assert.ok(!all.includes(`"${name}"`) && !all.includes(`\\"${name}\\"`) && !all.includes('my address'));
  await new Client(server).signUp(name);
});

test('a table is ended, and deleted', async () => {
  const { table, first, second } = await two(server, 'tic-tac-toe');
  await first.move(1, 'b2');
  assert.match(await admin('end-table', table), /is over/);
  assert.match(await admin('end-table', table), /was already over/);
  await second.refused('game-over', 'make-move', { table, ply: 2, move: 'a1' });
  assert.match(await admin('tables'), new RegExp(`^${table}\t.*\tended\ttic-tac-toe`, 'm'));
  await refused(/--yes/, ...server.database.args, 'delete-table', table);
  assert.match(await admin('delete-table', table, '--yes'), /is deleted/);
  assert.doesNotMatch(await admin('tables'), new RegExp(table));
});

test('statistics tell how much there is, and mistakes are told in one sentence', async () => {
  assert.match(
    await admin('stats'),
    /^\d+ accounts, \d+ of bots, \d+ banned\n\d+ sessions\n\d+ open tables, .*\n\d+ events\n\d+ reports to be settled\n$/,
  );
  for (const command of [['ban'], ['unban'], ['reset-password'], ['delete-account', '--yes']]) {
    await refused(/there is no account unknown-name/, ...server.database.args, ...command, 'unknown-name');
  }
  await refused(/there is no table/, ...server.database.args, 'end-table', '0123');
  await refused(/there is no table/, ...server.database.args, 'delete-table', '0123', '--yes');
  await refused(/there is no database/, '--data', '/nowhere/alinea.db', 'stats');
});

test('a report reaches the operator, who settles it', async () => {
  const [ann, bob] = [await new Client(server).signUp(newName()), await new Client(server).signUp(newName())];
  const { table } = await ann.table('tic-tac-toe', 'link', { side: 'first' });
  await (await bob.at(table)).do('sit');
  const report = (side, text) => ({ table, side, reason: 'abuse', text });
  await ann.post('/api/reports', report('second', 'first words'));
  await ann.post('/api/reports', report('second', 'insults\nin the chat'));
  await ann.refused(403, 'not-allowed', 'POST', '/api/reports', report('first', ''));
  await ann.refused(404, 'not-found', 'POST', '/api/reports', { ...report('second', ''), table: 'nowhere' });
  await ann.refused(400, 'bad-message', 'POST', '/api/reports', report('second', 'x'.repeat(501)));
  const [line, ...others] = (await admin('reports'))
    .trim()
    .split('\n')
    .filter((line) => line.includes(table));
  assert.deepEqual(others, []);
  const [id, , ...fields] = line.split('\t');
  assert.deepEqual(fields, ['abuse', bob.name, ann.name, table, 'insults in the chat']);
  await admin('settle-report', id, 'warned');
  assert.ok(!(await admin('reports')).includes(id));
  assert.match(await admin('reports', '--all'), /settled \d{4}-\d\d-\d\d: warned\n/);
  await refused(/there is no report x/, ...server.database.args, 'settle-report', 'x', 'warned');
  // What is known of a deleted account goes with it.
  await admin('delete-account', bob.name, '--yes');
  assert.ok(!(await admin('reports', '--all')).includes(id));
});

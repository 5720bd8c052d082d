// A backup holds everything, is taken while the server runs, and fits the other database, too.

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Client, closeAll, newName, play } from './client.js';
import { newDatabase, onPostgres, run, Server, stopShared } from './server.js';

const folder = mkdtempSync(join(tmpdir(), 'alinea-backup-'));
const running = [];
after(async () => {
  closeAll();
  await Promise.all(running.map((server) => server.stop()));
  rmSync(folder, { recursive: true, force: true });
  await stopShared();
});

async function start(options) {
  const server = await Server.start(options);
  running.push(server);
  return server;
}

async function fails(args, sentence) {
  const { code, stdout, stderr } = await run(...args);
  assert.notEqual(code, 0, args.join(' '));
  assert.equal(stdout, '');
  assert.match(stderr, sentence);
  assert.equal(stderr.trim().split('\n').length, 1, stderr);
}

test('a server is restored from a backup, in either database', async () => {
  const server = await start();
  const ada = new Client(server);
  const name = newName();
  await ada.signUp(name);
  const { table } = await ada.table('tic-tac-toe', 'link');
  const [first, second] = [await ada.at(table), await new Client(server).at(table)];
  await second.do('sit');
  await play(first, second, 'a1 b2 c3');
  const game = await (await ada.fetch('GET', `/api/tables/${table}/game`)).text();

  const file = join(folder, 'alinea.backup');
  const { code, stdout, stderr } = await run('backup', file, ...server.database.args);
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /^\d+ rows in /);
  assert.equal(statSync(file).mode & 0o777, 0o600, 'only its owner can read it');
  await fails(['backup', file, ...server.database.args], /already exists/);
  await fails(['restore', file, ...server.database.args], onPostgres ? /not empty/ : /another server is using/);
  assert.equal(await (await ada.fetch('GET', `/api/tables/${table}/game`)).text(), game, 'it still runs');

  const sqlite = { args: ['--data', join(folder, 'restored.db')] };
  const again = await newDatabase();
  const second_file = join(folder, 'again.backup');
  for (const args of [
    ['restore', file, ...sqlite.args],
    ['backup', second_file, ...sqlite.args],
    ['restore', second_file, ...again.args],
  ]) {
    const done = await run(...args);
    assert.deepEqual([done.code, done.stderr], [0, ''], args.join(' '));
  }
  for (const database of [sqlite, again]) {
    const restored = await start({ database });
    const visitor = new Client(restored);
    visitor.cookies = new Map(ada.cookies);
    assert.equal((await visitor.get('/api/me')).name, name, 'signed in as before');
    assert.equal(await (await visitor.fetch('GET', `/api/tables/${table}/game`)).text(), game);
    const here = await visitor.at(table);
    await here.refused('not-your-turn', 'make-move', { table, ply: 4, move: 'a2' });
    await new Client(restored).refused(409, 'name-taken', 'POST', '/api/account', { name, password: 'correct horse' });
  }
  await again.end();
});

test('what is no whole backup restores nothing', async () => {
  const database = await newDatabase();
  const server = await start({ database });
  await new Client(server).signUp(newName());
  const file = join(folder, 'whole.backup');
  assert.equal((await run('backup', file, ...database.args)).code, 0);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const [into, broken] = [['--data', join(folder, 'none.db')], join(folder, 'broken.backup')];
  const restoring = async (text, sentence) => {
    writeFileSync(broken, text);
    await fails(['restore', broken, ...into], sentence);
  };
  await restoring('', /not a backup/);
  await restoring('hello\n', /line 1: this is not a backup/);
  await restoring(lines.slice(0, -1).join('\n'), /not complete/);
  await restoring(lines.with(0, '{"alinea":"backup","schema":99}').join('\n'), /newer version/);
  await restoring(lines.toSpliced(2, 1).join('\n'), /rows are missing/);
  await restoring(lines.toSpliced(2, 0, '[1,2]').join('\n'), /line 3: the row does not match/);
  await restoring(
    lines.toSpliced(1, 0, '{"table":"sqlite_master","columns":["sql"]}').join('\n'),
    /line 2: unknown table/,
  );
  truncateSync(file, statSync(file).size - 9);
  await fails(['restore', file, ...into], /line \d+: /);
  await fails(['restore', join(folder, 'nowhere'), ...into], /nowhere: No such file/);
  await fails(
    ['backup', join(folder, 'x'), '--data', join(folder, 'nowhere.db')],
    /cannot back up .*nowhere\.db: the file can/,
  );
  assert.ok(
    !existsSync(join(folder, 'x')) && !existsSync(join(folder, 'x.part')) && !existsSync(join(folder, 'nowhere.db')),
  );
  // Nothing of all that is there.
  writeFileSync(broken, lines.join('\n'));
  assert.equal((await run('restore', broken, ...into)).code, 0);
});

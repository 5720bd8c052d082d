// The program on a system: line mode and full screen, data sets, matches against bad engines, a server with SQLite and one
// with PostgreSQL, backup and restore.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Client, closeAll, play } from '../online/client.js';
import {
  Lives,
  Postgres,
  Server,
  Terminal,
  faulty,
  isMac,
  isWindows,
  isWine,
  newFolder,
  output,
  path,
  run,
  start,
} from './program.js';

const { folder, remove } = newFolder();
const inFolder = (name) => path(join(folder, name));
let lives;
/// What this build has, as the doctor names it.
let features;
before(async () => {
  lives = await Lives.start();
  const { found } = (await doctor()).find(({ name }) => name === 'version');
  features = found.match(/; with ([^;]+)/)?.[1].split(', ') ?? [];
});
after(() => {
  closeAll();
  lives.end();
  remove();
});

const doctor = async () =>
  (await output(['doctor', '--json', '--data', inFolder('none.db')])).trim().split('\n').map(JSON.parse);

test('the doctor names what is missing on this system', async () => {
  const { ok, found } = (await doctor()).find(({ name }) => name === 'system');
  assert.equal(ok, true);
  assert.match(found, isWindows ? /^windows on / : isMac ? /^macos on / : /^linux on /);
  assert.equal(found.includes('core affinity'), isWindows || isMac, found);
});

test('line mode reads the line ends of any system, and draws with Unicode', async () => {
  for (const end of ['\n', '\r\n']) {
    const args = ['play', 'tic-tac-toe', '--first', 'human', '--second', 'human', '--lang', 'en', '--plain'];
    const text = await output(args, { input: ['a1', 'b1', 'a2', 'b2', 'a3', ''].join(end) });
    assert.match(text, /───┼/);
    assert.match(text, /X won/);
  }
});

test('games are kept in the data folder', async () => {
  const { code, stdout, stderr } = await run(['games', 'list'], { env: { ALINEA_DATA: inFolder('data') } });
  if (features.includes('full-screen')) assert.deepEqual([code, stdout, stderr], [0, '', '']);
  else assert.match(stderr, /built without the full screen/);
});

/// tmux is no program of Windows. Under Wine it is the one of this system.
const noTerminal = isWindows && !isWine && 'no program to test terminals with';

test('a game full screen', { skip: noTerminal }, async (t) => {
  if (!features.includes('full-screen')) return t.skip('built without the full screen');
  const args = ['play', 'tic-tac-toe', '--first', 'human', '--second', 'human', '--lang', 'en', '--no-animation'];
  const terminal = new Terminal(args, { ALINEA_DATA: inFolder('screen') });
  // The console of Wine shows escape sequences instead of obeying them. There only keys and their effect are tested.
  const shows = (pattern) => isWine || terminal.shows(pattern);
  try {
    await terminal.shows(isWine ? /▀/ : /No moves yet/);
    for (const [i, move] of ['a1', 'b1', 'a2', 'b2', 'a3'].entries()) {
      terminal.press('/', ...move, 'Enter');
      await shows(new RegExp(`${Math.floor(i / 2) + 1}\\..*${move}`));
    }
    await shows(/X won/);
    while (!existsSync(join(folder, 'screen/games/000001.txt'))) await new Promise((done) => setTimeout(done, 20));
    terminal.press('q');
    await shows(/Enter Choose/);
    terminal.press('q');
    await terminal.shows(/ended:0:/);
  } finally {
    terminal.end();
  }
  const kept = await output(['games', 'show', '1'], { env: { ALINEA_DATA: inFolder('screen') } });
  assert.match(kept, /1\. a1 b1 2\. a2 b2 3\. a3 1-0/);
});

test('a data set with Parquet', async () => {
  const out = join(folder, 'set');
  const args = ['dataset', 'make', 'tic-tac-toe', '--random', '--plies', '3-5', '--count', '20', '--seed', '1'];
  const made = await run([...args, '--parquet', '--out', path(out)]);
  if (!features.includes('parquet')) {
    assert.equal(made.code, 2);
    assert.match(made.stderr, /built without Parquet; leave --parquet out/);
    return;
  }
  assert.equal(made.code, 0, made.stderr);
  for (const file of ['games.parquet', 'positions.parquet']) {
    const bytes = readFileSync(join(out, file));
    assert.equal(bytes.subarray(0, 4).toString() + bytes.subarray(-4).toString(), 'PAR1PAR1');
  }
  assert.ok(!readFileSync(join(out, 'positions.jsonl'), 'utf8').includes('\r'), 'lines end with LF');
  await output(['dataset', 'verify', path(out)]);
});

const LONG = 'movetime_ms=600000,timeout_ms=60000';
const SHORT = 'movetime_ms=100,timeout_ms=60000';

/// Plays against a bad engine; returns the reasons for which it has lost.
async function faults(kind, limits, more = []) {
  const args = ['match', 'greedy', `Bad=${faulty(kind, lives.port)}`, 'connect-four', '--pairs', '1', '--json'];
  const report = JSON.parse(await output([...args, '--limits-of', `Bad:${limits}`, ...more]));
  return report.games.map(({ forfeit }) => JSON.stringify(forfeit));
}

for (const [kind, limits, reason] of [
  ['hang', SHORT, /ignores_?stop|no_?answer|stop/i],
  ['flood', LONG, /flood|more than/i],
  ['exit', LONG, /exit code 0/],
  ['crash', LONG, /exit code 7/],
  ['abort', LONG, /crash/i],
  ['orphan', LONG, /exit code 0/],
  ['nonsense', LONG, /nonsense/],
  ['memory', `${LONG},memory_mb=150`, /memory/i],
  ['busy', `${LONG},cpu_s=1`, /CPU time limit exceeded|killed .signal 9./],
]) {
  const skip = kind === 'busy' && isWine && 'Wine does not measure the CPU time of other processes';
  test(`a ${kind} engine loses with its reason, and no process remains`, { skip }, async () => {
    const reasons = await faults(kind, limits);
    assert.equal(reasons.length, 2);
    for (const text of reasons) assert.match(text, reason);
    assert.ok(lives.seen.has(kind));
    await lives.are();
  });
}

test('the orphan has lived', () => assert.ok(lives.seen.has('child')));

test('engines and their children end when the arena is killed, and the tournament resumes', async () => {
  const args = ['match', 'greedy', `Bad=${faulty('parent', lives.port)}`, 'connect-four', '--pairs', '1'];
  args.push('--limits-of', `Bad:${LONG}`, '--out', inFolder('killed'));
  const arena = start(args);
  const closed = once(arena, 'close');
  await lives.are('child', 'parent');
  const other = await run(args);
  assert.equal(other.code, 2, other.stderr);
  assert.match(other.stderr, /another run uses the journal/);
  arena.kill('SIGKILL');
  await closed;
  await lives.are();
  const again = start(args);
  const ended = once(again, 'close');
  await lives.are('child', 'parent');
  again.kill('SIGKILL');
  await ended;
  await lives.are();
});

test('affinity is refused by name where the system has none', { skip: !isWindows && !isMac }, async () => {
  const { code, stderr } = await run(['match', 'greedy', 'random', 'connect-four', '--pairs', '1', '--affinity']);
  assert.equal(code, 2);
  assert.match(stderr, /affinity is not available on this system/);
});

test('a match writes its reports', async () => {
  const args = ['match', 'greedy', 'random', 'connect-four', '--pairs', '2', '--seed', '1', '--out', inFolder('match')];
  await output(args);
  const files = readdirSync(join(folder, 'match'));
  for (const file of ['games.txt', 'journal.jsonl', 'report.html', 'report.json', 'report.md'])
    assert.ok(files.includes(file), `${file}: ${files}`);
  assert.ok(!readFileSync(join(folder, 'match/report.md'), 'utf8').includes('\r'), 'lines end with LF');
});

/// Plays a game over HTTP alone, as a script does.
async function overHttp(server) {
  const [first, second] = [new Client(server), new Client(server)];
  const { table } = await first.table('tic-tac-toe', 'link');
  await second.post(`/api/tables/${table}/sit`);
  for (const [i, move] of ['a1', 'b1', 'a2', 'b2', 'a3'].entries())
    await (i % 2 ? second : first).post(`/api/tables/${table}/make-move`, { ply: i + 1, move });
  const { status, result } = await second.get(`/api/tables/${table}`);
  assert.deepEqual([status, result.winner], ['ended', 'first']);
}

test('a server keeps games in SQLite, also when it is killed; backup and restore', async () => {
  const data = inFolder('server.db');
  let server = await Server.start('--data', data);
  const ada = new Client(server);
  await ada.signUp('ada');
  const { table } = await ada.table('tic-tac-toe', 'link');
  const [first, second] = [await ada.at(table), await new Client(server).at(table)];
  await second.do('sit');
  await play(first, second, 'a1 b2 c3');
  const game = async (client) => (await client.fetch('GET', `/api/tables/${table}/game`)).text();
  const played = await game(ada);
  assert.match(played, /a1 b2/);

  const refused = await run(['serve', '--listen', '127.0.0.1:0', '--data', data]);
  assert.notEqual(refused.code, 0);
  assert.match(refused.stderr, /another server is using/);

  const backup = inFolder('alinea.backup');
  assert.match(await output(['backup', backup, '--data', data]), /^\d+ rows in /);
  assert.ok(existsSync(join(folder, 'alinea.backup')));
  closeAll();
  await server.kill();

  server = await Server.start('--data', data);
  ada.server = server;
  assert.equal(await game(ada), played);
  await server.kill();

  const restored = inFolder('restored.db');
  assert.match(await output(['restore', backup, '--data', restored]), /^\d+ rows from /);
  server = await Server.start('--data', restored);
  ada.server = server;
  assert.equal(await game(ada), played);
  const { name } = await ada.get('/api/me');
  assert.equal(name, 'ada');

  // A program is the opponent: the server thinks, too.
  const { table: other } = await ada.table('connect-four', { kind: 'program', name: 'level:1' });
  const alone = await ada.at(other);
  await alone.move(1, '4');
  await alone.moveMade(2);
  await overHttp(server);
  closeAll();
  await server.kill();
  assert.ok(!/panicked/.test(server.log), server.log);
});

test('a server serves the page of a folder', async () => {
  mkdirSync(join(folder, 'page/assets'), { recursive: true });
  writeFileSync(join(folder, 'page/index.html'), '<!doctype html><title>ção</title>');
  writeFileSync(join(folder, 'page/assets/a.js'), 'a();');
  const server = await Server.start('--data', inFolder('page.db'), '--page', inFolder('page'));
  const get = async (name) => {
    const response = await fetch(server.url + name);
    return [response.status, response.headers.get('content-type').split(';')[0], await response.text()];
  };
  assert.deepEqual(await get('/'), [200, 'text/html', '<!doctype html><title>ção</title>']);
  assert.deepEqual(await get('/assets/a.js'), [200, 'text/javascript', 'a();']);
  await server.kill();
});

test('Ctrl-C stops a server', { skip: noTerminal }, async () => {
  const terminal = new Terminal(['serve', '--listen', '127.0.0.1:0', '--data', inFolder('stopped.db')]);
  try {
    await terminal.shows(/listening on http/);
    terminal.press('C-c');
    await terminal.shows(/ended:0:/);
  } finally {
    terminal.end();
  }
});

const noPostgres = !process.env.ALINEA_TESTKIT && 'ALINEA_TESTKIT names no program to start PostgreSQL with';

test('a server keeps games in PostgreSQL', { skip: noPostgres }, async () => {
  const postgres = await Postgres.start();
  try {
    if (!features.includes('postgres')) {
      const { code, stderr } = await run(['serve', '--listen', '127.0.0.1:0', '--database-url', postgres.url]);
      assert.equal(code, 2);
      assert.match(stderr, /built without PostgreSQL/);
      return;
    }
    let server = await Server.start('--database-url', postgres.url);
    const ada = new Client(server);
    await ada.signUp('ada');
    const { table } = await ada.table('tic-tac-toe', 'link');
    const [first, second] = [await ada.at(table), await new Client(server).at(table)];
    await second.do('sit');
    await play(first, second, 'a1 b2 c3');
    await overHttp(server);
    closeAll();
    await server.kill();

    server = await Server.start('--database-url', postgres.url);
    ada.server = server;
    assert.match(await (await ada.fetch('GET', `/api/tables/${table}/game`)).text(), /a1 b2/);
    await server.kill();
  } finally {
    closeAll();
    await postgres.end();
  }
});

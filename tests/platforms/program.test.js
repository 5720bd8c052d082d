// The program on a system: line mode, matches against bad engines, a server with SQLite, backup and restore.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Client, closeAll, play } from '../online/client.js';
import { Lives, Server, faulty, isMac, isWindows, newFolder, output, path, run, start } from './program.js';

const { folder, remove } = newFolder();
const inFolder = (name) => path(join(folder, name));
let lives;
before(async () => (lives = await Lives.start()));
after(() => {
  closeAll();
  lives.end();
  remove();
});

test('the doctor names what is missing on this system', async () => {
  const checks = (await output(['doctor', '--json', '--data', inFolder('none.db')])).trim().split('\n').map(JSON.parse);
  const { ok, found } = checks.find(({ name }) => name === 'system');
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

test('games are kept in the data folder', async (t) => {
  const { code, stdout, stderr } = await run(['games', 'list'], { env: { ALINEA_DATA: inFolder('data') } });
  if (/built without the full screen/.test(stderr)) return t.skip('this build keeps no games');
  assert.deepEqual([code, stdout, stderr], [0, '', '']);
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
  test(`a ${kind} engine loses with its reason, and no process remains`, async () => {
    const reasons = await faults(kind, limits);
    assert.equal(reasons.length, 2);
    for (const text of reasons) assert.match(text, reason);
    assert.ok(lives.seen.has(kind));
    await lives.are();
  });
}

test('the orphan has lived', () => assert.ok(lives.seen.has('child')));

test('engines end when the arena is killed, and the tournament resumes', async () => {
  const args = ['match', 'greedy', `Bad=${faulty('hang', lives.port)}`, 'connect-four', '--pairs', '1'];
  args.push('--limits-of', `Bad:${LONG}`, '--out', inFolder('killed'));
  const arena = start(args);
  const closed = once(arena, 'close');
  await lives.are('hang');
  const other = await run(args);
  assert.equal(other.code, 2, other.stderr);
  assert.match(other.stderr, /another run uses the journal/);
  arena.kill('SIGKILL');
  await closed;
  await lives.are();
  const again = start(args);
  const ended = once(again, 'close');
  await lives.are('hang');
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

test('a server keeps games in SQLite, also when it is killed; backup and restore', async () => {
  const data = inFolder('server.db');
  let server = await Server.start(data);
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

  server = await Server.start(data);
  ada.server = server;
  assert.equal(await game(ada), played);
  await server.kill();

  const restored = inFolder('restored.db');
  assert.match(await output(['restore', backup, '--data', restored]), /^\d+ rows from /);
  server = await Server.start(restored);
  ada.server = server;
  assert.equal(await game(ada), played);
  const { name } = await ada.get('/api/me');
  assert.equal(name, 'ada');

  // A program is the opponent: the server thinks, too.
  const { table: other } = await ada.table('connect-four', { kind: 'program', name: 'level:1' });
  const alone = await ada.at(other);
  await alone.move(1, '4');
  await alone.moveMade(2);
  closeAll();
  await server.kill();
  assert.ok(!/panicked/.test(server.log), server.log);
});

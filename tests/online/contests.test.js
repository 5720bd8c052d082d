// Tournaments of programs whose games are played by workers on the same PostgreSQL, some of which fail in the middle.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Server, newDatabase, onPostgres, programs, run, sql, stopShared } from './server.js';

const only = { skip: onPostgres ? false : 'workers need PostgreSQL; the other run has it' };
const folder = mkdtempSync(join(tmpdir(), 'alinea-contests-'));
const children = new Set();
let database;

/// Starts the program; `said` is all that it has said, `closed` its exit code.
function start(...args) {
  const child = spawn(join(programs, 'alinea'), args, { stdio: ['ignore', 'pipe', 'pipe'] });
  child.said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (child.said += data));
  children.add(child);
  child.closed = once(child, 'close').then(([code]) => (children.delete(child), code));
  return child;
}

async function startWorker(places = '1', options = ['--engines']) {
  const child = start('worker', ...database.args, '--programs', places, ...options);
  await once(child.stdout, 'data');
  return child;
}

/// Writes a tournament; returns where the results of one of its runs are, and the arguments for that run.
function tournament(name, text) {
  const file = join(folder, `${name}.toml`);
  writeFileSync(file, text);
  const results = (run) => join(folder, `${name}-${run}`);
  return { results, by: (run) => ['tournament', file, '--out', results(run)] };
}

const number = async (words) => Number(await sql(database.url, `SELECT COUNT(*) FROM ${words}`));

/// Waits until something is so; a program that ends meanwhile is the failure of the test.
async function until(isSo, running) {
  while (!(await isSo())) assert.ok(children.has(running), running.said);
}

/// The results without times, which depend on the machine, and without the line breaks that depend on their length.
const results = (path) =>
  ['results.pgn', 'games.txt'].map((file) =>
    readFileSync(join(path, file), 'utf8')
      .replace(/\s+/g, ' ')
      .replace(/,? (?:own=|tl=)?\d+\.\d+s|, nps=\d+/g, ''),
  );
const journal = (path) =>
  readFileSync(join(path, 'journal.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line));
const slots = (path) =>
  journal(path)
    .map(({ round, pairing, pair, game }) => `${round}.${pairing}.${pair}.${game}`)
    .sort();

// An engine that waits before it thinks while there is a file.
const hold = join(folder, 'hold');
const engine = join(folder, 'engine.sh');
writeFileSync(
  engine,
  `while read -r line; do
  case "$line" in go*) while [ -e ${hold} ]; do sleep 0.02; done;; esac
  printf '%s\\n' "$line"
done | ${join(programs, 'alinea')} engine connect-four:4x5x3
`,
);
// In a gauntlet the first player plays every game, so that no game ends while its engine waits.
const players = `
format = "gauntlet"
game = "connect-four:4x5x3"
players = ["Held=external:sh ${engine}", "engine:nodes=300", "smart:2"]
[options.Held]
Player = "smart:3"
[limits]
nodes = 1000
timeout_ms = 60000
`;

before(async () => {
  if (onPostgres) database = await newDatabase();
});
after(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all([...children].map((child) => child.closed));
  await stopShared();
  rmSync(folder, { recursive: true, force: true });
});

test('three workers, one killed and one frozen: the same games as on one machine, each once', only, async () => {
  const cup = tournament('cup', `openings = "file:openings"\npairs = 2\nseed = 5\n${players}`);
  writeFileSync(join(folder, 'openings'), '3 3\n1 2\n');
  assert.equal((await run(...cup.by('alone'))).code, 0);
  writeFileSync(hold, '');
  const workers = await Promise.all([1, 2, 3].map(() => startWorker()));
  const coordinator = start(...cup.by('workers'), ...database.args);
  const playing = 'contest_games WHERE record IS NULL AND worker IS NOT NULL';
  await until(async () => (await number(playing)) === 3, coordinator);
  await sql(database.url, `CREATE TABLE begun AS SELECT contest, game, worker FROM ${playing}`);
  const [killed, frozen] = workers;
  killed.kill('SIGKILL');
  frozen.kill('SIGSTOP');
  // Places for the five other games and for the two that are lost.
  const fourth = await startWorker('8');
  await until(async () => (await number(`contest_games NATURAL JOIN begun WHERE record IS NULL`)) === 1, coordinator);
  // What the frozen one still has to say changes nothing.
  frozen.kill('SIGCONT');
  rmSync(hold);
  assert.equal(await coordinator.closed, 0, coordinator.said);
  assert.deepEqual(slots(cup.results('workers')), slots(cup.results('alone')));
  assert.deepEqual(results(cup.results('workers')), results(cup.results('alone')));
  assert.match(coordinator.said, /this program plays none/);
  assert.equal(await number('contests'), 0);
  for (const worker of [frozen, workers[2], fourth]) {
    worker.kill('SIGTERM');
    assert.equal(await worker.closed, 0, worker.said);
  }
});

test('a worker that plays thinks for servers, too; a killed coordinator goes on', only, async () => {
  const cup = tournament('again', players);
  writeFileSync(hold, '');
  const worker = await startWorker();
  const server = await Server.start({
    database,
    options: ['--programs', '0', '--tournaments', 'database', '--limits', '100'],
  });
  const shown = async () =>
    (await (await server.fetch('/api/tournaments')).json()).find((one) => one.players === 3 && one.programs);
  const first = start(...cup.by('one'), ...database.args);
  await until(async () => (await number('contest_games WHERE worker IS NOT NULL')) === 1, first);
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ game: 'connect-four', moves: '4 4', lines: 1, time_ms: 200 });
  const assessment = await (await server.fetch('/api/analysis', { method: 'POST', headers, body })).json();
  assert.equal(assessment.done, true);
  await until(async () => (await shown())?.phase === 'running', first);
  const second = await run(...cup.by('two'), ...database.args);
  assert.deepEqual(
    [second.code, second.stderr],
    [2, 'alinea: another run of this tournament uses the database; wait until it ends\n'],
  );
  first.kill('SIGKILL');
  await first.closed;
  rmSync(hold);
  // The worker goes on without it.
  await until(async () => (await number('contest_games WHERE record IS NULL')) === 0, worker);
  worker.kill('SIGTERM');
  assert.equal(await worker.closed, 0);
  const third = await run(...cup.by('one'), ...database.args);
  assert.equal(third.code, 0, third.stderr);
  assert.equal(new Set(slots(cup.results('one'))).size, 4);
  assert.equal(journal(cup.results('one')).length, 4);
  // What it told last stays for those who look later.
  const { id, phase } = await shown();
  assert.equal(phase, 'over');
  assert.equal((await (await server.fetch(`/api/tournaments/${id}`)).json()).games.length, 4);
  await server.stop();
});

test('Ctrl-C takes the games back and the same command continues', only, async () => {
  const cup = tournament('stopped', players);
  writeFileSync(hold, '');
  const worker = await startWorker('2');
  const first = start(...cup.by('one'), ...database.args);
  await until(async () => (await number('contest_games WHERE worker IS NOT NULL')) === 2, first);
  first.kill('SIGINT');
  assert.equal(await first.closed, 130, first.said);
  assert.equal(await number('contest_games'), 0);
  rmSync(hold);
  const second = await run(...cup.by('one'), ...database.args);
  assert.equal(second.code, 0, second.stderr);
  assert.equal(slots(cup.results('one')).length, 4);
  worker.kill('SIGTERM');
  assert.equal(await worker.closed, 0, worker.said);
});

test(
  'commands from the database are run only by workers that were told so; a player that does not start ends the run',
  only,
  async () => {
    const wrong = tournament('wrong', `game = "tic-tac-toe"\nplayers = ["random", "Typo=external:/no/such/engine"]\n`);
    const inner = tournament('inner', `game = "tic-tac-toe"\nplayers = ["random", "oxo"]\npairs = 3\n`);
    const careful = await startWorker('1', []);
    const coordinator = start(...wrong.by('one'), ...database.args);
    await until(async () => (await number('contest_games')) === 2, coordinator);
    // It plays what has no commands, and has thus had the chance to take the others.
    assert.equal((await run(...inner.by('one'), ...database.args)).code, 0);
    assert.equal(await number('contest_games WHERE worker IS NULL'), 2);
    const bold = await startWorker();
    assert.equal(await coordinator.closed, 3, coordinator.said);
    assert.match(coordinator.said, /Typo does not start/);
    for (const worker of [careful, bold]) {
      worker.kill('SIGTERM');
      assert.equal(await worker.closed, 0, worker.said);
    }
  },
);

test('what cannot work is refused in one sentence', async () => {
  const { by } = tournament('refused', `game = "tic-tac-toe"\nplayers = ["random", "oxo"]\n`);
  for (const [args, sentence] of [
    [['--database-url', 'mysql://db/x'], /must start with postgres:/],
    [['--database-url', 'postgres://alinea@127.0.0.1:1/none'], /cannot open the database/],
    [['--database-url', 'postgres://alinea@127.0.0.1:1/none', '--log', 'x'], /--log needs engines on this machine/],
  ]) {
    const { code, stderr } = await run(...by('none'), ...args);
    assert.equal(code, 2, stderr);
    assert.match(stderr, sentence);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
  }
});

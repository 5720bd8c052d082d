// The package as it is packed, installed in an empty folder and loaded there; its README; its types.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';

import { load } from '../index.js';
import { wasm } from './core.mjs';

const js = fileURLToPath(new URL('..', import.meta.url));
let folder;
const run = (cwd, command, ...args) => execFileSync(command, args, { cwd, encoding: 'utf8' });

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alinea-package-'));
  const staged = join(folder, 'staged');
  const isPart = (path) => !/node_modules|\/(bench|test)$/.test(path.slice(js.length - 1));
  await cp(js, staged, { recursive: true, filter: isPart });
  const [{ filename, files }] = JSON.parse(run(staged, 'npm', 'pack', '--json'));
  assert.deepEqual(files.map((file) => file.path).sort(), [
    'README.md',
    'alinea.wasm',
    'book.bin',
    'core.d.ts',
    'core.js',
    'index.d.ts',
    'index.js',
    'package.json',
    'protocol.d.ts',
    'weights.bin',
  ]);
  await writeFile(join(folder, 'package.json'), '{"private": true, "type": "module"}');
  run(folder, 'npm', 'install', '--offline', '--no-audit', '--no-fund', join(staged, filename));
});

after(() => rm(folder, { recursive: true, force: true }));

test('the examples of the README print what they say', async () => {
  const text = await readFile(join(js, 'README.md'), 'utf8');
  const code = [...text.matchAll(/```js\n(.*?)```/gs)].map((match) => match[1]).join('\n');
  const expected = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map((match) => match[1]);
  assert.ok(expected.length > 5);
  await writeFile(join(folder, 'readme.js'), code);
  const printed = run(folder, process.execPath, 'readme.js').trimEnd().split('\n');
  assert.deepEqual(
    printed,
    expected.map((line) => (line.startsWith('tic-tac-toe') ? `${line} dummy` : line)),
  );
});

test('the example of the README of the repository runs', async () => {
  const text = await readFile(fileURLToPath(new URL('../../README.md', import.meta.url)), 'utf8');
  const [code] = [...text.matchAll(/```js\n(.*?)```/gs)].map((match) => match[1]);
  // The values of the last two lines are what the comments beside them say.
  const shown = code.replace(/^(alinea\..*?);/gm, 'console.log(JSON.stringify($1));');
  await writeFile(join(folder, 'repository.js'), shown);
  const [reasons, best] = run(folder, process.execPath, 'repository.js')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.ok(reasons.length > 0 && reasons.every(({ reason }) => typeof reason === 'string'));
  assert.deepEqual(best, ['3', '6']);
});

test('the types hold', async () => {
  await writeFile(
    join(folder, 'types.ts'),
    `
    import { AlineaError, load, type Assessment, type LocalTable } from 'alinea';
    const alinea = await load(new Uint8Array());
    const assessment: Assessment = alinea.assess({ game: 'gomoku', moves: ['h8'] }, { depth: 2 }, (known) => known.depth);
    const table: LocalTable = alinea.ask({ open: { table: 'a', new: { game: 'gomoku', opponent: { kind: 'here' } } } });
    const columns: (number | null)[] = alinea.solve('connect-four').columns;
    // @ts-expect-error A depth is a number.
    alinea.perft('connect-four', 'deep');
    // @ts-expect-error There is no such option.
    alinea.choose('gomoku', 'random', { luck: 1 });
    export { AlineaError, assessment, columns, table };
  `,
  );
  const tsc = fileURLToPath(new URL('../../web/node_modules/typescript/bin/tsc', import.meta.url));
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2022,dom'];
  run(folder, process.execPath, tsc, ...options, 'types.ts');
});

test('an address is fetched, from a server that knows no media types too', async () => {
  const bytes = await readFile(wasm);
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/alinea.wasm' ? 200 : 404;
    response.end(response.statusCode === 200 ? bytes : '');
  });
  await new Promise((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  const at = (path) => `http://127.0.0.1:${server.address().port}/${path}`;
  try {
    const alinea = await load(at('alinea.wasm'));
    assert.equal(alinea.perft('tic-tac-toe', 3), 504);
    await assert.rejects(load(at('missing.wasm')), /404/);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('bytes, a module and promises of them are taken', async () => {
  const bytes = await readFile(wasm);
  for (const given of [bytes, WebAssembly.compile(bytes), await WebAssembly.compile(bytes)]) {
    assert.equal((await load(given)).perft('tic-tac-toe', 2), 72);
  }
});

test('a book is taken as a value, or none', async () => {
  const book = await readFile(join(js, 'book.bin'));
  const empty = { game: 'connect-four', moves: '' };
  const first = ({ moves }) => [moves.length, moves[0].move, moves[0].verdict.kind];
  for (const given of [undefined, book])
    assert.deepEqual(first((await load(wasm, given)).assess(empty, { depth: 1 })), [7, '4', 'proven']);
  assert.equal(first((await load(wasm, null)).assess(empty, { depth: 1 }))[2], 'estimate');
  await assert.rejects(load(wasm, book.subarray(0, 100)), { name: 'AlineaError', code: 'bad-message' });
});

test('weights are taken as a value, or none', async () => {
  const weights = await readFile(join(js, 'weights.bin'));
  const game = { game: 'gomoku', moves: 'h8 i9 h9 h10 g8' };
  const best = async (given) => (await load(wasm, null, given)).assess(game, { depth: 4 }).moves[0];
  assert.deepEqual(await best(weights), await best(undefined));
  assert.notDeepEqual(await best(null), await best(undefined));
  const damaged = Uint8Array.from(weights);
  damaged[5000] ^= 1;
  await assert.rejects(load(wasm, null, damaged), { name: 'AlineaError', code: 'bad-message', message: /corrupt/ });
});

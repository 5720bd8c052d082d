// Speed of the core in WebAssembly beside the native program, and of the solver beside the crate `connect-four-ai`, in
// one run: `node bench/speed.mjs [ROUNDS]`. Builds what it measures. Prints the table of docs/reference/javascript.md.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { load } from '../index.js';

const ROUNDS = Number(process.argv[2] ?? 5);
const root = fileURLToPath(new URL('../..', import.meta.url));
const solvers = fileURLToPath(new URL('./solvers', import.meta.url));

const WASM = ['--target', 'wasm32-unknown-unknown'];
const run = (cwd, command, ...args) => execFileSync(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
run(root, 'make', 'core');
run(root, 'cargo', 'build', '--locked', '--release', '-p', 'alinea-wasm', '--example', 'answers');
run(solvers, 'cargo', 'build', '--locked', '--release', '--target-dir', `${root}/target/bench-solvers`);
run(
  solvers,
  'cargo',
  'build',
  '--locked',
  '--release',
  '--lib',
  ...WASM,
  '--target-dir',
  `${root}/target/bench-solvers`,
);

/** A program that answers each line with a line. */
function dialogue(program) {
  const child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (line) => {
    child.stdin.write(`${line}\n`);
    return (await lines.next()).value;
  };
  return { ask, end: () => child.stdin.end() };
}

const milliseconds = async (work) => {
  const start = performance.now();
  const result = await work();
  return [performance.now() - start, result];
};
const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
const rows = [];
const row = (what, native, here, other) => {
  const cells = [what, native, here].map((cell) => (typeof cell === 'number' ? cell.toFixed(1) : cell));
  console.log(
    `| ${cells.join(' | ')} | ${(here / native).toFixed(2)} | ${other === undefined ? '' : `${other.toFixed(1)} | ${(other / here).toFixed(1)}`} |`,
  );
  rows.push(here / native);
};

console.log('| | native, ms | WebAssembly, ms | ratio | connect-four-ai in WebAssembly, ms | ratio |');
console.log('| --- | ---: | ---: | ---: | ---: | ---: |');

// Questions of up to some hundred milliseconds. Before a short one is measured it is asked for a while, in which the engine
// of JavaScript optimises what it runs.
const WARM_UP_MS = 300;
const nodes = (game, nodes) => [
  `engine, ${game}, ${nodes.toLocaleString('en')} nodes`,
  { choose: { record: { game, moves: '' }, player: `engine:nodes=${nodes}`, seed: 1 } },
];
const perft = (game, depth) => [`perft, ${game}, ${depth} plies`, { perft: { record: { game, moves: '' }, depth } }];
const questions = [
  perft('tic-tac-toe', 8),
  perft('connect-four', 9),
  perft('simplexity', 6),
  perft('chess-five', 4),
  perft('gomoku', 3),
  nodes('tic-tac-toe', 300_000),
  nodes('connect-four', 600_000),
  nodes('simplexity', 600_000),
  nodes('chess-five', 300_000),
  nodes('gomoku', 100_000),
];
const alinea = await load();
const native = dialogue(`${root}/target/release/examples/answers`);
for (const [what, question] of questions) {
  const times = { native: [], here: [] };
  const text = JSON.stringify(question);
  for (const end = performance.now() + WARM_UP_MS; performance.now() < end;) alinea.ask(question);
  for (let round = 0; round < ROUNDS; round += 1) {
    const [there, answer] = await milliseconds(() => native.ask(text));
    const [here, own] = await milliseconds(() => alinea.ask(question));
    assert.deepEqual(own, JSON.parse(answer).ok);
    times.native.push(there);
    times.here.push(here);
  }
  row(what, median(times.native), median(times.here));
}
native.end();

// Every position once, without a book and with a cleared table.
const module = await WebAssembly.compile(
  readFileSync(`${root}/target/bench-solvers/wasm32-unknown-unknown/release/alinea_bench_solvers.wasm`),
);
// That crate brings functions of wasm-bindgen along, which nothing calls here.
const imports = {};
for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
  assert.equal(kind, 'function');
  (imports[from] ??= {})[name] = () => assert.fail(`${from}.${name} is called`);
}
const { exports: wasm } = await WebAssembly.instantiate(module, imports);
const solve = (name, moves) => {
  new Uint8Array(wasm.memory.buffer, wasm.room(), moves.length).set(Buffer.from(moves));
  return wasm[name](moves.length);
};
const natively = dialogue(`${root}/target/bench-solvers/release/alinea-bench-solvers`);
const golden = readFileSync(`${root}/crates/solver/tests/golden/connect_four_solved.txt`, 'utf8')
  .split('\n')
  .map((line) => line.split(' '));
for (const set of ['middle-medium', 'begin-medium']) {
  const total = { native: 0, ours: 0, theirs: 0 };
  for (const [, moves, score] of golden.filter(([name]) => name === set)) {
    const [there, time] = (await natively.ask(`ours ${moves}`)).split(' ').map(Number);
    assert.equal(there, Number(score));
    total.native += time;
    for (const name of ['ours', 'theirs']) {
      const [here, own] = await milliseconds(() => solve(name, moves));
      assert.equal(own, Number(score));
      total[name] += here;
    }
  }
  row(`solver, ${set}, all positions`, total.native, total.ours, total.theirs);
}
natively.end();
console.log(
  `\nAt most ${Math.max(...rows).toFixed(2)} times the native time; Node ${process.version}, ${ROUNDS} rounds.`,
);

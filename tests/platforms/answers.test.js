// Rules, solver and engine give the same answers on every system and processor.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { output } from './program.js';

test('rules count the same positions', async () => {
  assert.equal((await output(['perft', 'connect-four', '6'])).trim(), '117649');
  const [inspected] = (await output(['inspect', 'tic-tac-toe', 'b2 a1'])).trim().split('\n');
  const { legal, ...rest } = JSON.parse(inspected);
  assert.deepEqual(legal.sort(), ['a2', 'a3', 'b1', 'b3', 'c1', 'c2', 'c3']);
  assert.deepEqual(rest, { turn: 'first', outcome: null, line: null, position: '3/1x1/o2 w', ply: 2 });
});

test('the solver proves the same values with the same number of nodes', async () => {
  const solved = JSON.parse(await output(['solve', 'connect-four', '44455554']));
  const { score, best, columns, line, nodes } = solved;
  assert.deepEqual([score, best, columns, line], [1, ['2', '4'], [-2, 1, -2, 1, -2, -2, -2], ['4', '5']]);
  assert.equal(nodes, 258_048);
  // From the opening book.
  assert.equal(JSON.parse(await output(['solve', 'connect-four', '4'])).score, -1);
});

test('players choose the same moves', async () => {
  const { move, reasons } = JSON.parse(await output(['choose', 'greedy', 'connect-four', '444']));
  assert.deepEqual([move, reasons], ['3', [{ reason: 'join', length: 2 }]]);
  const engine = ['choose', 'engine:nodes=20000', 'connect-four', '4455', '--seed', '1'];
  assert.equal(JSON.parse(await output(engine)).move, '3');
});

test('the search of the engine has the same signature', async () => {
  const page = new URL('../../docs/explanation/engine.md', import.meta.url);
  const signature = readFileSync(page, 'utf8').match(/`(signature \d+)`/)[1];
  assert.ok((await output(['bench'])).includes(signature));
});

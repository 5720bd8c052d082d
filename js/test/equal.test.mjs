// The core in WebAssembly and the native program, ALINEA_NATIVE, assess the same positions equally.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import test from 'node:test';

import { load } from '../index.js';
import { wasm } from './core.mjs';

// Standard boards, and one of each width of words.
const DEPTHS = {
  'tic-tac-toe': 9,
  'connect-four': 7,
  'connect-four:5x6x4': 6,
  'connect-four:9x9x5': 5,
  'connect-four:12x30x5': 3,
  'connect-four:40x40x6': 1,
  simplexity: 5,
  'simplexity:5x5x4': 5,
  'simplexity:8x9x4': 4,
  'simplexity:9x37x5': 2,
  'simplexity:24x30x5': 1,
  'chess-five': 3,
  gomoku: 3,
  'gomoku:19x19x5': 2,
};
const POSITIONS = 200;

/** Numbers below `n` from a seed: the generator of Park and Miller. */
function random(seed) {
  return (n) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % n;
  };
}

/** A game of random moves that is not over. */
function randomRecord(alinea, game, below) {
  for (;;) {
    const moves = [];
    let [step] = alinea.positions(game).plies;
    for (let left = below(20); left > 0 && step.legal.length > 0; left -= 1) {
      moves.push(step.legal[below(step.legal.length)].move);
      step = alinea.positions({ game, moves, from: moves.length }).plies.at(-1);
    }
    if (step.legal.length > 0) return { game, moves: moves.join(' ') };
  }
}

test(
  `${POSITIONS} positions of all games`,
  { skip: !process.env.ALINEA_NATIVE && 'ALINEA_NATIVE is not set' },
  async () => {
    const alinea = await load(wasm);
    const below = random(1);
    const games = Object.entries(DEPTHS);
    const questions = Array.from({ length: POSITIONS }, (_, i) => {
      const [game, depth] = games[i % games.length];
      return { assess: { record: randomRecord(alinea, game, below), depth, lines: 1 + (i % 3) } };
    });

    const native = spawn(process.env.ALINEA_NATIVE, { stdio: ['pipe', 'pipe', 'inherit'] });
    native.stdin.end(questions.map((question) => JSON.stringify(question)).join('\n'));
    const answers = [];
    for await (const line of createInterface({ input: native.stdout })) answers.push(line);
    if (native.exitCode === null) await once(native, 'exit');
    assert.equal(answers.length, POSITIONS);

    const timeless = (assessment) => JSON.stringify({ ...assessment, time_ms: 0 });
    questions.forEach((question, i) => {
      const here = timeless(alinea.ask(question));
      assert.equal(here, timeless(JSON.parse(answers[i]).ok), JSON.stringify(question));
    });
  },
);

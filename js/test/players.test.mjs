// Every game, player and study in Node.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';

import { AlineaError, load } from '../index.js';
import { wasm } from './core.mjs';

const alinea = await load(wasm);
const games = alinea.games();

/** The players of a game as they are written. */
function players(game) {
  const others = ['engine:depth=3', 'engine:nodes=2000,threads=2', 'engine:20ms'];
  return [...game.players, ...others];
}

test('the test game is among the games', () => {
  assert.ok(
    games.some((game) => game.id === 'dummy'),
    'built without the feature dummy',
  );
});

for (const game of games) {
  const { id } = game;
  test(`${id}: every player moves`, () => {
    const legal = alinea.positions(id).plies[0].legal.map((choice) => choice.move);
    for (const player of players(game)) {
      const { thought } = alinea.choose(id, player, { seed: 1, time_ms: 1000 });
      assert.ok(legal.includes(thought.move), `${player} plays ${thought.move}`);
    }
  });

  test(`${id}: the same seed gives the same choice`, () => {
    const choose = (seed) => alinea.choose(id, 'level:1', { seed }).thought;
    assert.deepEqual(choose(7), choose(7));
  });

  test(`${id}: assessments and reviews`, () => {
    const assessed = alinea.assess(id, { depth: 2 });
    const { move } = assessed.moves[0];
    const reported = [];
    const reviewed = alinea.review({ game: id, moves: [move] }, { depth: 2 }, (one) => reported.push(one));
    assert.equal(reviewed.length, 1);
    assert.deepEqual(reported, reviewed);
  });
}

test('assessments are reported on the way', () => {
  const depths = [];
  const last = alinea.assess('chess-five', { depth: 4 }, (known) => depths.push(known.depth));
  assert.ok(depths.length > 0 && depths.every((depth) => depth <= last.depth));
  assert.equal(last.depth, 4);
});

test('exact scores', async () => {
  const golden = await readFile(
    new URL('../../crates/solver/tests/golden/connect_four_solved.txt', import.meta.url),
    'utf8',
  );
  const solved = golden
    .split('\n')
    .filter((line) => line.startsWith('middle-easy '))
    .slice(0, 20);
  assert.equal(solved.length, 20);
  for (const line of solved) {
    const [, moves, score] = line.split(' ');
    const { score: found, columns } = alinea.solve({ game: 'connect-four', moves });
    assert.equal(found, Number(score), moves);
    assert.equal(Math.max(...columns.filter((column) => column !== null)), found);
  }
  const { best, line, reasons } = alinea.solve({ game: 'connect-four:4x7', moves: '4455' });
  assert.deepEqual([best, line, reasons[0].fact], [['3', '6'], ['3', '4', '2'], 'makes-two-threats']);
});

test('perft', () => {
  assert.equal(alinea.perft('connect-four', 8), 5_673_234);
});

test('bad input throws an error with a code', () => {
  const rejected = (code, ask) =>
    assert.throws(ask, (error) => error instanceof AlineaError && error.code === code && error.message !== '');
  rejected('unknown-game', () => alinea.positions('go'));
  rejected('illegal-move', () => alinea.positions({ game: 'connect-four', moves: '9' }));
  rejected('unknown-player', () => alinea.choose('gomoku', 'god'));
  rejected('not-allowed', () => alinea.solve('gomoku'));
  rejected('game-over', () => alinea.choose({ game: 'connect-four', moves: '1212121' }, 'engine:depth=2'));
  rejected('bad-message', () => alinea.ask({ win: {} }));
  rejected('bad-message', () => alinea.perft('connect-four', -1));
  rejected('bad-message', () => alinea.choose('gomoku'));
  rejected('bad-message', () => alinea.positions());
  assert.throws(() => alinea.ask({ win: {} }), /^AlineaError: unknown request “win”; expected one of games, /);
  assert.throws(() => alinea.ask({}), /^AlineaError: invalid request: /);
  assert.throws(() => alinea.ask({ games: {}, seed: 1 }), /^AlineaError: invalid request: /);
  assert.throws(() => alinea.solve({ moves: '4' }), /^AlineaError: invalid request: missing field `game`$/);
  // The core goes on.
  assert.equal(alinea.perft('tic-tac-toe', 2), 72);
});

import { describe, expect, it } from 'vitest';

import { cellName, columnLetters, spot, steady } from '../src/game/cells';
import { act, chosenKind, typed } from '../src/game/input';
import type { Choice } from '../src/protocol';
import { drop, game, view } from './fixtures';

const four = game('connect-four');
const chess = game('chess-five');

describe('cells', () => {
  it('stay the same objects while nothing about them changes', () => {
    const keep = steady<{ cell: string; kind: string }>('cell');
    const [a, b] = keep([
      { cell: 'a1', kind: 'rook' },
      { cell: 'b1', kind: 'king' },
    ]);
    const [moved, same, changed] = keep([
      { cell: 'c1', kind: 'rook' },
      { cell: 'a1', kind: 'rook' },
      { cell: 'b1', kind: 'queen' },
    ]);
    expect(same).toBe(a);
    expect(changed).toEqual({ cell: 'b1', kind: 'queen' });
    expect([changed, moved]).not.toContain(b);
  });

  it('have names that read back', () => {
    for (const col of [0, 25, 26, 36, 63])
      for (const row of [0, 9, 63]) expect(spot(cellName({ col, row }))).toEqual({ col, row });
    expect(columnLetters(36)).toBe('ak');
  });
});

describe('a click', () => {
  it('anywhere in a column is the move of that column', () => {
    const intent = act(four, view(['...', 'x..']), [drop(1, 2), drop(2, 1)], undefined, undefined, { col: 1, row: 1 });
    expect(intent).toEqual({ move: drop(2, 1) });
  });

  it('on a full column says so', () => {
    const intent = act(four, view(['o..', 'x..']), [drop(2, 1)], undefined, undefined, { col: 0, row: 0 });
    expect(intent).toEqual({ refused: { key: 'refuse.column-full', values: { column: '1' } } });
  });

  it('on a taken cell says so', () => {
    const intent = act(game('tic-tac-toe'), view(['...', 'x..']), [], undefined, undefined, { col: 0, row: 0 });
    expect(intent).toMatchObject({ refused: { key: 'refuse.cell-taken' } });
  });

  it('picks a piece, another piece, a target', () => {
    const legal: Choice[] = [
      { move: 'a1a2', from: 'a1', to: 'a2', kind: 'king' },
      { move: 'c1c2', from: 'c1', to: 'c2', kind: 'rook' },
    ];
    const board = view(['...', 'x.x']);
    const at = (cell: string, picked?: string) => act(chess, board, legal, undefined, picked, spot(cell));
    expect(at('a1')).toEqual({ pick: 'a1' });
    expect(at('c1', 'a1')).toEqual({ pick: 'c1' });
    expect(at('a2', 'a1')).toEqual({ move: legal[0] });
    expect(at('b2', 'a1')).toMatchObject({ refused: { key: 'refuse.cannot-go' } });
    expect(at('b2')).toMatchObject({ refused: { key: 'refuse.pick-own' } });
  });

  it('keeps the chosen kind while there is one left', () => {
    const legal: Choice[] = [
      { move: '1r', to: 'a1', kind: 'round' },
      { move: '1s', to: 'a1', kind: 'square' },
    ];
    expect(chosenKind(legal, 'square')).toBe('square');
    expect(chosenKind(legal.slice(0, 1), 'square')).toBe('round');
    expect(chosenKind([], 'square')).toBeUndefined();
  });
});

describe('a typed move', () => {
  const letters = { t: 'rook', r: 'king', d: 'queen' } as const;
  it('is a column, also beyond nine', () => {
    expect(typed('2', four, [drop(1, 1), drop(2, 1)], undefined, {})?.move).toBe('2');
    expect(typed('12', four, [drop(12, 1)], undefined, {})?.move).toBe('12');
    expect(typed('3', four, [drop(1, 1)], undefined, {})).toBeUndefined();
  });

  it('is a column and a shape in either order', () => {
    const legal: Choice[] = ['r', 's'].map((shape) => ({
      move: `4${shape}`,
      to: 'd1',
      kind: shape === 'r' ? 'round' : 'square',
    }));
    const shapes = { r: 'round', s: 'square', c: 'square' } as const;
    for (const [text, move] of [
      ['4s', '4s'],
      ['s4', '4s'],
      ['4c', '4s'],
      ['4', '4r'],
    ] as const) {
      expect(typed(text, game('simplexity'), legal, 'round', shapes)?.move, text).toBe(move);
    }
    expect(typed('z4', game('simplexity'), legal, 'round', shapes)).toBeUndefined();
  });

  it('reads piece letters in the language of the reader', () => {
    const legal: Choice[] = [
      { move: 'R@c', to: 'c1', kind: 'rook' },
      { move: 'K@c', to: 'c1', kind: 'king' },
      { move: 'Q@c', to: 'c1', kind: 'queen' },
    ];
    expect(typed('Rc', chess, legal, undefined, letters)?.move).toBe('K@c');
    expect(typed('t@c', chess, legal, undefined, letters)?.move).toBe('R@c');
    expect(typed('c', chess, legal, 'queen', letters)?.move).toBe('Q@c');
  });

  it('is a step with or without piece and dash', () => {
    const legal: Choice[] = [{ move: 'd2e4', from: 'd2', to: 'e4', kind: 'knight' }];
    for (const text of ['d2e4', 'd2-e4', 'Nd2-e4', 'D2E4', ' d2 e4 '])
      expect(typed(text, chess, legal, undefined, letters)?.move, text).toBe('d2e4');
  });

  it('is a cell', () => {
    const legal: Choice[] = [{ move: 'b2', to: 'b2', kind: 'stone' }];
    expect(typed('B2', game('tic-tac-toe'), legal, undefined, {})?.move).toBe('b2');
    for (const text of ['', 'b', '22', 'b22', 'nonsense', '💥'])
      expect(typed(text, game('tic-tac-toe'), legal, undefined, {}), text).toBeUndefined();
  });
});

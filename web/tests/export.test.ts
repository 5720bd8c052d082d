import { describe, expect, it } from 'vitest';

import { readGame, writeGame } from '../src/game/export';
import { match } from '../src/routes';

describe('a game as text', () => {
  it('reads back as it was written', () => {
    const game = { game: 'connect-four:6x7x4', position: undefined, moves: ['4', '4', '5'] };
    expect(readGame(writeGame(game))).toEqual(game);
    const second = { game: 'connect-four:6x7x4', position: '7/7/7/7/7/3x3 b', moves: ['4', '5', '3'] };
    expect(writeGame(second)).toContain('1... 4 2. 5 3');
    expect(readGame(writeGame(second))).toEqual(second);
  });

  it('is the first of many, without comments and results', () => {
    const text =
      '[Game "simplexity:6x7x4"]\n[First "a \\"b\\""]\n\n1. 4r {good} 4s 2.5r\n1-0\n\n[Game "tic-tac-toe"]\n\n1. b2 *';
    expect(readGame(text)).toEqual({ game: 'simplexity:6x7x4', position: undefined, moves: ['4r', '4s', '5r'] });
  });

  it('may be a plain list of moves', () => {
    expect(readGame(' 4 4\n5 ')).toEqual({ moves: ['4', '4', '5'], game: undefined, position: undefined });
    expect(readGame(' \n ')).toBeUndefined();
  });

  it('may be a position alone', () => {
    for (const position of ['7/7/3x3/2xoo2/2xox2/2oxxo1 b', 'nb2qk1r/8/8/8/8/2N5/8/RBK1Q3[] w']) {
      expect(readGame(`${position}\n`)).toEqual({ position, moves: [] });
    }
    expect(readGame('b2 1/2-1/2')?.moves).toEqual(['b2']);
  });
});

describe('addresses', () => {
  it('lead to pages', () => {
    expect(match('/').route.name).toBe('home');
    expect(match('/g/abc')).toMatchObject({ route: { name: 'game' }, params: ['abc'] });
    expect(match('/analysis/connect-four%3A6x7x4')).toMatchObject({ params: ['connect-four:6x7x4'] });
    expect(match('/watch/x/').route.name).toBe('game');
    for (const path of ['/nowhere', '/g/', '/g/a/b', '/g/%E0%A4%A']) expect(match(path).route.name, path).toBe('lost');
  });
});

import { beforeAll, describe, expect, it } from 'vitest';

import { useLanguage } from '../src/i18n.svelte';
import { writePosition } from '../src/game/editor';
import { momentSentence, momentsOf } from '../src/game/moments';
import { markOf } from '../src/mark';
import type { GameInfo, ReviewedMove } from '../src/protocol';
import * as golden from './golden';

beforeAll(() => useLanguage('en', false));

const proven = (move: string, result: 'win' | 'draw' | 'loss') => ({
  move,
  verdict: { kind: 'proven', result, plies: 5 } as const,
  line: [move],
});
const reviewed = (
  number: number,
  played: ReviewedMove['played'],
  best: ReviewedMove['best'],
  mark?: ReviewedMove['mark'],
): ReviewedMove => ({
  number,
  side: number % 2 ? 'first' : 'second',
  played,
  best,
  loss: 1,
  ...(mark && { mark }),
  chance: 0,
  depth: 3,
});

describe('key moments', () => {
  const review = [
    reviewed(1, proven('1', 'draw'), proven('4', 'win'), 'throws-win'),
    reviewed(2, proven('2', 'draw'), proven('2', 'draw')),
    reviewed(3, proven('7', 'loss'), proven('4', 'draw'), 'throws-draw'),
    reviewed(4, proven('6', 'loss'), proven('3', 'win'), 'throws-win'),
  ];

  it('are the moves that changed the result, of both sides or of one', () => {
    expect(momentsOf(review).map(({ number, kind }) => [number, kind])).toEqual([
      [1, 'slips-win'],
      [3, 'throws-draw'],
      [4, 'throws-win'],
    ]);
    expect(momentsOf(review, 'second').map(({ number }) => number)).toEqual([4]);
  });

  it('speak to the reader about their own moves', () => {
    const [slip, draw] = momentsOf(review);
    expect(momentSentence(slip!, () => 'Zigzag', 'first')).toBe('You let the win slip; now it is a draw');
    expect(momentSentence(draw!, () => 'Zigzag', 'second')).toBe('Zigzag gives away the draw');
  });
});

describe('a position that is set up', () => {
  const infoOf = (id: string): GameInfo => golden.games[id]!;

  it('is written in rows from the top, with what is in hand', () => {
    const cells = Array.from({ length: 64 }, () => null);
    const chess = infoOf('chess-five');
    const start = '8/8/8/8/8/8/8/8[RRNNBBQKrrnnbbqk] w';
    expect(writePosition(chess, { cols: 8 }, cells, 'first', start)).toBe(start);
    const placed = cells.with(56, { side: 'first', kind: 'rook' } as never);
    expect(writePosition(chess, { cols: 8 }, placed, 'second', start)).toBe('8/8/8/8/8/8/8/R7[RNNBBQKrrnnbbqk] b');
  });
});

describe('a mark', () => {
  it('is the same for the same id: neighbouring dots, none twice', () => {
    for (let number = 0; number < 200; number++) {
      const dots = markOf(`g:${number}`);
      expect(markOf(`g:${number}`)).toEqual(dots);
      expect(new Set(dots).size).toBe(dots.length);
      expect(dots.length).toBeGreaterThanOrEqual(3);
    }
    expect(
      new Set(Array.from({ length: 200 }, (_, number) => markOf(`g:${number}`).join()).values()).size,
    ).toBeGreaterThan(100);
  });
});

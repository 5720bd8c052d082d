// The score of a match: points go along with the players when they change sides.

import { beforeEach, describe, expect, it } from 'vitest';

import { carryOver, matchWon, pointsText, scoreOf } from '../src/game/series';
import type { Snapshot } from '../src/protocol';

const person = (id: string) => ({ kind: 'person', id, name: id });
const table = (id: string, [first, second]: string[], more: object = {}): Snapshot =>
  ({ table: id, seats: [person(first!), person(second!)], ...more }) as unknown as Snapshot;

beforeEach(() => localStorage.clear());

describe('a match', () => {
  it('has no score at its first game', () => {
    expect(scoreOf(table('a', ['x', 'y'], { result: { winner: 'first', reason: 'line' } }))).toBeUndefined();
  });

  it('takes the points along when sides change', () => {
    carryOver(table('a', ['x', 'y'], { result: { winner: 'first', reason: 'line' }, rematch: 'b' }));
    expect(scoreOf(table('b', ['y', 'x']))).toEqual({ games: 1, points: [0, 1] });
    const drawn = table('b', ['y', 'x'], { result: { reason: 'full' }, rematch: 'c' });
    expect(scoreOf(drawn)).toEqual({ games: 2, points: [0.5, 1.5] });
    carryOver(drawn);
    carryOver(drawn);
    expect(scoreOf(table('c', ['x', 'y']))).toEqual({ games: 2, points: [1.5, 0.5] });
  });

  it('does not count a game that was aborted', () => {
    carryOver(table('a', ['x', 'y'], { result: { winner: 'first', reason: 'line' }, rematch: 'b' }));
    expect(scoreOf(table('b', ['y', 'x'], { result: { reason: 'aborted' } }))).toEqual({ games: 1, points: [0, 1] });
  });

  it('is won with more than half of three or five games', () => {
    expect(matchWon({ games: 2, points: [2, 0] })).toEqual({ side: 'first', of: 3 });
    expect(matchWon({ games: 3, points: [1, 2] })).toEqual({ side: 'second', of: 3 });
    expect(matchWon({ games: 3, points: [1.5, 1.5] })).toBeUndefined();
    expect(matchWon({ games: 4, points: [2, 2] })).toBeUndefined();
    expect(matchWon({ games: 5, points: [3, 2] })).toEqual({ side: 'first', of: 5 });
  });

  it('writes halves as they are written', () => {
    expect([0, 0.5, 1, 1.5].map(pointsText)).toEqual(['0', '½', '1', '1½']);
  });
});

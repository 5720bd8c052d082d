import { beforeEach, describe, expect, it, vi } from 'vitest';

import { pauseBefore, Rhythm } from '../src/game/rhythm.svelte';
import { levelAfterWins } from '../src/game/streak';
import { turningOf } from '../src/game/turning';
import { useGames } from '../src/game/games.svelte';
import type { GameEntry, ReviewedMove } from '../src/protocol';
import { settings } from '../src/settings.svelte';
import { game } from './fixtures';

describe('the rhythm', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    settings.pace = 'natural';
  });

  it('waits 450 to 900 ms before every reply, and the same time for the same move', () => {
    const pauses = Array.from({ length: 60 }, (_, ply) => pauseBefore(ply));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(450);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(900);
    expect(new Set(pauses).size).toBeGreaterThan(20);
    expect(pauseBefore(7)).toBe(pauseBefore(7));
  });

  it('shows a reply only when the piece before it rests and the pause is over', () => {
    const rhythm = new Rhythm();
    rhythm.follow(0, () => false);
    rhythm.follow(2, (ply) => ply === 2);
    expect(rhythm.shown).toBe(1);
    vi.advanceTimersByTime(5_000);
    expect(rhythm.shown).toBe(1);
    rhythm.settled(1);
    vi.advanceTimersByTime(pauseBefore(2) - 1);
    expect(rhythm.shown).toBe(1);
    vi.advanceTimersByTime(1);
    expect(rhythm.shown).toBe(2);
  });

  it('jumps when moves are taken back, and after much was missed', () => {
    const rhythm = new Rhythm();
    rhythm.follow(3, () => true);
    expect(rhythm.shown).toBe(3);
    rhythm.follow(9, () => true);
    expect(rhythm.shown).toBe(9);
    rhythm.follow(7, () => true);
    expect(rhythm.shown).toBe(7);
  });
});

describe('after the end', () => {
  it('offers the next level after two wins in a row, once for each game', () => {
    localStorage.clear();
    useGames([{ ...game('connect-four'), players: ['level:1', 'level:2'] } as GameEntry]);
    const won = (table: string): string | undefined => levelAfterWins(table, 'connect-four', 'level:1', 'win');
    expect(won('a')).toBeUndefined();
    expect(won('a')).toBeUndefined();
    expect(levelAfterWins('b', 'connect-four', 'level:1', 'loss')).toBeUndefined();
    expect(won('c')).toBeUndefined();
    expect(won('d')).toBe('level:2');
    expect(levelAfterWins('e', 'connect-four', 'level:2', 'win')).toBeUndefined();
    expect(levelAfterWins('f', 'connect-four', 'level:2', 'win')).toBeUndefined();
  });

  it('finds the last fault of the loser', () => {
    const move = (number: number, side: 'first' | 'second', mark?: ReviewedMove['mark']): ReviewedMove =>
      ({ number, side, played: { move: String(number) }, mark }) as unknown as ReviewedMove;
    const review = [
      move(1, 'first'),
      move(2, 'second', 'throws-draw'),
      move(3, 'first', 'throws-win'),
      move(4, 'second', 'blunder'),
      move(5, 'first', 'inaccuracy'),
      move(6, 'second', 'mistake'),
      move(7, 'first'),
    ];
    expect(turningOf(review, 'first', 'second')).toEqual({ ply: 4, move: '4', side: 'second', mine: true });
    expect(turningOf(review, 'second', 'first')).toMatchObject({ ply: 3, mine: true });
    expect(turningOf(review, undefined, 'first')).toBeUndefined();
  });
});

// Days, streaks and weak themes of puzzles.

import { expect, test } from 'vitest';

import { dayOf, streakOf, weekOf } from '../src/puzzles/days';
import { inARow, weakThemes, type Tried } from '../src/puzzles/progress.svelte';

const tried = (solved: boolean, ...themes: string[]): Tried => ({
  id: 'connect-four-1',
  themes,
  rating: 1500,
  solved,
  at: 0,
});

test('a day is one of UTC', () => {
  expect(dayOf(Date.parse('2026-11-17T23:59:59.999Z'))).toBe(20_774);
  expect(dayOf(Date.parse('2026-11-18T00:00:00Z'))).toBe(20_775);
});

test('a streak lasts while today can still be solved', () => {
  expect(streakOf([], 10)).toBe(0);
  expect(streakOf([10], 10)).toBe(1);
  expect(streakOf([7, 8, 9], 10)).toBe(3);
  expect(streakOf([7, 8, 9, 10], 10)).toBe(4);
  expect(streakOf([5, 6, 8], 10)).toBe(0);
  expect(streakOf([6, 7, 9], 9)).toBe(1);
});

test('a week begins on Monday', () => {
  // 2026-11-17 is a Tuesday.
  expect(weekOf(20_774)).toEqual([20_773, 20_774, 20_775, 20_776, 20_777, 20_778, 20_779]);
  expect(weekOf(20_773)[0]).toBe(20_773);
  expect(weekOf(20_779)[0]).toBe(20_773);
});

test('the weakest theme comes first, and none that was hardly tried', () => {
  const all = [
    tried(true, 'fork'),
    tried(false, 'fork', 'gap'),
    tried(false, 'fork'),
    tried(true, 'draw'),
    tried(true, 'draw'),
    tried(false, 'draw'),
    tried(false, 'gap'),
  ];
  expect(weakThemes(all)).toEqual([
    { theme: 'fork', solved: 1, tried: 3 },
    { theme: 'draw', solved: 2, tried: 3 },
  ]);
});

test('a row ends with the last puzzle that was not solved', () => {
  expect(inARow([])).toBe(0);
  expect(inARow([tried(false), tried(true), tried(true)])).toBe(2);
  expect(inARow([tried(true), tried(false)])).toBe(0);
});

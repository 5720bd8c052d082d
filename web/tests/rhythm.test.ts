import { beforeEach, describe, expect, it, vi } from 'vitest';

import { pauseBefore, Rhythm } from '../src/game/rhythm.svelte';
import { settings } from '../src/settings.svelte';

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

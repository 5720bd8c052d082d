import { describe, expect, it } from 'vitest';

import { mayHelp } from '../src/game/help';
import type { Occupant, Side, Snapshot } from '../src/protocol';
import { snapshot } from './fixtures';

const PERSON: Occupant = { kind: 'person', id: 'g:1', name: 'marta' };
const BOT: Occupant = { kind: 'person', id: 'u:bot', name: 'bot', bot: true };
const PROGRAM: Occupant = { kind: 'program', name: 'level:3' };
const OPEN: Occupant = { kind: 'open' };

const game = (seats: [Occupant, Occupant], you: Side[], more: Partial<Snapshot> = {}): boolean =>
  mayHelp(snapshot({ seats, you, ...more }));
const rated = { settings: { ...snapshot().settings, rated: true } };

describe('help', () => {
  it('is given against programs, among programs and to a reader with both sides', () => {
    expect(game([PERSON, PROGRAM], ['first'])).toBe(true);
    expect(game([PROGRAM, PROGRAM], [])).toBe(true);
    expect(game([PERSON, PERSON], ['first', 'second'])).toBe(true);
  });

  it('is given neither to players nor to spectators of a game between people', () => {
    for (const other of [PERSON, BOT, OPEN]) {
      expect(game([PERSON, other], ['first'])).toBe(false);
      expect(game([PERSON, other], [])).toBe(false);
    }
  });

  it('is not given in rated games, against programs either', () => {
    expect(game([PERSON, PROGRAM], ['first'], rated)).toBe(false);
    expect(game([PERSON, PROGRAM], [], rated)).toBe(false);
  });

  it('is not given in an opening, whose choices no search judges', () => {
    const opening = {
      rule: 'pie',
      stone: null,
      left: 0,
      words: ['swap' as const],
      may_move: true,
      next: 'second' as const,
    };
    expect(game([PERSON, PROGRAM], ['first'], { view: { ...snapshot().view, opening } })).toBe(false);
  });

  it('is given to everyone after the end', () => {
    for (const you of [['first'], []] as Side[][])
      expect(game([PERSON, PERSON], you, { ...rated, status: 'ended' })).toBe(true);
  });
});

// The set-up last used for each game, so that one click starts the next game.

import type { Clock, Opponent, SidePreference } from '../protocol';
import { read, write } from '../settings.svelte';
import { findGame } from './games.svelte';

export interface Setup {
  /** `6x7x4`, or nothing for the usual size. */
  size: string;
  opponent: 'program' | 'here' | 'link' | 'pair' | 'demo';
  program: string;
  /** The second program of a demonstration. */
  second: string;
  side: SidePreference;
  clock: Clock;
  rated: boolean;
  takeBack: boolean;
  listed: boolean;
  /** Whether a rated game may be against a bot. */
  bots: boolean;
}

export const FIRST_SETUP: Setup = {
  size: '',
  opponent: 'program',
  program: 'level:3',
  second: 'level:4',
  side: 'first',
  clock: { kind: 'game', initial_ms: 300_000, increment_ms: 3_000 },
  rated: false,
  takeBack: true,
  listed: true,
  bots: false,
};

const name = (game: string): string => `alinea.setup.${game}`;

/** A level that a beginner can beat: the third, but not the strongest of few. */
const firstProgram = (game: string): string => {
  const levels = findGame(game)?.levels.length ?? 8;
  return `level:${Math.max(1, Math.min(3, levels - 1))}`;
};

export const remembered = (game: string): Setup => ({
  ...FIRST_SETUP,
  program: firstProgram(game),
  ...read<Partial<Setup>>(name(game)),
});

export function remember(game: string, setup: Setup): void {
  write(name(game), setup);
}

export const gameOf = (game: string, { size }: Setup): string => (size ? `${game}:${size}` : game);

/** Against whom, as the server wants to know it; none for pairing, which makes no table yet. */
export function opponentOf({ opponent, program, second }: Setup): Opponent | undefined {
  switch (opponent) {
    case 'program':
      return { kind: 'program', name: program };
    case 'demo':
      return { kind: 'demo', first: program, second };
    case 'here':
    case 'link':
      return { kind: opponent };
    case 'pair':
      return undefined;
  }
}

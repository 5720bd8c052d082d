// The set-up last used for each game, so that one click starts the next game.

import type { Clock, Opponent, SidePreference } from '../protocol';
import { read, write } from '../settings.svelte';
import { climbOf, nextLevel } from './climb';
import { findGame, infoOf } from './games.svelte';

export interface Setup {
  /** `6x7x4`, or nothing for the usual size. */
  size: string;
  opponent: 'program' | 'here' | 'link' | 'pair' | 'demo';
  program: string;
  /** The second program of a demonstration. */
  second: string;
  side: SidePreference;
  /** The clock of games between people. */
  clock: Clock;
  /** The clock of games against the computer or at one screen: none until one is chosen. */
  clockAlone: Clock;
  rated: boolean;
  takeBack: boolean;
  listed: boolean;
  /** Whether a rated game may be against a bot. */
  bots: boolean;
}

const FIRST_CLOCK: Clock = { kind: 'game', initial_ms: 300_000, increment_ms: 3_000 };

export const FIRST_SETUP: Setup = {
  size: '',
  opponent: 'program',
  program: 'level:3',
  second: 'level:4',
  side: 'first',
  clock: FIRST_CLOCK,
  clockAlone: { kind: 'none' },
  rated: false,
  takeBack: true,
  listed: true,
  bots: false,
};

const name = (game: string): string => `alinea.setup.${game}`;

/** The level to beat next: the first one for those who have not played. */
const firstProgram = (game: string): string =>
  `level:${nextLevel(findGame(game)?.levels ?? [], climbOf(game).beaten)?.level ?? 1}`;

/** The program that was chosen last; once its level is beaten, the next one. */
export function programNow(game: string, chosen: string): string {
  const { beaten } = climbOf(game);
  return beaten.some((level) => chosen === `level:${level}`) ? firstProgram(game) : chosen;
}

export function remembered(game: string): Setup {
  const stored = read<Partial<Setup>>(name(game));
  // Before 0.3 there was one clock for all games. The usual one of then was not chosen by anybody.
  const isChosen = stored?.clock && JSON.stringify(stored.clock) !== JSON.stringify(FIRST_CLOCK);
  return {
    ...FIRST_SETUP,
    program: firstProgram(game),
    ...(isChosen && { clockAlone: stored.clock! }),
    ...stored,
  };
}

/** Whether somebody else is to play. */
export const isWithPeople = ({ opponent }: Setup): boolean => opponent === 'link' || opponent === 'pair';

export const clockOf = (setup: Setup): Clock => (isWithPeople(setup) ? setup.clock : setup.clockAlone);

export function remember(game: string, setup: Setup): void {
  write(name(game), setup);
}

/** The size, rules and opening with which a game is rated, as in `Setup.size`. */
export function ratedSize(game: string): string {
  const { rated, standard } = infoOf(game);
  return rated === standard ? '' : rated.slice(game.length + 1);
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

// The ladder of levels as this browser knows it: which were beaten without help, and how many wins in a row. Per game.

import type { LevelInfo, Side, Snapshot } from '../protocol';
import { read, write } from '../settings.svelte';
import { opponentSide, seat, yourSide } from '../sides';
import { gameId } from './games.svelte';
import { levelOf } from './phrases';

interface Climb {
  /** The numbers of the levels that were beaten. */
  beaten: number[];
  /** Wins in a row against the computer. */
  row: number;
  /** The tables that were counted last, so that a game counts once. */
  counted: string[];
}

const NONE: Climb = { beaten: [], row: 0, counted: [] };
/** How many tables are remembered. */
const MOST = 30;
const HELPED = 'alinea.helped';
const stored = (game: string): string => `alinea.climb.${game}`;

export const climbOf = (game: string): Climb => ({ ...NONE, ...read<Partial<Climb>>(stored(game)) });

/** The level to beat next: the lowest that was not beaten. */
export const nextLevel = (levels: LevelInfo[], beaten: number[]): LevelInfo | undefined =>
  levels.find(({ level }) => !beaten.includes(level));

const helped = (): string[] => read<string[]>(HELPED) ?? [];

/** Notes that a hint or a take-back was used at a table: its win does not count on the ladder. */
export function noteHelp(table: string): void {
  write(HELPED, [table, ...helped().filter((one) => one !== table)].slice(0, MOST));
}

/** Counts a finished game against a level, once. */
export function countGame(table: Snapshot): void {
  const { result, settings, seats, table: id } = table;
  const opponent: Side | undefined = opponentSide(table);
  const occupant = opponent && seats[seat(opponent)];
  if (!result || result.reason === 'aborted' || occupant?.kind !== 'program') return;
  const game = gameId(settings.game);
  const climb = climbOf(game);
  if (climb.counted.includes(id)) return;
  const isWin = result.winner === yourSide(table);
  const level = levelOf(occupant.name, settings.game);
  const counts = isWin && level && !settings.position && !helped().includes(id);
  write(stored(game), {
    beaten: counts ? [...new Set([...climb.beaten, level.level])].sort((a, b) => a - b) : climb.beaten,
    row: isWin ? climb.row + 1 : 0,
    counted: [id, ...climb.counted].slice(0, MOST),
  } satisfies Climb);
}

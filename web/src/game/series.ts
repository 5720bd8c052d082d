// The score of players who play again and again. The server links a game to its rematch; the browser that went along keeps
// the points, by who the players are, since they change sides.

import type { Occupant, Side, Snapshot } from '../protocol';
import { read, write } from '../settings.svelte';
import { seat } from '../sides';

const STORED = 'alinea.series';
/** Older matches are forgotten. */
const KEPT = 20;

/** The points before a game, and how many games gave them. */
interface Series {
  games: number;
  points: Record<string, number>;
}

export interface Score {
  games: number;
  /** Of the first and the second side. */
  points: [number, number];
}

const keyOf = (occupant: Occupant): string =>
  occupant.kind === 'person' ? occupant.id : occupant.kind === 'program' ? occupant.name : '';
const known = (table: string): Series => read<Record<string, Series>>(STORED)?.[table] ?? { games: 0, points: {} };

function withThis({ table, seats, result }: Snapshot): Score {
  const before = known(table);
  const counts = result !== undefined && result.reason !== 'aborted' && result.reason !== 'declined';
  const gained = (side: Side): number => (!counts ? 0 : !result.winner ? 0.5 : result.winner === side ? 1 : 0);
  const of = (side: Side): number => (before.points[keyOf(seats[seat(side)])] ?? 0) + gained(side);
  return { games: before.games + (counts ? 1 : 0), points: [of('first'), of('second')] };
}

/** The score, with this game once it has ended; none at the first game. */
export function scoreOf(table: Snapshot): Score | undefined {
  return known(table.table).games ? withThis(table) : undefined;
}

/** Takes the points along to the next game. */
export function carryOver(table: Snapshot): void {
  const { rematch, seats } = table;
  if (!rematch) return;
  const { games, points } = withThis(table);
  const others = Object.entries(read<Record<string, Series>>(STORED) ?? {}).filter(([id]) => id !== rematch);
  const next: Series = {
    games,
    points: Object.fromEntries(seats.map((occupant, at) => [keyOf(occupant), points[at]!])),
  };
  write(STORED, Object.fromEntries([...others.slice(1 - KEPT), [rematch, next]]));
}

/** The side that has won a match of three or of five games with this score, and which. */
export function matchWon({ games, points }: Score): { side: Side; of: 3 | 5 } | undefined {
  const side = points[0] > points[1] ? 'first' : 'second';
  const most = Math.max(...points);
  for (const of of [5, 3] as const) if (games <= of && most > of / 2) return { side, of };
  return undefined;
}

/** Points as they are written: `1½`. */
export const pointsText = (points: number): string =>
  `${Math.floor(points) || (points % 1 ? '' : 0)}${points % 1 ? '½' : ''}`;

// Wins in a row against a level: after two of them the next one is offered.

import { read, write } from '../settings.svelte';
import { findGame, gameId } from './games.svelte';

const STORED = 'alinea.streak';

interface Streak {
  program: string;
  wins: number;
  /** The last game that counted. */
  table: string;
}

/** Counts a game against a level; the next level if this was the second win in a row. */
export function levelAfterWins(
  table: string,
  game: string,
  program: string,
  mood: 'win' | 'loss' | 'draw',
): string | undefined {
  const all = read<Record<string, Streak>>(STORED) ?? {};
  const id = gameId(game);
  const before = all[id];
  if (before?.table === table) return undefined;
  const wins = mood !== 'win' ? 0 : before?.program === program ? before.wins + 1 : 1;
  const level = Number(/^level:(\d+)$/.exec(program)?.[1]);
  const next = `level:${level + 1}`;
  const up = wins >= 2 && findGame(game)?.players.includes(next);
  write(STORED, { ...all, [id]: { program, wins: up ? 0 : wins, table } });
  return up ? next : undefined;
}

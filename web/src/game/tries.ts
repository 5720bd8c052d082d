// Games that were played on from the decisive moment of another one.

import { read, write } from '../settings.svelte';

export interface Try {
  /** The table of the game that was lost. */
  from: string;
  /** Which move of the reader it began at, from 1. */
  nth: number;
  /** The move that would have been right there. */
  right?: string;
}

const STORED = 'alinea.tries';
/** How many are remembered. */
const MOST = 20;

const all = (): [string, Try][] => read<[string, Try][]>(STORED) ?? [];

/** What a table was played on from, if it was. */
export const tryOf = (table: string): Try | undefined => all().find(([id]) => id === table)?.[1];

export function rememberTry(table: string, from: Try): void {
  write(STORED, [[table, from] as const, ...all()].slice(0, MOST));
}

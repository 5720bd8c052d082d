// Small boards and tables for the tests.

import type { Choice, GameEntry, Piece, Side, Snapshot, View } from '../src/protocol';
import { useGames } from '../src/game/games.svelte';
import * as golden from './golden';

/** The games of the golden messages by their ids; `hexago` is one that the page has never heard of. */
export const GAMES: Record<string, GameEntry> = {
  ...Object.fromEntries(Object.values(golden.games).map((info) => [info.id, { ...info, players: [], levels: 8 }])),
  hexago: golden.gameEntry,
};
useGames(Object.values(GAMES));

export function game(id: string): GameEntry {
  return GAMES[id]!;
}

/** Rows from the top; `x` is the first player's stone, `o` the second's. */
export function view(rows: string[], more: Partial<View> = {}): View {
  const stones: Record<string, Piece> = { x: { side: 'first', kind: 'stone' }, o: { side: 'second', kind: 'stone' } };
  return {
    rows: rows.length,
    cols: rows[0]!.length,
    cells: rows.flatMap((row) => [...row].map((letter) => stones[letter] ?? null)),
    hands: [[], []],
    last: [],
    line: null,
    shape: null,
    turn: 'first',
    outcome: null,
    ...more,
  };
}

export const drop = (column: number, row: number): Choice => ({
  move: String(column),
  to: `${String.fromCharCode(96 + column)}${row}`,
  kind: 'stone',
});

export function snapshot(more: Partial<Snapshot> = {}): Snapshot {
  return {
    table: 't',
    v: 1,
    settings: { game: 'connect-four:6x7x4', clock: { kind: 'none' }, rated: false, take_back: true, listed: true },
    seats: [
      { kind: 'person', id: 'g:1', name: 'marta' },
      { kind: 'program', name: 'level:3' },
    ],
    you: ['first'],
    is_creator: true,
    status: 'playing',
    moves: [],
    offers: {},
    chat: [],
    pace: { paused: false, delay_ms: 0 },
    presence: { here: [true, true], claim_ms: [null, null], watching: 0 },
    view: view(['...', '...']),
    legal: [drop(1, 1), drop(2, 1), drop(3, 1)],
    ...more,
  };
}

export const moveMade = (v: number, ply: number, move: string, side: Side = ply % 2 ? 'first' : 'second') => ({
  table: 't',
  v,
  at: 0,
  ply,
  side,
  move,
  view: view(['...', 'x..'], { turn: side === 'first' ? 'second' : 'first' }),
  legal: [drop(2, 1)],
});

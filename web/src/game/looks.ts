// How each game is shown and handled: its glyphs and what a click means. No rules: which moves there
// are, and where their pieces arrive, the server says.

import type { Kind, Piece } from '../protocol';
import type { Key } from '../words.svelte';

export type GameName = 'tic-tac-toe' | 'connect-four' | 'simplexity' | 'chess-five';

export interface Look {
  name: GameName;
  title: Key;
  /** Whether new pieces fall from the top, so that a whole column is one target. */
  falls: boolean;
  /** Whether the squares alternate. */
  chequered: boolean;
  /** How round the holes of the board are, if it has any. */
  hole?: number;
  glyph: (piece: Piece) => Glyph;
  /** What people call the sides. */
  sides: [Key, Key];
  /** The options that can be chosen: sizes offered first. */
  sizes: string[];
}

export type Glyph = 'x' | 'o' | 'disc' | 'ring' | 'round' | 'round-hollow' | 'square' | 'square-hollow' | Kind;

const SOLID: [Key, Key] = ['side.solid', 'side.outline'];

export const LOOKS: Record<GameName, Look> = {
  'tic-tac-toe': {
    name: 'tic-tac-toe',
    title: 'game.tic-tac-toe',
    falls: false,
    chequered: false,
    glyph: ({ side }) => (side === 'first' ? 'x' : 'o'),
    sides: ['side.x', 'side.o'],
    sizes: [],
  },
  'connect-four': {
    name: 'connect-four',
    title: 'game.connect-four',
    falls: true,
    chequered: false,
    hole: 40,
    glyph: ({ side }) => (side === 'first' ? 'disc' : 'ring'),
    sides: SOLID,
    sizes: ['6x7x4', '5x6x4', '7x8x4', '8x8x4', '7x9x4', '9x9x5'],
  },
  simplexity: {
    name: 'simplexity',
    title: 'game.simplexity',
    falls: true,
    chequered: false,
    hole: 16,
    glyph: ({ side, kind }) =>
      side === 'first' ? (kind === 'round' ? 'round' : 'square') : kind === 'round' ? 'round-hollow' : 'square-hollow',
    sides: SOLID,
    sizes: ['6x7x4', '5x6x4', '7x8x4', '8x8x4', '9x9x5'],
  },
  'chess-five': {
    name: 'chess-five',
    title: 'game.chess-five',
    falls: true,
    chequered: true,
    glyph: ({ kind }) => kind,
    sides: SOLID,
    sizes: [],
  },
};

export const GAMES = Object.keys(LOOKS) as GameName[];

/** `connect-four` of `connect-four:6x7x4`. */
export function gameName(game: string): GameName {
  const name = game.split(':')[0] as GameName;
  return name in LOOKS ? name : 'connect-four';
}

export const look = (game: string): Look => LOOKS[gameName(game)];

/** The numbers of `connect-four:6x7x4` or `simplexity:6x7x4:21+21`, if it says them. */
export function size(game: string): { rows: number; cols: number; run: number } | undefined {
  const found = /:(\d+)x(\d+)(?:x(\d+))?/.exec(game);
  if (!found) return undefined;
  return { rows: Number(found[1]), cols: Number(found[2]), run: Number(found[3] ?? 4) };
}

// A characteristic picture of each game for its card.

import type { GameInfo, Piece } from '../protocol';

const KINDS: Record<string, string> = {
  r: 'rook',
  n: 'knight',
  b: 'bishop',
  q: 'queen',
  k: 'king',
  o: 'round',
  s: 'square',
  x: 'stone',
};

/** Rows from the top; capitals are the first player's. */
function poster(rows: string[]): { rows: number; cols: number; cells: (Piece | null)[] } {
  const cells = rows.flatMap((row) =>
    [...row].map((letter): Piece | null => {
      const kind = KINDS[letter.toLowerCase()];
      return kind ? { side: letter === letter.toUpperCase() ? 'first' : 'second', kind } : null;
    }),
  );
  return { rows: rows.length, cols: rows[0]!.length, cells };
}

export const POSTERS: Record<string, ReturnType<typeof poster>> = {
  'tic-tac-toe': poster(['X.x', '.Xx', 'x.X']),
  'connect-four': poster(['.....', '..X..', '.xXx.', 'XxXXx']),
  simplexity: poster(['.....', '..o..', '.SOs.', 'OsSoO']),
  'chess-five': poster(['..q..', '.N.r.', 'bQKn.', 'RNBbR']),
  popout: poster(['.....', '.xX..', 'xXx..', 'XxxX.']),
  gomoku: poster(['.....X.', '..x.Xx.', '..xXx..', '..XxX..', '.X.....']),
};

/** The picture of a game: a characteristic position, or the empty board of a game that only the server knows. */
export function posterOf({ id, size: { rows, cols } }: GameInfo): ReturnType<typeof poster> {
  const empty = (): string[] =>
    Array.from({ length: Math.min(rows.usual, 9) }, () => '.'.repeat(Math.min(cols.usual, 9)));
  return POSTERS[id] ?? poster(empty());
}

// A characteristic picture of each game for its card.

import type { Kind, Piece } from '../protocol';
import type { GameName } from './looks';

const KINDS: Record<string, Kind> = { r: 'rook', n: 'knight', b: 'bishop', q: 'queen', k: 'king', o: 'round', s: 'square', x: 'stone' };

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

export const POSTERS: Record<GameName, ReturnType<typeof poster>> = {
  'tic-tac-toe': poster(['X.x', '.Xx', 'x.X']),
  'connect-four': poster(['.....', '..X..', '.xXx.', 'XxXXx']),
  simplexity: poster(['.....', '..o..', '.SOs.', 'OsSoO']),
  'chess-five': poster(['..q..', '.N.r.', 'bQKn.', 'RNBbR']),
};

// Where the pieces of a line of play would come to stand, to show it on the board.

import { api } from '../api';
import type { Played } from '../protocol';
import type { Followed } from './boardState.svelte';
import { pieceAt, spot } from './cells';

/** The most moves of a line that are shown. */
export const AHEAD = 5;

/** The pieces of the first moves of a line that is played from a position. Fails with an `ApiFailure`. */
export async function piecesAhead({ game, position, moves }: Played, line: string[]): Promise<Followed[]> {
  const shown = line.slice(0, AHEAD);
  const plies = await api.positions({ game, position, moves: [moves, ...shown].filter(Boolean).join(' ') });
  return plies.slice(-shown.length).flatMap(({ view }, at) => {
    const cell = view.last.at(-1);
    const piece = cell && pieceAt(view, spot(cell));
    return piece ? [{ ...piece, cell, n: at + 1 }] : [];
  });
}

// The positions of a line of play that could follow.

import { api } from '../api';
import type { Played, ReplayStep } from '../protocol';

/** The most moves of a line that are shown at once. */
export const AHEAD = 5;

/** The positions after each move of a line that is played from a position. Fails with an `ApiFailure`. */
export async function positionsAhead({ game, position, moves }: Played, line: string[]): Promise<ReplayStep[]> {
  const plies = await api.positions({ game, position, moves: [moves, ...line].filter(Boolean).join(' ') });
  return plies.slice(-line.length);
}

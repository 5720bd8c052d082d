// The lines behind a threat. A program says on which cells a side could win; which pieces lead there only the rules know.
// So the server is asked what it would look like if the side to move did something else and the threat were carried out.

import { api, type Played } from '../api';
import type { Choice, Side } from '../protocol.generated';
import { other } from '../sides';

export interface Threat {
  side: Side;
  /** The cells of the line in order, those that are still empty included. */
  line: string[];
}

/** How many other moves are tried: one may happen to be in the way. */
const TRIES = 3;

/** The lines with which the opponent of `turn` would win on these cells. Fails with an `ApiFailure`. */
export async function findThreats({ game, position, moves }: Played, legal: Choice[], turn: Side, cells: string[]): Promise<Threat[]> {
  const ask = async (line: string[]) => (await api.positions({ game, position, moves: [moves, ...line].filter(Boolean).join(' ') })).at(-1)!;
  const found = new Map<string, Threat>();
  for (const { move: aside } of legal.filter(({ to }) => !cells.includes(to)).slice(0, TRIES)) {
    const missing = cells.filter((cell) => !found.has(cell));
    if (!missing.length) break;
    const replies = (await ask([aside])).legal;
    for (const cell of missing) {
      for (const reply of replies.filter(({ to }) => to === cell).slice(0, TRIES)) {
        const { view } = await ask([aside, reply.move]);
        if (view.outcome === other(turn) && view.line?.includes(cell)) found.set(cell, { side: other(turn), line: view.line });
        if (found.has(cell)) break;
      }
    }
  }
  return [...found.values()];
}

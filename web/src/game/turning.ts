// The move that decided a game, read off its review: after it, the winner did not let the win go again.

import type { GameResult, ReviewedMove, Side } from '../protocol';

export interface Turning {
  ply: number;
  move: string;
  side: Side;
  /** Whether the reader made it. */
  mine: boolean;
}

/** Whether there is such a move to look for: not in games of a few moves, nor where none was won. */
export const mayTurn = ({ winner, reason }: GameResult, moves: number): boolean =>
  winner !== null && reason !== 'aborted' && moves >= 4;

/** The last blunder of the loser, or result that the loser threw away; none if the winner was never let in. */
export function turningOf(
  review: ReviewedMove[],
  winner: Side | null | undefined,
  you: Side | undefined,
): Turning | undefined {
  if (!winner) return undefined;
  const fault = review.findLast(({ side, mark }) => side !== winner && /^(blunder|throws)/.test(mark ?? ''));
  return fault && { ply: fault.number, move: fault.played.move, side: fault.side, mine: fault.side === you };
}

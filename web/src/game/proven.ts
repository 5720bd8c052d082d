// What an assessment says of its best move, without words: every board reads it, the words for it come later.

import type { Assessment, Proven, Thought, Verdict } from '../protocol';

export const provenOf = (verdict: Verdict | undefined): Proven | undefined =>
  verdict?.kind === 'proven' ? verdict : undefined;

/** The expected result for the side to move, from −1 to 1. */
export const chanceOf = (verdict: Verdict): number =>
  verdict.kind === 'proven' ? { win: 1, draw: 0, loss: -1 }[verdict.result] : verdict.chance;

/** Why the best move is best, in the form in which programs explain theirs. */
export function thoughtOf({ moves: [best], reasons = [], nodes, depth }: Assessment): Thought | undefined {
  return best && { move: best.move, candidates: [best.move], score: null, line: best.line, reasons, nodes, depth };
}

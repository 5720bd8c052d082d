// The key moments of a reviewed game: the moves that changed its result, each in one sentence.

import type { Proven, ReviewedMove, Side } from '../protocol';
import { t, type Key } from '../i18n.svelte';
import { provenOf } from './verdicts';

export type MomentKind = 'throws-win' | 'slips-win' | 'throws-draw' | 'blunder' | 'mistake' | 'inaccuracy';

export interface Moment {
  /** The number of the move, from 1. */
  number: number;
  side: Side;
  kind: MomentKind;
  /** Whether results are proven, so that the sentence is certain. */
  isProven: boolean;
  played: string;
  best: string;
}

const result = ({ verdict }: ReviewedMove['played']): Proven['result'] | undefined => provenOf(verdict)?.result;

function kindOf(move: ReviewedMove): MomentKind | undefined {
  // A win given away can still be a draw.
  if (move.mark === 'throws-win') return result(move.played) === 'draw' ? 'slips-win' : 'throws-win';
  return move.mark;
}

/** The moments of a review in order; of one side only, if it is named. */
export const momentsOf = (review: ReviewedMove[], of?: Side): Moment[] =>
  review.flatMap((move) => {
    const kind = kindOf(move);
    if (!kind || (of && move.side !== of)) return [];
    return [
      {
        number: move.number,
        side: move.side,
        kind,
        isProven: result(move.played) !== undefined,
        played: move.played.move,
        best: move.best.move,
      },
    ];
  });

/** “You throw away the win”, “Zigzag throws away the win”. */
export const momentSentence = ({ kind, side }: Moment, name: (side: Side) => string, you: Side | undefined): string =>
  side === you ? t(`moment-you.${kind}` as Key) : t(`moment.${kind}` as Key, { name: name(side) });

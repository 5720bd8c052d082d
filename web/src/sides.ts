// The two sides of a game, their seats, and how the reader sees them.

import type { Side, Snapshot } from './protocol';

export const SIDES: readonly Side[] = ['first', 'second'];
export const other = (side: Side): Side => (side === 'first' ? 'second' : 'first');
export const seat = (side: Side): 0 | 1 => (side === 'first' ? 0 : 1);

/** The side of a reader who plays one side; none for spectators and for those who play both. */
export const yourSide = ({ you }: Pick<Snapshot, 'you'>): Side | undefined => (you.length === 1 ? you[0] : undefined);

/** The side of that reader's opponent. */
export function opponentSide(table: Pick<Snapshot, 'you'>): Side | undefined {
  const you = yourSide(table);
  return you && other(you);
}

/** Whether another person plays, or is waited for. */
export const hasOthers = ({ seats, you }: Pick<Snapshot, 'seats' | 'you'>): boolean =>
  seats.some(({ kind }, at) => kind !== 'program' && !you.includes(SIDES[at]!));

export const isYourTurn = ({ status, you, view }: Pick<Snapshot, 'status' | 'you' | 'view'>): boolean =>
  status === 'playing' && you.includes(view.turn);

// The two sides of a game and their seats.

import type { Side } from './protocol';

export const SIDES: readonly Side[] = ['first', 'second'];
export const other = (side: Side): Side => (side === 'first' ? 'second' : 'first');
export const seat = (side: Side): 0 | 1 => (side === 'first' ? 0 : 1);

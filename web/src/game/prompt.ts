// Whose move it is and what to do next, in a sentence to the reader.

import { t, type Key } from '../i18n.svelte';
import type { Choice, GameInfo, Snapshot } from '../protocol';
import { seat } from '../sides';
import { infoOf } from './games.svelte';
import { isMoving } from './input';
import { occupantName, sideName } from './phrases';

/** `sending` is a move on its way to the server, `hasTray` that a piece is chosen before its place. */
export function promptFor(
  { status, view, legal, you, seats, settings: { game } }: Snapshot,
  { sending, hasTray }: { sending: boolean; hasTray: boolean },
): string {
  if (status === 'open') return t('status.open');
  if (sending) return t('status.sending');
  // The last piece may still be on its way; the card of the result follows.
  if (status !== 'playing') return '';
  if (!you.includes(view.turn)) return t('status.turn-of', { name: occupantName(seats[seat(view.turn)], game) });
  const gameInfo = infoOf(game);
  const whose =
    you.length > 1 ? t('status.turn-choose', { name: sideName(gameInfo, view.turn) }) : t('status.your-turn');
  return `${whose} ${t(whatToDo(gameInfo, legal, hasTray))}`;
}

function whatToDo(gameInfo: GameInfo, legal: Choice[], hasTray: boolean): Key {
  const out = legal.filter(({ from, to }) => from === to).length;
  if (out > 0) return out < legal.length ? 'prompt.or-out' : 'prompt.out';
  if (isMoving(legal)) return 'status.choose-piece';
  if (!gameInfo.falls) return 'status.choose-cell';
  return hasTray ? 'status.choose-kind' : 'status.choose-column';
}

// What is announced, in words and sounds, when a table changes. `ending.svelte.ts` announces the end.

import type { Event, MoveMade, Side, Snapshot } from '../protocol';
import { seat } from '../sides';
import type { Sound } from '../sound';
import { t, tn } from '../i18n.svelte';
import { saidText } from './said';
import { calledAt, moveSpoken, occupantName, personName } from './phrases';

type Offer = 'draw-offered' | 'draw-declined' | 'take-back-asked' | 'take-back-declined' | 'rematch-offered';

export interface Announcement {
  text?: string;
  sound?: Sound;
}

/** `table` is the table after it. */
export function announceMove({ side, move, view }: MoveMade, table: Snapshot): Announcement {
  const { you, settings } = table;
  const isMine = you.includes(side);
  if (isMine && you.length === 1) return {};
  return { text: t('say.played', { name: calledAt(table)(side), move: moveSpoken(settings.game, move, view) }) };
}

export function announceEvent(event: Event, table: Snapshot): Announcement {
  const { you, settings } = table;
  const name = (side: Side): string => occupantName(table.seats[seat(side)], settings.game);
  /** What one side did: “You …” to that side, its name to everyone else. At one screen both sides are named. */
  const byName = (offer: Offer, side: Side): string =>
    you.length === 1 && you.includes(side) ? t(`offer.you.${offer}`) : t(`offer.they.${offer}`, { name: name(side) });
  const offered = (offer: Offer, side: Side): Announcement =>
    you.includes(side) ? { text: byName(offer, side) } : { text: byName(offer, side), sound: 'call' };
  switch (event.kind) {
    case 'draw-offered':
      return offered('draw-offered', event.side);
    case 'draw-declined':
      return { text: byName('draw-declined', event.side) };
    case 'take-back-asked':
      return offered('take-back-asked', event.side);
    case 'take-back-declined':
      return { text: byName('take-back-declined', event.side) };
    case 'taken-back':
      return { text: tn('say.taken-back', event.ply) };
    case 'seated':
      return { text: t('say.seated', { name: occupantName(event.occupant, settings.game) }), sound: 'call' };
    case 'rematch-offered':
      return offered('rematch-offered', event.side);
    case 'rematch':
      return you.length ? {} : { text: t('say.rematch') };
    case 'chat':
      return { text: `${personName(event.from)}: ${saidText(event.text)}` };
    default:
      return {};
  }
}

// What is said and heard when something happens at a table.

import type { Event, MoveMade, Side, Snapshot } from '../protocol.generated';
import { seat } from '../sides';
import type { Sound } from '../sound';
import { t, tn } from '../words.svelte';
import { infoOf } from './games.svelte';
import { moveSpoken, resultHeadline, resultHow, sideName, occupantName } from './say';

export interface Telling {
  text?: string;
  sound?: Sound;
}

/** `table` is the table after it. */
export function tellMove({ side, move, view }: MoveMade, table: Snapshot): Telling {
  const { you, seats, settings } = table;
  const isMine = you.includes(side);
  if (isMine && you.length === 1) return { sound: 'place' };
  const name = you.length > 1 ? sideName(infoOf(settings.game), side) : occupantName(seats[seat(side)]);
  return { text: t('say.played', { name, move: moveSpoken(settings.game, move, view) }), sound: isMine ? 'place' : 'reply' };
}

export function tellEvent(event: Event, table: Snapshot): Telling {
  const { you, settings, view } = table;
  const name = (side: Side): string => occupantName(table.seats[seat(side)]);
  const called = (side: Side, text: string): Telling => (you.includes(side) ? { text } : { text, sound: 'call' });
  switch (event.kind) {
    case 'ended': {
      const headline = resultHeadline(infoOf(settings.game), event, you);
      const isLost = you.length === 1 && event.winner && event.winner !== you[0];
      return {
        text: `${headline} ${resultHow(settings.game, view, event)}`,
        sound: !event.winner ? 'draw' : isLost ? 'loss' : 'win',
      };
    }
    case 'draw-offered':
      return called(event.side, t('say.draw-offered', { name: name(event.side) }));
    case 'draw-declined':
      return { text: t('say.draw-declined', { name: name(event.side) }) };
    case 'take-back-asked':
      return called(event.side, t('say.take-back-asked', { name: name(event.side) }));
    case 'take-back-declined':
      return { text: t('say.take-back-declined', { name: name(event.side) }) };
    case 'taken-back':
      return { text: tn('say.taken-back', event.ply) };
    case 'seated':
      return { text: t('say.seated', { name: occupantName(event.occupant) }), sound: 'call' };
    case 'rematch-offered':
      return called(event.side, t('say.rematch-offered', { name: name(event.side) }));
    case 'rematch':
      return you.length ? {} : { text: t('say.rematch') };
    case 'chat':
      return { text: `${event.from}: ${event.text}` };
    default:
      return {};
  }
}

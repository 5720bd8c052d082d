// How a table changes with each message: pure functions from one snapshot to the next.

import type { Event, MoveMade, Snapshot, TableUpdate } from '../protocol';
import { other } from '../sides';

/** The table after a message; `gap` if a message before it was missed. */
export function apply(table: Snapshot, happened: TableUpdate): Snapshot | 'gap' {
  if (happened.v <= table.v) return table;
  if (happened.v > table.v + 1) return 'gap';
  const next: Snapshot | 'gap' = 'event' in happened ? applyEvent(table, happened.event) : applyMove(table, happened);
  if (next === 'gap') return 'gap';
  const { v, clocks, view, legal } = happened;
  return {
    ...next,
    v,
    ...(clocks && { clocks }),
    ...(view && { view }),
    ...(legal && { legal }),
  };
}

function applyMove(table: Snapshot, { ply, side, move, at, clocks, thought }: MoveMade): Snapshot | 'gap' {
  if (ply !== table.moves.length + 1) return 'gap';
  const made = { move, at, ...(clocks && { left_ms: clocks.left_ms }), ...(thought && { thought }) };
  // A move declines the draw that the opponent offered and cancels a request to take back.
  const declined = table.offers.draw === other(side) ? without(table.offers, 'draw') : table.offers;
  return { ...table, moves: [...table.moves, made], offers: without(declined, 'take_back') };
}

function applyEvent(table: Snapshot, event: Event): Snapshot | 'gap' {
  const { offers } = table;
  switch (event.kind) {
    case 'created':
      return 'gap';
    case 'moved':
      return 'gap';
    case 'seated': {
      const seats: Snapshot['seats'] = [...table.seats];
      seats[event.side === 'first' ? 0 : 1] = event.occupant;
      const open = seats.some((occupant) => occupant.kind === 'open');
      return { ...table, seats, status: open ? 'open' : 'playing' };
    }
    case 'draw-offered':
      return { ...table, offers: { ...offers, draw: event.side } };
    case 'draw-declined':
      return { ...table, offers: without(offers, 'draw') };
    case 'take-back-asked':
      return { ...table, offers: { ...offers, take_back: event.side } };
    case 'take-back-declined':
      return { ...table, offers: without(offers, 'take_back') };
    case 'taken-back':
      return { ...table, moves: table.moves.slice(0, event.ply), offers: {} };
    case 'ended': {
      const { winner, reason, ratings } = event;
      const result = { winner, reason, ...(ratings && { ratings }) };
      return { ...table, status: 'ended', result, offers: {}, legal: [] };
    }
    case 'rematch-offered':
      return { ...table, offers: { ...offers, rematch: event.side } };
    case 'rematch':
      return { ...table, rematch: event.table, offers: without(offers, 'rematch') };
    case 'chat': {
      const { from, side, text } = event;
      return { ...table, chat: [...table.chat, { from, text, ...(side && { side }) }] };
    }
    case 'stepped':
      return table;
    case 'paced':
      return { ...table, pace: { paused: event.paused, delay_ms: event.delay_ms } };
  }
}

function without(offers: Snapshot['offers'], name: keyof Snapshot['offers']): Snapshot['offers'] {
  const rest = { ...offers };
  delete rest[name];
  return rest;
}

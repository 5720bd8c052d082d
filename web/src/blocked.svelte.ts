// The people whose messages the reader does not want to see, kept in this browser.

import type { Chat, Snapshot } from './protocol';
import { read, write } from './settings.svelte';
import { seat } from './sides';

const STORED = 'alinea.blocked';

/** Names by id: players are known by their id, spectators only by their name. */
let people = $state.raw<Record<string, string>>(read<Record<string, string>>(STORED) ?? {});

export const isBlocked = (id: string): boolean => id in people;

export function block(id: string, name: string, wanted: boolean): void {
  const { [id]: _, ...others } = people;
  people = wanted ? { ...others, [id]: name } : others;
  write(STORED, people);
}

/** Whether a message comes from a blocked person. */
export function isUnwanted({ from, side }: Chat, seats: Snapshot['seats']): boolean {
  const occupant = side && seats[seat(side)];
  return occupant?.kind === 'person' ? isBlocked(occupant.id) : Object.values(people).includes(from);
}

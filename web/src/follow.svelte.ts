// The players whose games the reader follows, kept in this browser.

import { read, write } from './settings.svelte';

const STORED = 'alinea.followed';

let names = $state.raw<string[]>(read<string[]>(STORED) ?? []);

export const followed = (): string[] => names;
export const follows = (name: string): boolean => names.includes(name);

export function follow(name: string, wanted: boolean): void {
  names = wanted ? [...names.filter((other) => other !== name), name] : names.filter((other) => other !== name);
  write(STORED, names);
}

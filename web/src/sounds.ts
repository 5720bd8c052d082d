// Sounds are loaded after the board, and only where they are wanted.

import { settings } from './settings.svelte';

export async function sounds(play: (on: typeof import('./sound')) => void): Promise<void> {
  if (settings.sound) play(await import('./sound'));
}

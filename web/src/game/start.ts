// Begins a game by a set-up.

import { api } from '../api';
import { go } from '../router.svelte';
import { gameOf, opponentOf, remember, type Setup } from './setup';

/** Makes the table and goes to it. Not for pairing. */
export async function start(game: string, setup: Setup): Promise<void> {
  const opponent = opponentOf(setup);
  if (!opponent) return;
  remember(game, setup);
  const { side, clock, rated, takeBack, listed, bots } = setup;
  const { table } = await api.createTable({
    game: gameOf(game, setup),
    opponent,
    side,
    clock,
    rated,
    take_back: takeBack,
    listed,
    bots: rated && bots,
  });
  go(`/g/${table}`);
}

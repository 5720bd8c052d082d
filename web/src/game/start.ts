// Begins a game by a set-up.

import { api } from '../api';
import type { Snapshot } from '../protocol';
import { go } from '../router.svelte';
import { opponentSide, seat } from '../sides';
import { gameId } from './games.svelte';
import type { Moment } from './lookback';
import { clockOf, gameOf, opponentOf, remember, remembered, type Setup } from './setup';
import { rememberTry } from './tries';

/** Makes the table, plays the first move if there is one, and goes to it. Not for pairing. */
export async function start(game: string, setup: Setup, first?: string): Promise<void> {
  const opponent = opponentOf(setup);
  if (!opponent) return;
  // Watching programs says nothing about the next game of one's own.
  if (setup.opponent !== 'demo') remember(game, setup);
  const { side, rated, takeBack, listed, bots } = setup;
  const { table } = await api.createTable({
    game: gameOf(game, setup),
    opponent,
    side,
    clock: clockOf(setup),
    rated,
    take_back: takeBack,
    listed,
    bots: rated && bots,
  });
  if (first !== undefined) await api.makeMove(table, 1, first);
  go(setup.opponent === 'demo' ? `/watch/${table}` : `/g/${table}`);
}

/** Begins the same game against another level. */
export async function startNext({ settings, you }: Snapshot, name: string): Promise<void> {
  const { game, clock, take_back, listed } = settings;
  const { table } = await api.createTable({
    game,
    opponent: { kind: 'program', name },
    side: you[0] ?? 'first',
    clock,
    rated: false,
    take_back,
    listed,
  });
  go(`/g/${table}`);
}

/** Begins the next even match of a game, on its usual board. */
export async function startEven(game: string): Promise<void> {
  const { program } = await (await import('../improve/even')).nextEven(game);
  const { table } = await api.createTable({
    game: gameId(game),
    opponent: { kind: 'program', name: program },
    side: 'random',
    clock: { kind: 'none' },
    rated: false,
    take_back: false,
    listed: false,
  });
  go(`/g/${table}`);
}

/** Plays on from a moment of a finished game: against the same program, or against one where a person played. */
export async function startAgain(
  table: Snapshot,
  { position, side, nth, right }: Pick<Moment, 'position' | 'side' | 'nth' | 'right'>,
): Promise<void> {
  const { settings, seats, table: from } = table;
  const opponent = opponentSide(table);
  const occupant = opponent && seats[seat(opponent)];
  const name = occupant?.kind === 'program' ? occupant.name : remembered(gameId(settings.game)).program;
  const made = await api.createTable({
    game: settings.game,
    position,
    opponent: { kind: 'program', name },
    side,
    clock: { kind: 'none' },
    rated: false,
    take_back: true,
    listed: false,
  });
  rememberTry(made.table, { from, nth, right: right.move });
  go(`/g/${made.table}`);
}

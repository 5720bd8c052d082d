// Games of this browser for the account of the reader, who has to ask for it.

import { ApiFailure, send } from '../http';
import type { KeptGame, NewTable, TableCreated } from '../protocol';
import { markSent, unsent, type Kept } from './store';
import { recordOf } from './tables';

export const unsentCount = async (): Promise<number> => (await unsent()).length;

/** Sends the games one after the other; what was sent stays sent if the next one fails. */
export async function sendGames(): Promise<void> {
  for (const one of await unsent()) {
    await sendOne(keptGame(one));
    await markSent(one);
  }
}

/** A server takes some tables at once and then one each second. */
const PAUSE_MS = 1_000;

async function sendOne(game: KeptGame): Promise<void> {
  for (;;) {
    try {
      return void (await send<TableCreated>('POST', '/account/games', game));
    } catch (error) {
      if (!(error instanceof ApiFailure && error.code === 'too-fast')) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

function keptGame({ table: id, snapshot, summary }: Kept): KeptGame {
  const { settings, seats, result } = snapshot;
  const { moves, ...start } = recordOf(snapshot);
  const [first, second] = seats;
  const program = first.kind === 'program' ? first : second.kind === 'program' ? second : undefined;
  const table: NewTable = {
    ...start,
    opponent: program ? { kind: 'program', name: program.name } : { kind: 'here' },
    side: first.kind === 'program' ? 'second' : 'first',
    clock: settings.clock,
    rated: false,
    take_back: settings.take_back,
    listed: false,
  };
  return { id, table, moves, result: { winner: result!.winner, reason: result!.reason }, ended_at: summary.updated_at };
}

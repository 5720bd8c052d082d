// What needs no server, done in this browser by the WebAssembly core: games against programs and at one screen, positions,
// analysis, review. `api.ts` comes here first.

import { query, send } from '../http';
import type {
  Assessment,
  NewTable,
  Played,
  ReviewedMove,
  TableCreated,
  TableFilter,
  TableList,
  TableSummary,
} from '../protocol';
import { HAS_SERVER } from '../site';
import { loadCore, type Core } from './core';
import { tables } from './store';
import { isListed } from './tables';
import { localTables } from './wire';

export { loadCore, readyCore } from './core';
export { sendGames, unsentCount } from './account';
export { kept } from './store';
export { localTables, wire } from './wire';

/** Time for each move of a review, in milliseconds, as on a server. */
const REVIEW_MS = 100;

/** Whether a game is played by one person at most, and not for a rating. */
const needsNoServer = ({ rated, opponent }: NewTable): boolean =>
  !rated && ['here', 'program', 'demo'].includes(opponent.kind);

export const analysis = (core: Core, record: Played, lines: number, time_ms: number): Promise<Assessment> =>
  core.think({ assess: { record, lines, time_ms } });

export const review = (core: Core, record: Played, onmove: (reviewed: ReviewedMove) => void): Promise<unknown> =>
  core.think({ review: { record, time_ms: REVIEW_MS } }, onmove);

/** Begins a game: in this browser, unless it needs a server or the browser cannot. */
export async function createTable(table: NewTable): Promise<TableCreated> {
  const core = needsNoServer(table) && (await loadCore().catch(() => undefined));
  return core ? { table: await localTables.create(table) } : send('POST', '/tables', table);
}

/** The games of this browser that a list asks for. */
async function localGames(filter: TableFilter, withSent: boolean): Promise<TableSummary[]> {
  if (filter.before || filter.live || !(filter.player === 'me' || filter.turn)) return [];
  // What programs play among themselves is nobody's own game.
  return (await tables(withSent)).filter(
    (table) => isListed(table, filter) && table.seats.some(({ kind }) => kind === 'person'),
  );
}

/** Tables of the server, one's own with those of this browser. */
export async function listTables(filter: TableFilter): Promise<TableList> {
  const [there] = await Promise.allSettled([send<TableList>('GET', `/tables${query({ ...filter })}`)]);
  // What an account has is listed by the server while it answers.
  const own = await localGames(filter, there.status === 'rejected').catch(() => []);
  if (there.status === 'rejected' && HAS_SERVER && !own.length) throw there.reason;
  const list: TableList = there.status === 'fulfilled' ? there.value : { tables: [] };
  return own.length ? { ...list, tables: [...own, ...list.tables].sort((a, b) => b.updated_at - a.updated_at) } : list;
}

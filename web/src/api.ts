// The HTTP side of the server, and what the browser does without it.

import { ApiFailure, segment, send } from './http';
import type {
  Assessment,
  GameEntry,
  Me,
  NewTable,
  Played,
  Replay,
  ReplayStep,
  ReviewedMove,
  ServerInfo,
  Snapshot,
  TableCreated,
  TableFilter,
  TableList,
} from './protocol';

/** Returns all positions of a game, which arrive in parts on large boards. */
async function allPositions(ask: (from: number) => Promise<Replay>): Promise<ReplayStep[]> {
  const plies: ReplayStep[] = [];
  for (;;) {
    const replay = await ask(plies.length);
    plies.push(...replay.plies);
    if (plies.length > replay.moves || !replay.plies.length) return plies;
  }
}

/** Games of this browser have addresses of their own. */
export const isLocal = (table: string): boolean => table.startsWith('here-');

type Local = typeof import('./local');
type Core = Awaited<ReturnType<Local['loadCore']>>;
let loaded: Local | undefined;
/** What the browser needs to do without a server. */
export const local = async (): Promise<Local> => (loaded = await import('./local'));

/** The core of this browser, if it is there. */
export const localCore = (): Core | undefined => loaded?.readyCore();

/** Asks the core of this browser if it is there, otherwise the server; if that does not answer, waits for the core. */
async function either<T>(here: (module: Local, core: Core) => Promise<T>, there: () => Promise<T>): Promise<T> {
  const core = localCore();
  if (core) return here(loaded!, core);
  try {
    return await there();
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.code !== 'no-answer') throw error;
    const module = await local().catch(() => undefined);
    const core = await module?.loadCore().catch(() => undefined);
    if (!core) throw error;
    return here(module!, core);
  }
}

export const api = {
  me: () => send<Me>('GET', '/me'),
  games: () =>
    either(
      (_, core) => core.ask<GameEntry[]>({ games: {} }),
      () => send<GameEntry[]>('GET', '/games'),
    ),
  createTable: async (table: NewTable): Promise<TableCreated> => (await local()).createTable(table),
  tables: async (filter: TableFilter = {}): Promise<TableList> => (await local()).listTables(filter),
  makeMove: async (table: string, ply: number, move: string): Promise<unknown> =>
    isLocal(table)
      ? (await local()).localTables.answer('make-move', { table, ply, move })
      : send('POST', `/tables/${segment(table)}/make-move`, { ply, move }),
  table: async (id: string) =>
    isLocal(id) ? (await local()).kept(id) : send<Snapshot>('GET', `/tables/${segment(id)}`),
  positions: (record: Played) =>
    either(
      (_, core) => allPositions((from) => core.ask({ positions: { record: { ...record, from } } })),
      () => allPositions((from) => send('POST', '/position', { ...record, from })),
    ),
  analysis: (record: Played, lines: number, time_ms: number): Promise<Assessment> =>
    either(
      (local, core) => local.analysis(core, record, lines, time_ms),
      async () => (await import('./studyApi')).analysis(record, lines, time_ms),
    ),
  review: (record: Played, onmove: (reviewed: ReviewedMove) => void) =>
    either<unknown>(
      (local, core) => local.review(core, record, onmove),
      async () => (await import('./studyApi')).review(record, onmove),
    ),
  server: () => send<ServerInfo>('GET', '/server'),
};

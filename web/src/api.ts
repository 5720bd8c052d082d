// The HTTP side of the server, and what the browser does without it.

import type {
  Assessment,
  Choice,
  ErrorCode,
  GameEntry,
  GameRecord,
  Me,
  NewTable,
  Replay,
  ReplayStep,
  ReviewedMove,
  ServerInfo,
  Snapshot,
  Status,
  TableCreated,
  TableList,
  View,
} from './protocol';
import { HAS_SERVER } from './site';

/** A rejected request. `no-answer`: the server could not be reached. */
export class ApiFailure extends Error {
  constructor(
    readonly code: ErrorCode | 'no-answer',
    message: string,
  ) {
    super(message);
  }
}

export async function request(method: string, path: string, body?: unknown): Promise<Response> {
  const headers = { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  if (!HAS_SERVER) throw new ApiFailure('no-answer', 'there is no server');
  try {
    return await fetch(`/api${path}`, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  } catch {
    throw new ApiFailure('no-answer', 'the server does not answer');
  }
}

export async function read<T>(response: Response): Promise<T> {
  const text = await response.text();
  let data: unknown = null;
  try {
    data = text ? JSON.parse(text) : null;
  } catch {
    throw new ApiFailure('no-answer', 'the response is not JSON');
  }
  if (response.ok) return data as T;
  const { code = 'no-answer', message = response.statusText } = (data ?? {}) as { code?: ErrorCode; message?: string };
  throw new ApiFailure(code, message);
}

export async function send<T>(method: string, path: string, body?: unknown): Promise<T> {
  return read(await request(method, path, body));
}

export const query = (fields: Record<string, string | number | boolean | undefined>): string => {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return given.length ? `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}` : '';
};
export const at = encodeURIComponent;

/** A game up to some move, as a client records it. */
export type Played = Pick<GameRecord, 'game' | 'moves'> & { position?: string | undefined };

/** The board after some moves, and the legal moves. */
export interface Frame {
  view: View;
  legal: Choice[];
}

export interface TableFilter {
  status?: Status;
  game?: string;
  player?: string;
  /** Only games with a move within the last minutes. */
  live?: boolean;
  /** Only your games in which it is your turn. */
  turn?: boolean;
  /** With boards, which live games always have. */
  boards?: boolean;
  before?: string | undefined;
}

/** All positions of a game; on large boards the server sends them in parts. */
async function positions(record: Played): Promise<ReplayStep[]> {
  const plies: ReplayStep[] = [];
  for (;;) {
    const replay = await send<Replay>('POST', '/position', { ...record, from: plies.length });
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
      : send('POST', `/tables/${at(table)}/make-move`, { ply, move }),
  table: async (id: string) => (isLocal(id) ? (await local()).kept(id) : send<Snapshot>('GET', `/tables/${at(id)}`)),
  positions: (record: Played) =>
    either(
      (local, core) => local.positions(core, record),
      () => positions(record),
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

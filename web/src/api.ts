// The HTTP side of the server.

import type {
  Assessment,
  Choice,
  ClockKind,
  ErrorCode,
  GameEntry,
  GameRecord,
  GuestWords,
  Me,
  NewReport,
  NewTable,
  Profile,
  RankingEntry,
  RatingPoint,
  RecoveryCode,
  Replay,
  ReplayStep,
  ReviewedMove,
  ServerInfo,
  SessionSummary,
  Snapshot,
  Status,
  TableCreated,
  TableList,
  TokenCreated,
  TokenSummary,
  View,
} from './protocol.generated';

/** A rejected request. `no-answer`: the server could not be reached. */
export class ApiFailure extends Error {
  constructor(
    readonly code: ErrorCode | 'no-answer',
    message: string,
  ) {
    super(message);
  }
}

async function request(method: string, path: string, body?: unknown): Promise<Response> {
  const headers = { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  try {
    return await fetch(`/api${path}`, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  } catch {
    throw new ApiFailure('no-answer', 'the server does not answer');
  }
}

async function read<T>(response: Response): Promise<T> {
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

async function send<T>(method: string, path: string, body?: unknown): Promise<T> {
  return read(await request(method, path, body));
}

/** Sends a request whose response is one JSON object per line, and hands over each as it arrives. */
async function sendForLines<T>(path: string, body: unknown, online: (line: T) => void): Promise<void> {
  const response = await request('POST', path, body);
  if (!response.ok || !response.body) return void (await read(response));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read().catch(() => {
      throw new ApiFailure('no-answer', 'the response was cut off');
    });
    const lines = (rest + (value ?? '')).split('\n');
    rest = done ? '' : (lines.pop() ?? '');
    for (const line of lines.filter(Boolean)) online(JSON.parse(line) as T);
    if (done) return;
  }
}

/** Repeats a request with increasing delays while the server is busy. */
async function retryWhileBusy<T>(request: () => Promise<T>): Promise<T> {
  for (let wait = 300; ; wait *= 2) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof ApiFailure && error.code === 'busy') || wait > 3_000) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

const query = (fields: Record<string, string | number | boolean | undefined>): string => {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return given.length ? `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}` : '';
};
const at = encodeURIComponent;

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

export const api = {
  me: () => send<Me>('GET', '/me'),
  rename: (name: string) => send<Me>('PUT', '/me', { name }),
  guestNames: () => send<GuestWords>('GET', '/guest-names'),
  games: () => send<GameEntry[]>('GET', '/games'),
  createTable: (table: NewTable) => send<TableCreated>('POST', '/tables', table),
  tables: (filter: TableFilter = {}) => send<TableList>('GET', `/tables${query({ ...filter })}`),
  makeMove: (table: string, ply: number, move: string) => send<unknown>('POST', `/tables/${at(table)}/make-move`, { ply, move }),
  table: (id: string) => send<Snapshot>('GET', `/tables/${at(id)}`),
  code: (code: string) => send<TableCreated>('GET', `/codes/${at(code)}`),
  positions,
  analysis: (record: Played, lines: number, time_ms: number) =>
    retryWhileBusy(() => send<Assessment>('POST', '/analysis', { ...record, lines, time_ms })),
  review: (record: Played, onmove: (reviewed: ReviewedMove) => void) => retryWhileBusy(() => sendForLines('/review', record, onmove)),
  ranking: (game: string, kind: ClockKind, offset = 0) =>
    send<RankingEntry[]>('GET', `/ranking/${at(game)}${query({ kind, offset })}`),
  profile: (name: string) => send<Profile>('GET', `/players/${at(name)}`),
  gamesOf: (name: string, filter: TableFilter = {}) => send<TableList>('GET', `/players/${at(name)}/games${query({ ...filter })}`),
  ratingsOf: (name: string, game: string, kind: ClockKind) =>
    send<RatingPoint[]>('GET', `/players/${at(name)}/ratings${query({ game, kind })}`),
  signUp: (name: string, password: string) => send<Me>('POST', '/account', { name, password }),
  signIn: (name: string, password: string) => send<Me>('POST', '/session', { name, password }),
  changePassword: (old: string, password: string) => send<unknown>('PUT', '/account/password', { old, new: password }),
  recoveryCode: (password: string) => send<RecoveryCode>('POST', '/account/recovery-code', { password }),
  recover: (name: string, code: string, password: string) => send<Me>('POST', '/session/recovery', { name, code, password }),
  deleteAccount: (password: string) => send<unknown>('DELETE', '/account', { password }),
  report: (report: NewReport) => send<unknown>('POST', '/reports', report),
  server: () => send<ServerInfo>('GET', '/server'),
  signOut: () => send<unknown>('DELETE', '/session'),
  sessions: () => send<SessionSummary[]>('GET', '/sessions'),
  endSession: (id: string) => send<unknown>('DELETE', `/sessions/${at(id)}`),
  tokens: () => send<TokenSummary[]>('GET', '/tokens'),
  makeToken: (label: string) => send<TokenCreated>('POST', '/tokens', { label }),
  revokeToken: (id: string) => send<unknown>('DELETE', `/tokens/${at(id)}`),
};

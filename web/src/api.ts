// The HTTP side of the server.

import { programs } from './game/programs';
import type {
  Choice,
  ClockKind,
  Code,
  GameLine,
  Info,
  InfoLine,
  Me,
  NewTable,
  Profile,
  Proven,
  RankingEntry,
  RatingPoint,
  SessionSummary,
  Side,
  Snapshot,
  Status,
  TableSummary,
  TableCreated,
  Thought,
  View,
} from './protocol';

/** A request that was not done, and why. */
export class Refusal extends Error {
  constructor(
    readonly code: Code | 'no-answer',
    message: string,
  ) {
    super(message);
  }
}

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  let response: Response;
  const headers = { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  try {
    response = await fetch(`/api${path}`, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  } catch {
    throw new Refusal('no-answer', 'the server does not answer');
  }
  const text = await response.text();
  let data: unknown = null;
  try {
    data = text ? JSON.parse(text) : null;
  } catch {
    throw new Refusal('no-answer', 'the server answers in riddles');
  }
  if (response.ok) return data as T;
  const { code = 'no-answer', message = response.statusText } = (data ?? {}) as { code?: Code; message?: string };
  throw new Refusal(code, message);
}

/** Asks again a few times if the server has too much to think about just now. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (let wait = 300; ; wait *= 2) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'busy') || wait > 3_000) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

const query = (fields: Record<string, string | number | boolean | undefined>): string => {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return given.length ? `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}` : '';
};
const at = encodeURIComponent;

/** A game up to some move: how positions are asked for. */
export interface Course {
  game: string;
  position?: string | undefined;
  moves: string;
}

/** The board after some moves, and what may follow. */
export interface Frame {
  view: View;
  legal: Choice[];
}

/** A frame of a whole game, with the last move as it is written. */
export interface Shown extends Frame {
  ply: number;
  move?: string;
  position: string;
}

interface Walk {
  game: string;
  moves: number;
  plies: Shown[];
}

export interface Analysis {
  info: Info;
  /** What our best player would do, and why; none when the game is over. */
  thought: Thought | null;
  /** Connect Four, where it could be solved in time: what each column leads to, none for a full one. */
  columns?: (Proven | null)[] | null;
}

export type Mark = 'inaccuracy' | 'mistake' | 'blunder' | 'missed-win';

/** A move of a game and what would have been best. */
export interface Reviewed {
  /** The number of the move, from 1. */
  number: number;
  side: Side;
  played: InfoLine;
  best: InfoLine;
  /** How much of its chance the side gave away: 0 nothing, 2 a win for a loss. */
  loss: number;
  mark: Mark | null;
  /** How likely the first player wins after the move, from −1 to 1. */
  chance: number;
}

export interface TableFilter {
  status?: Status;
  game?: string;
  player?: string;
  before?: string | undefined;
}

export interface TableList {
  tables: TableSummary[];
  next?: string | null;
}

/** The whole course of a game; on large boards the server tells it in parts. */
async function positions(course: Course): Promise<Shown[]> {
  const plies: Shown[] = [];
  for (;;) {
    const walk = await ask<Walk>('POST', '/position', { ...course, from: plies.length });
    plies.push(...walk.plies);
    if (plies.length > walk.moves || !walk.plies.length) return plies;
  }
}

export const api = {
  me: () => ask<Me>('GET', '/me'),
  games: async () => (await ask<GameLine[]>('GET', '/games')).map((line) => ({ ...line, players: programs(line.players) })),
  makeTable: (table: NewTable) => ask<TableCreated>('POST', '/tables', table),
  tables: (filter: TableFilter = {}) => ask<TableList>('GET', `/tables${query({ ...filter })}`),
  table: (id: string) => ask<Snapshot>('GET', `/tables/${at(id)}`),
  code: (code: string) => ask<TableCreated>('GET', `/codes/${at(code)}`),
  positions,
  analysis: (course: Course, lines: number, time_ms: number) =>
    patiently(() => ask<Analysis>('POST', '/analysis', { ...course, lines, time_ms })),
  review: async (course: Course) => (await patiently(() => ask<{ moves: Reviewed[] }>('POST', '/review', course))).moves,
  ranking: (game: string, kind: ClockKind, offset = 0) =>
    ask<RankingEntry[]>('GET', `/ranking/${at(game)}${query({ kind, offset })}`),
  profile: (name: string) => ask<Profile>('GET', `/players/${at(name)}`),
  gamesOf: (name: string, before?: string) => ask<TableList>('GET', `/players/${at(name)}/games${query({ before })}`),
  ratingsOf: (name: string, game: string, kind: ClockKind) =>
    ask<RatingPoint[]>('GET', `/players/${at(name)}/ratings${query({ game, kind })}`),
  signUp: (name: string, password: string) => ask<Me>('POST', '/account', { name, password }),
  signIn: (name: string, password: string) => ask<Me>('POST', '/session', { name, password }),
  changePassword: (old: string, password: string) => ask<unknown>('PUT', '/account/password', { old, new: password }),
  signOut: () => ask<unknown>('DELETE', '/session'),
  sessions: () => ask<SessionSummary[]>('GET', '/sessions'),
  endSession: (id: string) => ask<unknown>('DELETE', `/sessions/${at(id)}`),
};

// The package `alinea`: games, players, assessments, reviews and exact results in Node and browsers.

import type {
  Assessment,
  Command,
  Event,
  GameEntry,
  GameRecord,
  NewTable,
  Replay,
  ReviewedMove,
  Snapshot,
  Solution,
  TableUpdate,
  Thought,
} from './protocol.js';

export { AlineaError } from './core.js';
export type * from './protocol.js';

/** Compiled WebAssembly, its bytes, or the address to fetch it from. */
export type Wasm = WebAssembly.Module | BufferSource | URL | string;

/** The bytes of a book, or the address to fetch it from. */
export type Book = BufferSource | URL | string;

/** The bytes of weights, or the address to fetch them from. */
export type Weights = BufferSource | URL | string;

/**
 * Loads a core, by default from the files `alinea.wasm`, `book.bin` and `weights.bin` beside the module. With `null`
 * instead of a book, the core must search the results of the first moves of Connect Four, which takes long; with `null`
 * instead of weights, it evaluates Gomoku in a simpler way, and its programs are weaker there. A core handles one request
 * at a time and blocks until it is done, so load it in a Worker.
 */
export declare function load(
  wasm?: Wasm | PromiseLike<Wasm>,
  book?: Book | PromiseLike<Book> | null,
  weights?: Weights | PromiseLike<Weights> | null,
): Promise<Alinea>;

/** A game by its id, such as `connect-four` or `gomoku:19x19x5`, or with a position and moves. */
export type GameOrRecord = string | (Omit<GameRecord, 'moves'> & { moves?: string | string[] });

/** Rejected requests throw an `AlineaError`. */
export interface Alinea {
  /** The games with their players and levels. */
  games(): GameEntry[];
  /** The positions of a game, with the legal moves of each. */
  positions(record: GameOrRecord): Replay;
  /** The move of a player such as `level:3`, `engine:200ms` or `perfect`, with its reasons. */
  choose(record: GameOrRecord, player: string, options?: ChooseOptions): Chosen;
  /** What is known about a position; intermediate assessments are reported on the way. */
  assess(record: GameOrRecord, options?: AssessOptions, report?: (assessment: Assessment) => void): Assessment;
  /** The moves of a game with their mistakes; each is reported on the way. */
  review(record: GameOrRecord, options?: ReviewOptions, report?: (move: ReviewedMove) => void): ReviewedMove[];
  /**
   * The exact scores of a position of Connect Four, on boards of up to 64 bits, with as much of a line of best play as takes no
   * noticeable time to find.
   */
  solve(record: GameOrRecord): Solution;
  /** The number of move sequences of a length. */
  perft(record: GameOrRecord, depth: number): number;
  /** Responds to any request, also about local tables. */
  ask(request: TableRequest): LocalTable;
  ask(request: object, report?: (report: any) => void): any;
}

export interface ChooseOptions {
  /** The same seed gives the same choice; 0 by default. */
  seed?: number;
  /** The time limit for the move in milliseconds; at most 10,000, which is the default. */
  time_ms?: number;
}

/** The choice of a player. */
export interface Chosen {
  thought: Thought;
  /** Minimum time until the move is played, so that a person can follow. */
  least_ms: number;
}

/** Without a limit, an assessment ends with a proof, or otherwise only after minutes. */
export interface AssessOptions extends ReviewOptions {
  /** How many moves get a line; 1 by default. */
  lines?: number;
  /** The node limit. */
  nodes?: number;
}

export interface ReviewOptions {
  /** The time limit in milliseconds, of a review for each move. */
  time_ms?: number;
  /** The depth limit in plies. */
  depth?: number;
}

/** @deprecated The name of `Solution` in version 0.2. */
export type Solved = Solution;

/** A request about a local table: a game of people at one screen and programs, with clocks, offers and a log. */
export type TableRequest =
  /** A new table; `seed` decides who begins, where that is random. */
  | { open: { table: string; new: Pick<NewTable, 'game' | 'opponent'> & Partial<NewTable>; seed?: number } }
  /** Restores a table from its log; the response has the updates after a version that the page has seen. */
  | { load: { table: string; log: LogEntry[]; seen?: number } }
  /** A command of the person at this screen; `next` is the id of the next game, should the command begin one. */
  | { command: { table: string; command: Command; next?: string } }
  /** The move that a program has chosen; without a move, the program has failed and resigns. */
  | { 'program-moves': { table: string; thought?: Thought } }
  /** Ends the game if a clock has run out. */
  | { flag: { table: string } };

/** @deprecated The former name of `TableRequest`. */
export type TableQuestion = TableRequest;

/** A table after a request. */
export interface LocalTable {
  snapshot: Snapshot;
  /** What has happened since the request. */
  updates: TableUpdate[];
  /** The same as entries of the log. */
  entries: LogEntry[];
  /** The turn of a program: what to ask `choose` with, and how long to wait before the move is played. */
  turn: { player: string; seed: number; time_ms: number | null; delay_ms: number } | null;
  /** When to check a clock, in Unix milliseconds. */
  flag_at: number | null;
  /** The next game of the same players, which has just begun. */
  rematch: LocalTable | null;
}

/** An entry of a table's log. */
export interface LogEntry {
  /** 1 for the first entry, then without gaps. */
  version: number;
  /** Unix time in milliseconds. */
  at: number;
  event: Event;
}

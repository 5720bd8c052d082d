// The messages between the page and the server: the types of crates/protocol and the view of
// crates/rules, in the same words. The page knows no rule of any game.

export type Side = 'first' | 'second';
export const SIDES: readonly Side[] = ['first', 'second'];
export const other = (side: Side): Side => (side === 'first' ? 'second' : 'first');
export const seat = (side: Side): 0 | 1 => (side === 'first' ? 0 : 1);

export type Kind = 'stone' | 'round' | 'square' | 'rook' | 'knight' | 'bishop' | 'queen' | 'king';
/** `a1` is the bottom left cell. */
export type Cell = string;

export interface Piece {
  side: Side;
  kind: Kind;
}

export interface View {
  rows: number;
  cols: number;
  /** By rows from the top, each row from the left. */
  cells: (Piece | null)[];
  hands: [[Kind, number][], [Kind, number][]];
  last: Cell[];
  line: Cell[] | null;
  shape: Kind | null;
  turn: Side;
  outcome: Side | 'draw' | null;
}

export interface Choice {
  move: string;
  from?: Cell;
  to: Cell;
  kind: Kind;
}

export type Clock =
  | { kind: 'none' }
  | { kind: 'game'; initial_ms: number; increment_ms: number }
  | { kind: 'move'; ms: number }
  | { kind: 'correspondence'; days: number };

export type ClockKind = 'untimed' | 'fast' | 'slow' | 'correspondence';

export interface Clocks {
  left_ms: [number, number];
  running?: Side;
}

export type Occupant =
  | { kind: 'open' }
  | { kind: 'person'; id: string; name: string; rating?: number }
  | { kind: 'program'; name: string; rating?: number };

export interface Settings {
  game: string;
  position?: string;
  clock: Clock;
  rated: boolean;
  take_back: boolean;
  listed: boolean;
  invited?: string;
}

export type Status = 'open' | 'playing' | 'ended';
export type EndReason = 'rules' | 'resignation' | 'time' | 'agreement' | 'abandoned' | 'aborted';

export interface RatingChange {
  before: number;
  after: number;
  deviation: number;
}

export interface Chat {
  from: string;
  side?: Side;
  text: string;
}

export type Event =
  | { kind: 'created'; settings: Settings; seats: [Occupant, Occupant]; creator: string }
  | { kind: 'seated'; side: Side; occupant: Occupant }
  | { kind: 'moved'; ply: number; side: Side; move: string; left_ms?: [number, number]; thought?: Thought }
  | { kind: 'draw-offered'; side: Side }
  | { kind: 'draw-declined'; side: Side }
  | { kind: 'take-back-asked'; side: Side }
  | { kind: 'take-back-declined'; side: Side }
  | { kind: 'taken-back'; ply: number; left_ms?: [number, number] }
  | {
      kind: 'ended';
      winner: Side | null;
      reason: EndReason;
      ratings?: [RatingChange | null, RatingChange | null];
    }
  | { kind: 'rematch-offered'; side: Side }
  | { kind: 'rematch'; table: string }
  | ({ kind: 'chat' } & Chat)
  | { kind: 'paced'; paused: boolean; delay_ms: number }
  | { kind: 'stepped' };

export interface PlayedMove {
  move: string;
  at: number;
  left_ms?: [number, number];
  thought?: Thought;
}

export interface Offers {
  draw?: Side;
  take_back?: Side;
  rematch?: Side;
}

export interface GameResult {
  winner: Side | null;
  reason: EndReason;
  ratings?: [RatingChange | null, RatingChange | null];
}

export interface Pace {
  paused: boolean;
  delay_ms: number;
}

export interface Presence {
  here: [boolean, boolean];
  claim_ms: [number | null, number | null];
  watching: number;
}

export interface Snapshot {
  table: string;
  v: number;
  settings: Settings;
  seats: [Occupant, Occupant];
  you: Side[];
  is_creator: boolean;
  status: Status;
  moves: PlayedMove[];
  clocks?: Clocks;
  offers: Offers;
  result?: GameResult;
  rematch?: string;
  chat: Chat[];
  pace: Pace;
  code?: string;
  presence: Presence;
  view: View;
  legal: Choice[];
}

export interface MoveMade {
  table: string;
  v: number;
  at: number;
  ply: number;
  side: Side;
  move: string;
  clocks?: Clocks;
  thought?: Thought;
  view?: View;
  legal?: Choice[];
}

export interface TableEvent {
  table: string;
  v: number;
  at: number;
  event: Event;
  clocks?: Clocks;
  view?: View;
  legal?: Choice[];
}

export type TableUpdate = MoveMade | TableEvent;

export interface Proven {
  result: 'win' | 'draw' | 'loss';
  plies: number;
}

export interface InfoLine {
  score: number;
  chance: number;
  proven?: Proven | null;
  moves: string[];
}

export interface Info {
  table?: string;
  ply: number;
  depth: number;
  nodes: number;
  time_ms: number;
  lines: InfoLine[];
  done?: boolean;
}

export interface Thought {
  move: string;
  candidates: string[];
  score: number | null;
  line: string[];
  reasons: Reason[];
  nodes: number;
  depth: number | null;
}

/** A fact with the tag `reason`; its other fields depend on it. */
export type Reason = { reason: string } & Record<string, unknown>;

export type Code =
  | 'bad-message'
  | 'too-fast'
  | 'unknown-table'
  | 'unknown-game'
  | 'unknown-player'
  | 'not-seated'
  | 'seat-taken'
  | 'not-your-turn'
  | 'stale-ply'
  | 'future-ply'
  | 'illegal-move'
  | 'not-started'
  | 'game-over'
  | 'not-over'
  | 'not-allowed'
  | 'nothing-to-answer'
  | 'too-early'
  | 'sign-in-first'
  | 'wrong-password'
  | 'name-taken'
  | 'foreign-origin'
  | 'not-found'
  | 'busy'
  | 'unavailable'
  | 'broken';

export interface Refused {
  ok: false;
  code: Code;
  message: string;
}

export interface Done {
  ok: true;
  v?: number;
  ply?: number;
  table?: string;
  snapshot?: Snapshot;
  missed?: TableUpdate[];
}

export type Answer = Done | Refused;

export interface Me {
  id: string;
  name: string;
  account: boolean;
}

export interface SessionSummary {
  id: string;
  created_at: number;
  seen_at: number;
  agent: string;
  current: boolean;
}

export type Opponent =
  | { kind: 'here' }
  | { kind: 'link' }
  | { kind: 'program'; name: string }
  | { kind: 'demo'; first: string; second: string }
  | { kind: 'challenge'; name: string };

export type SidePreference = Side | 'random';

export interface NewTable {
  game: string;
  position?: string;
  opponent: Opponent;
  side: SidePreference;
  clock: Clock;
  rated: boolean;
  take_back: boolean;
  listed: boolean;
}

export interface TableCreated {
  table: string;
  code?: string;
}

export interface Seek {
  game: string;
  clock: Clock;
  rated: boolean;
  range?: number;
}

export interface TableSummary {
  table: string;
  game: string;
  seats: [Occupant, Occupant];
  clock: Clock;
  rated: boolean;
  status: Status;
  winner?: Side;
  reason?: EndReason;
  ply: number;
  created_at: number;
  updated_at: number;
}

export interface GameLine {
  name: string;
  usual: string;
  sizes: boolean;
  players: string[];
}

export interface RatingSummary {
  game: string;
  kind: ClockKind;
  rating: number;
  deviation: number;
  games: number;
}

export interface RankingEntry {
  place: number;
  name: string;
  rating: number;
  deviation: number;
  games: number;
}

export interface RatingPoint {
  table?: string;
  at: number;
  rating: number;
  deviation: number;
}

export interface Profile {
  name: string;
  created_at: number;
  ratings: RatingSummary[];
  wins: number;
  draws: number;
  losses: number;
}

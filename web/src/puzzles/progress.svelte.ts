// What this browser remembers of puzzles: ratings, history, days, the best rush, and puzzles from one's own games. For an
// account, the server rates and has the history; here is a copy, for times without a network.

import { untrack } from 'svelte';

import { ApiFailure, segment, send } from '../http';
import { gameId } from '../game/games.svelte';
import type { Puzzle, PuzzleAttempt, PuzzleProgress, PuzzleStep } from '../protocol';
import { read, write } from '../settings.svelte';
import { currentUser } from '../user.svelte';
import { rate, type Line, type PersonRating, type Told } from './collection';

export interface Tried {
  id: string;
  themes: string[];
  rating: number;
  /** Whether every move was found at the first try, without help. */
  solved: boolean;
  at: number;
}

export interface OwnPuzzle {
  id: string;
  of: Line;
  at: number;
}

interface Progress {
  ratings: Record<string, PersonRating & { at: number }>;
  /** The oldest first. */
  history: Tried[];
  /** The days whose puzzle was solved on the day itself. */
  days: number[];
  /** The most puzzles of a rush or a streak, by what `keptAs` says. */
  rush: Record<string, number>;
  /** The last rushes and streaks. */
  runs: Record<string, number[]>;
  own: OwnPuzzle[];
  /** What the server has not been told yet, since it did not answer. */
  unsent: { id: string; attempt: PuzzleAttempt }[];
}

const STORED = 'alinea.puzzles';
/** The account that was last signed in: it is still the same person while no server says so. */
const ACCOUNT = 'alinea.puzzles-account';
/** More than there are puzzles. */
const MOST_HISTORY = 3_000;
const MOST_OWN = 200;
const MOST_DAYS = 800;
const MOST_RUNS = 12;
export const NEW_RATING = 1500;
/** A rating that is less certain than this still jumps. */
const EARLY_DEVIATION = 110;
const NEW_VOLATILITY = 0.06;

const empty = (): Progress => ({ ratings: {}, history: [], days: [], rush: {}, runs: {}, own: [], unsent: [] });
function account(): string | undefined {
  const user = currentUser();
  return (user ? user.account && user.id : read<string>(ACCOUNT)) || undefined;
}
/** Each account has its own place, and the guest of this browser. */
const nameFor = (id: string | undefined): string => (id ? `${STORED}.${id}` : STORED);

let name = nameFor(undefined);
const progress: Progress = $state({ ...empty(), ...read<Partial<Progress>>(name) });

const keep = (): void => write(name, progress);
const reload = (): void => void Object.assign(progress, empty(), read<Partial<Progress>>(name));
// Another tab has solved something.
addEventListener('storage', ({ key }) => key === name && reload());

$effect.root(() => {
  $effect(() => {
    const id = account();
    untrack(() => {
      name = nameFor(id);
      reload();
      if (currentUser()) write(ACCOUNT, id ?? '');
      void catchUp();
    });
  });
});
addEventListener('online', () => void catchUp());

const report = (id: string, attempt: PuzzleAttempt): Promise<PuzzleStep> =>
  send('POST', `/puzzles/${segment(id)}/attempt`, attempt);
const isRefused = (error: unknown): boolean =>
  error instanceof ApiFailure && !['no-answer', 'unavailable', 'too-fast'].includes(error.code);

/** Tells the server what it has missed, and takes over what it knows. */
async function catchUp(): Promise<void> {
  const id = account();
  if (!id || !currentUser()) return;
  try {
    while (progress.unsent[0]) {
      const { id: puzzle, attempt } = progress.unsent[0];
      await report(puzzle, $state.snapshot(attempt)).catch((error: unknown) => {
        if (!isRefused(error)) throw error;
      });
      if (id !== account()) return;
      progress.unsent = progress.unsent.filter((waiting) => waiting.id !== puzzle);
      keep();
    }
    const known = await send<PuzzleProgress>('GET', '/puzzles/progress');
    if (id === account()) learn(known);
  } catch {
    // The next time.
  }
}

/** Takes over what the server knows. */
function learn({ ratings, tried }: PuzzleProgress): void {
  for (const { game, rating, deviation } of ratings) {
    progress.ratings[game] = {
      volatility: NEW_VOLATILITY,
      ...progress.ratings[game],
      rating,
      deviation,
      at: Date.now(),
    };
  }
  const there = new Set(tried.map(({ id }) => id));
  progress.history = [...tried, ...progress.history.filter(({ id }) => !there.has(id))].sort((a, b) => a.at - b.at);
  keep();
}

export const history = (): readonly Tried[] => progress.history;
export const solvedDays = (): readonly number[] => progress.days;
export const ownPuzzles = (): readonly OwnPuzzle[] => progress.own;
/** Under which name the rushes or the streaks of a game are kept. */
export const keptAs = (game: string, streak: boolean): string => (streak ? `${game}:streak` : game);

export const bestRush = (kept: string): number => progress.rush[kept] ?? 0;
export const ratingOf = (game: string): PersonRating | undefined => progress.ratings[game];

const OWN = 'own-';
export const isOwn = (id: string): boolean => id.startsWith(OWN);
export const gameOf = (id: string): string => id.replace(/-\d+$/, '');
const numberOf = (id: string): number => Number(/\d+$/.exec(id)?.[0]);

/** The numbers of the puzzles of a game that were tried. */
export const seenOf = (game: string): number[] =>
  progress.history.filter(({ id }) => gameOf(id) === game).map(({ id }) => numberOf(id));

const find = (id: string): Tried | undefined => progress.history.find((tried) => tried.id === id);
export const wasTried = (id: string): boolean => find(id) !== undefined;

/** How a puzzle changed a rating. */
export interface Change {
  before: number;
  after: number;
  /** Whether the rating is not settled yet. */
  isEarly: boolean;
}

/** Counts a puzzle when it is decided for the first time, by the moves `sent`; how the rating changed, if it did. */
export async function decide(
  { puzzle: { id, game, themes, rating }, of }: Told,
  solved: boolean,
  sent: PuzzleAttempt,
): Promise<Change | undefined> {
  if (find(id)) return undefined;
  const at = Date.now();
  progress.history = [...progress.history, { id, themes, rating, solved, at }].slice(-MOST_HISTORY);
  keep();
  // One's own puzzles have no rating.
  if (isOwn(id)) return undefined;
  const kind = gameId(game);
  const known = progress.ratings[kind];
  const there =
    account() &&
    (await report(id, sent).catch((error: unknown) => {
      if (!isRefused(error)) progress.unsent = [...progress.unsent, { id, attempt: sent }];
    }));
  // The server has rated this puzzle before.
  if (there && !there.rating) return undefined;
  const after: PersonRating = there
    ? {
        volatility: known?.volatility ?? NEW_VOLATILITY,
        rating: there.rating!.after,
        deviation: there.rating!.deviation,
      }
    : await rate(
        of,
        known && { rating: known.rating, deviation: known.deviation, volatility: known.volatility },
        known ? at - known.at : 0,
        solved,
      );
  const before = there ? there.rating!.before : (known?.rating ?? NEW_RATING);
  progress.ratings[kind] = { ...after, at };
  keep();
  return { before, after: after.rating, isEarly: after.deviation > EARLY_DEVIATION };
}

/** The puzzle of a day was solved on that day. */
export function solveDay(day: number): void {
  if (progress.days.includes(day)) return;
  progress.days = [...progress.days, day].sort((a, b) => a - b).slice(-MOST_DAYS);
  keep();
}

/** The last rushes or streaks, the latest one at the end. */
export const runsOf = (kept: string): readonly number[] => progress.runs[kept] ?? [];

/** Counts a rush or a streak; whether it was the best one. */
export function countRush(kept: string, solved: number): boolean {
  const isBest = solved > bestRush(kept);
  if (isBest) progress.rush[kept] = solved;
  progress.runs[kept] = [...runsOf(kept), solved].slice(-MOST_RUNS);
  keep();
  return isBest;
}

/** Adds a puzzle from one's own game unless it is there; the id under which it is kept. */
export function addOwn(of: Line): { id: string; isNew: boolean } {
  const known = progress.own.find((own) => own.of.game === of.game && own.of.text === of.text);
  if (known) return { id: known.id, isNew: false };
  const id = `${OWN}${Math.max(0, ...progress.own.map((own) => numberOf(own.id))) + 1}`;
  progress.own = [...progress.own, { id, of: { ...of }, at: Date.now() }].slice(-MOST_OWN);
  keep();
  return { id, isNew: true };
}

/** Plain, because it goes to a worker. */
export const findOwn = (id: string): OwnPuzzle | undefined =>
  $state.snapshot(progress.own.find((own) => own.id === id));

export interface ThemeTally {
  theme: string;
  solved: number;
  tried: number;
}

/** How many puzzles of each theme were solved, the weakest theme first; only themes that were tried often enough to tell. */
export function weakThemes(tried: readonly Tried[], least = 3): ThemeTally[] {
  const tallies = new Map<string, ThemeTally>();
  for (const { themes, solved } of tried) {
    for (const theme of themes) {
      const before = tallies.get(theme) ?? { theme, solved: 0, tried: 0 };
      tallies.set(theme, { theme, solved: before.solved + Number(solved), tried: before.tried + 1 });
    }
  }
  return [...tallies.values()]
    .filter(({ tried }) => tried >= least)
    .sort((a, b) => a.solved / a.tried - b.solved / b.tried || b.tried - a.tried);
}

/** Puzzles solved in a row, up to the last one. */
export const inARow = (tried: readonly Tried[]): number =>
  tried.length - 1 - tried.findLastIndex(({ solved }) => !solved);

export const titleNumber = ({ id }: Pick<Puzzle, 'id'>): number => numberOf(id);

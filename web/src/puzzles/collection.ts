// Puzzles, asked of the core: it judges, chooses and rates. The collection is files beside the page, loaded with the first
// question and handed to the core once.

import { local } from '../api';
import { ApiFailure } from '../http';
import type { Puzzle, PuzzleStep } from '../protocol';

/** A puzzle as a line of its file, with the game that it is of. */
export interface Line {
  game: string;
  text: string;
}

export interface Told {
  puzzle: Puzzle;
  of: Line;
}

export interface PersonRating {
  rating: number;
  deviation: number;
  volatility: number;
}

/** What the collection has of a game. */
export interface Summary {
  game: string;
  puzzles: number;
  themes: [theme: string, count: number][];
}

type Core = Awaited<ReturnType<Awaited<ReturnType<typeof local>>['loadCore']>>;

const FILES = import.meta.glob<string>('../../../crates/study/src/puzzles/data/*.txt', {
  query: '?url',
  import: 'default',
  eager: true,
});

const core = async (): Promise<Core> => (await local()).loadCore();
let loaded: Promise<Summary[]> | undefined;

async function load(): Promise<Summary[]> {
  const [here, files] = await Promise.all([
    core(),
    Promise.all(
      Object.entries(FILES).map(async ([path, address]): Promise<Line> => {
        const response = await fetch(address).catch(() => undefined);
        if (!response?.ok) throw new ApiFailure('no-answer', 'the puzzles are not there');
        return { game: /([^/]+)\.txt$/.exec(path)![1]!, text: await response.text() };
      }),
    ),
  ]);
  return here.ask<Summary[]>({ puzzle: { load: { files } } });
}

/** What there is to solve. */
export function summaries(): Promise<Summary[]> {
  loaded ??= load().catch((error: unknown) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

/** Asks about the collection. */
async function ofCollection<T>(question: Record<string, unknown>): Promise<T> {
  await summaries();
  return (await core()).ask<T>({ puzzle: question });
}

export const daily = (at: number): Promise<Told | null> => ofCollection({ daily: { at } });

export const find = (id: string): Promise<Told | null> => ofCollection({ find: { id } });

/** A puzzle about as hard as `rating`, none of those seen unless all were. */
export const next = (game: string, theme: string | undefined, rating: number, seen: number[]): Promise<Told | null> =>
  ofCollection({
    next: { game, rating, seen, seed: crypto.getRandomValues(new Uint32Array(1))[0], ...(theme && { theme }) },
  });

/** A puzzle that this browser keeps. */
export const show = async (id: string, of: Line): Promise<Told> => (await core()).ask({ puzzle: { show: { id, of } } });

/** The puzzle in a position, if exactly one move keeps the result there and that can be proved. */
export const make = async (record: {
  game: string;
  position?: string | undefined;
  moves: string;
}): Promise<Line | null> => (await core()).think({ puzzle: { make: { record } } });

/** Judges the moves of the solver; a refutation is looked for up to two seconds. */
export const attempt = async (
  of: Line,
  moves: string[],
  ask: { help?: boolean; refute?: boolean } = {},
): Promise<PuzzleStep> => (await core()).think({ puzzle: { attempt: { of, attempt: { moves, ...ask } } } });

/** The rating after a puzzle; of a new person without one before. */
export const rate = async (
  of: Line,
  person: PersonRating | undefined,
  idle_ms: number,
  solved: boolean,
): Promise<PersonRating> =>
  (await core()).ask({
    puzzle: { rate: { of, idle_ms: Math.max(0, Math.round(idle_ms)), solved, ...(person && { person }) } },
  });

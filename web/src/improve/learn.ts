// Learns from finished games: each is reviewed once, in the background, and then says what its player sees and misses.

import { api, isLocal, local } from '../api';
import type { Choice, Exercise, Mattered, Observed, Side, SkillProfile, Snapshot } from '../protocol';
import { currentUser } from '../user.svelte';
import { exercises, games, keepExercise, keepGame, type Game } from './store';
import { sync, syncLater } from './sync';

/** Fewer moves say nothing. */
const LEAST_MOVES = 4;
/** The most games of a list that are looked at in one visit. */
const MOST_LISTED = 100;

const account = (): string => (currentUser()?.account && currentUser()?.id) || '';
const core = async () => (await local()).loadCore();

export const knownGames = (): Promise<Game[]> => games(account());
export const knownExercises = (): Promise<Exercise[]> => exercises(account());

/** Whether a game says something about its reader, who has to be one of two players. */
const teaches = ({ result, you, moves }: Snapshot): boolean =>
  !!result && result.reason !== 'aborted' && you.length === 1 && moves.length >= LEAST_MOVES;

const learning = new Map<string, Promise<void>>();

/** Reviews a finished game unless it was, and keeps what it says. */
export function learnFrom(table: Snapshot, at = Date.now()): Promise<void> {
  let known = learning.get(table.table);
  if (!known) {
    learning.set(table.table, (known = learn(table, at)));
    known.catch(() => learning.delete(table.table));
  }
  return known;
}

async function learn(table: Snapshot, at: number): Promise<void> {
  const who = account();
  const { game, position } = table.settings;
  const moves = table.moves.map(({ move }) => move).join(' ');
  // A game of this browser that was saved to the account has another id there.
  const isKnown = ({ id, game: of, moves: played }: Game): boolean =>
    id === table.table || (isLocal(id) && !isLocal(table.table) && of === game && played === moves);
  if (!teaches(table) || (await games(who)).some(isKnown)) return;
  const [you] = table.you;
  const record = { game, moves, ...(position && { position }) };
  const { observed, exercises } = await (
    await core()
  ).think<{ observed: Observed; exercises: Exercise[] }>({
    skills: { learn: { record, side: you, id: table.table, at } },
  });
  await keepGame(who, { ...observed, moves, you: you!, ...(position && { position }) }, exercises);
  syncLater(who);
}

/** Fetches what other devices of the account have learned; whether there was anything. */
export const fetchLearned = (): Promise<boolean> => sync(account());

/** Reviews finished games that were not yet, the newest first; tells after each how many are left. */
export async function catchUp(onprogress: (left: number) => void, signal: AbortSignal): Promise<void> {
  const known = new Set((await knownGames()).map(({ id }) => id));
  const list = [];
  let before: string | undefined;
  do {
    const page = await api.tables({ player: 'me', status: 'ended', ...(before && { before }) });
    list.push(...page.tables);
    before = page.next ?? undefined;
  } while (before && list.length < MOST_LISTED);
  let left = list.filter(({ table, ply }) => !known.has(table) && ply >= LEAST_MOVES);
  while (left.length && !signal.aborted) {
    onprogress(left.length);
    const [next, ...rest] = left;
    const table = await api.table(next!.table);
    // A game that cannot be reviewed is no reason to leave out the others.
    if (table) await learnFrom(table, next!.updated_at).catch(() => {});
    left = rest;
  }
  onprogress(0);
}

const plain = (all: Game[]): Observed[] => all.map(({ id, game, at, chances }) => ({ id, game, at, chances }));

export const profileOf = async (game: string, all: Game[]): Promise<SkillProfile> =>
  (await core()).ask({ skills: { profile: { game, games: plain(all), now: Date.now() } } });

/** The exercises of today. */
export const todays = async (all: Exercise[]): Promise<Exercise[]> =>
  (await core()).ask({ skills: { today: { exercises: all, now: Date.now() } } });

/** Keeps the answer to an exercise. */
export async function answer(exercise: Exercise, solved: boolean): Promise<Exercise> {
  const after = await (await core()).ask<Exercise>({ skills: { answer: { exercise, solved, now: Date.now() } } });
  await keepExercise(account(), after);
  syncLater(account());
  return after;
}

/** What mattered most in a game, with the position. */
export interface Told extends Mattered {
  right: Choice;
  position: string;
  you: Side;
}

/** What mattered most in a finished game, at `decided` if that was a miss of the reader; nothing if nothing went wrong. */
export async function whatMattered(table: Snapshot, decided: number | undefined): Promise<Told | undefined> {
  await learnFrom(table);
  const all = await knownGames();
  const mine = all.find(({ id }) => id === table.table);
  if (!mine) return undefined;
  const { id, game, position, you } = mine;
  const games = plain(all.filter((one) => one.game === game));
  const found = await (
    await core()
  ).ask<Mattered | null>({ skills: { mattered: { games, id, ...(decided !== undefined && { decided }) } } });
  if (!found) return undefined;
  const moves = mine.moves.split(' ').slice(0, found.ply).join(' ');
  const step = (await api.positions({ game, moves, ...(position && { position }) })).at(-1);
  const right = step?.legal.find(({ move }) => move === found.miss.right);
  return right && { ...found, right, position: step!.position, you };
}

// The games that the server offers: what is needed to list, name and draw them. No rules: which moves are legal, and
// where their pieces arrive, the server says.

import { api } from '../api';
import type { GameEntry, GameInfo, Piece } from '../protocol';
import { seat } from '../sides';
import { has, t } from '../i18n.svelte';

const RETRY_MS = 2_000;

let games = $state.raw<GameEntry[]>([]);
let request: Promise<void> | undefined;

/** Loads the games once. While the server does not answer, it is asked again in the background. */
export function loadGames(): Promise<void> {
  return (request ??= load());
}

async function load(): Promise<void> {
  try {
    games = await api.games();
  } catch {
    setTimeout(() => void load(), RETRY_MS);
  }
}

/** For tests. */
export function useGames(entries: GameEntry[]): void {
  games = entries;
}

export const listGames = (): GameEntry[] => games;

/** The game that a page shows where the address names none. */
const DEFAULT = 'connect-four';
export const defaultGame = (): string => (findGame(DEFAULT) ?? games[0])?.id ?? DEFAULT;

/** `connect-four` of `connect-four:6x7x4`. */
export const gameId = (game: string): string => game.split(':')[0] ?? game;

export function findGame(game: string): GameEntry | undefined {
  const wanted = gameId(game);
  return games.find(({ id }) => id === wanted);
}

/** The description of a game; of a game that the server has not described, a neutral one. */
export const infoOf = (game: string): GameInfo => findGame(game) ?? unknownGame(gameId(game));

function unknownGame(id: string): GameInfo {
  const any = { least: 1, most: 64, usual: 9 };
  return {
    id,
    title: id,
    form: id,
    standard: id,
    rated: id,
    suggested: [],
    rule_sets: [],
    openings: [],
    size: { rows: any, cols: any, run: any, run_fits: false, run_optional: true },
    falls: false,
    coordinates: 'cells',
    cells: 'plain',
    pieces: [],
    sides: [
      { key: 'solid', name: 'first', emblem: 'stone' },
      { key: 'outline', name: 'second', emblem: 'stone' },
    ],
    phases: [],
    examples: [],
    mover_may_lose: false,
  };
}

/** The name of a game in the language of the reader. */
export function titleOf({ id, title }: Pick<GameInfo, 'id' | 'title'>): string {
  const key = `game.${id}`;
  return has(key) ? t(key) : title;
}

/** One sentence about a game, if there is one. */
export function summaryOf({ id }: Pick<GameInfo, 'id'>): string {
  const key = `about.${id}`;
  return has(key) ? t(key) : '';
}

/** The name of the picture of a piece. */
export const glyphOf = ({ pieces }: GameInfo, { side, kind }: Piece): string =>
  pieces.find((piece) => piece.kind === kind)?.glyphs[seat(side)] ?? kind;

/** Whether columns have numbers, and moves name columns. */
export const namesColumns = ({ coordinates }: GameInfo): boolean => coordinates === 'columns';

/** Whether a kind of piece has to be chosen before a cell or a column. */
export const hasKinds = ({ pieces }: GameInfo): boolean => pieces.length > 1;

/** The kind after this one, for games where one key changes it. */
export function nextKind({ pieces }: GameInfo, kind: string | undefined): string | undefined {
  const at = pieces.findIndex((piece) => piece.kind === kind);
  return pieces[(at + 1) % pieces.length]?.kind;
}

export const canChooseSize = ({ size: { rows, cols, run } }: GameInfo): boolean =>
  [rows, cols, run].some(({ least, most }) => least < most);

/** The opening of `gomoku:15x15x5:swap2`; the free one where none is named. Nothing for games without a choice. */
export function openingOf(game: string): string | undefined {
  const { openings } = infoOf(game);
  return openings.find((opening) => game.endsWith(`:${opening}`)) ?? openings[0];
}

/** The same game without the opening that it names. */
export const withoutOpening = (game: string): string => game.replace(`:${openingOf(game)}`, '');

/** The rule set of `gomoku:15x15x5:renju`; the usual one where it is not named. Nothing for games with one rule set. */
export function ruleSetOf(game: string): string | undefined {
  const { rule_sets } = infoOf(game);
  return rule_sets.find((rules) => withoutOpening(game).endsWith(`:${rules}`)) ?? rule_sets[0];
}

/** The name of an opening in the language of the reader. */
export function openingText(opening: string): string {
  const key = `rules.${opening}`;
  return has(key) ? t(key) : opening;
}

/** The name of a rule set in the language of the reader. */
export function ruleSetText(rules: string): string {
  const key = `rules.${rules}`;
  return has(key) ? t(key) : rules;
}

export interface Size {
  rows: number;
  cols: number;
  run: number;
}

/** The numbers of `connect-four:6x7x4` or `simplexity:6x7x4:21+21`, if it says them. */
export function size(game: string): Size | undefined {
  const found = /:(\d+)x(\d+)(?:x(\d+))?/.exec(game);
  if (!found) return undefined;
  return { rows: Number(found[1]), cols: Number(found[2]), run: Number(found[3] ?? infoOf(game).size.run.usual) };
}

// Names and sentences about pieces, moves and players, in the language of the reader.

import type { Choice, Clock, GameInfo, LevelInfo, Occupant, Piece, Side, Snapshot, View } from '../protocol';
import { opponentSide, seat } from '../sides';
import { currentUser } from '../user.svelte';
import { formatNumber, has, t, tn, type Key } from '../i18n.svelte';
import { pieceAt, spot } from './cells';
import {
  findGame,
  hasKinds,
  infoOf,
  namesColumns,
  openingOf,
  openingText,
  ruleSetOf,
  ruleSetText,
  size,
  titleOf,
  withoutOpening,
} from './games.svelte';

/** The name of a side: in the language of the reader, or as the game says it. */
export function sideName({ sides }: GameInfo, side: Side): string {
  const { key, name } = sides[seat(side)];
  return has(`side.${key}`) ? t(`side.${key}` as Key) : name;
}

export function kindName(kind: string): string {
  const key = `kind.${kind}`;
  return has(key) ? t(key) : kind;
}

/** “Solid knight”, “X”: the kind is named where there are several. */
export function pieceName(gameInfo: GameInfo, { side, kind }: Piece): string {
  const name = sideName(gameInfo, side);
  if (!hasKinds(gameInfo)) return name;
  // The side is an adjective here, which in some languages agrees with the kind.
  const gender = has(`gender.${kind}`) ? t(`gender.${kind}` as Key) : 'm';
  const adjective = `piece-side.${gameInfo.sides[seat(side)].key}-${gender}`;
  return t('board.piece', { side: has(adjective) ? t(adjective) : name, kind: kindName(kind) });
}

/** Symbols of kinds in lists of moves. The selector keeps a chess figure from becoming a coloured picture. */
const SYMBOLS: Record<string, string> = {
  rook: '♜\uFE0E',
  knight: '♞\uFE0E',
  bishop: '♝\uFE0E',
  queen: '♛\uFE0E',
  king: '♚\uFE0E',
  round: '●',
  square: '■',
};
const symbol = (kind: string | undefined): string => (kind === undefined ? '' : (SYMBOLS[kind] ?? ''));

/** The forms of moves: a step from cell to cell, a piece dropped in a column with a letter or with a number, or popped. */
function parts(game: string, move: string): { from?: string; to?: string; column?: string; kind?: string | undefined } {
  const { pieces } = infoOf(game);
  const step = /^([a-z]+\d+)([a-z]+\d+)$/.exec(move);
  if (step) return { from: step[1]!, to: step[2]! };
  const lettered = /^([A-Z])@([a-z]+)$/.exec(move);
  if (lettered)
    return { column: lettered[2]!, kind: pieces.find(({ letters }) => letters.includes(lettered[1]!))?.kind };
  const numbered = /^(\d+)([a-z])?$/.exec(move);
  if (numbered)
    return {
      column: numbered[1]!,
      kind: numbered[2] && pieces.find(({ kind }) => kind.startsWith(numbered[2]!))?.kind,
    };
  return {};
}

/** A move as it is listed, with symbols for pieces. */
export function moveText(game: string, move: string, kind?: string): string {
  const { from, to, column, kind: dropped } = parts(game, move);
  if (from !== undefined) return `${symbol(kind)}${from}–${to}`;
  if (column === undefined || dropped === undefined || !symbol(dropped)) return move;
  return /^\d/.test(column) ? `${column}${symbol(dropped)}` : `${symbol(dropped)}${column}`;
}

/** A move as it is said: “knight to e4”, “column 4”. `view` is the board after it. */
export function moveSpoken(game: string, move: string, view?: View): string {
  const arrived = view?.last.at(-1);
  return spoken(game, move, arrived, arrived && view ? pieceAt(view, spot(arrived))?.kind : undefined);
}

/** A legal move as it is said. */
export const choiceSpoken = (game: string, { move, to, kind }: Choice): string => spoken(game, move, to, kind);

function spoken(game: string, move: string, arrived: string | undefined, kind: string | undefined): string {
  const { from, to, column, kind: dropped } = parts(game, move);
  if (from !== undefined) return t('say.step', { piece: kind ? kindName(kind) : '', from, to: to! });
  if (column === undefined) {
    // A choice of an opening.
    const key = `opening.said.${move}`;
    return has(key) ? t(key) : move;
  }
  // A letter that stands for no piece: the lowest of the column is taken out.
  if (dropped === undefined) return t(move === column ? 'say.column' : 'say.pop', { column });
  if (/^\d/.test(column)) return t('say.shape', { shape: kindName(dropped), column });
  return t('say.drop', { piece: kindName(dropped), cell: arrived ?? column });
}

/** The letters of kinds that can be typed: those of the reader's language come before those of the game. */
export function typedLetters(game: string): Record<string, string> {
  const gameInfo = infoOf(game);
  const { pieces } = gameInfo;
  if (!hasKinds(gameInfo)) return {};
  const own = pieces.map(({ letters, kind }) => [namesColumns(gameInfo) ? kind[0]! : letters[0].toLowerCase(), kind]);
  const local = pieces.flatMap(({ kind }) =>
    has(`letter.${kind}`) ? [[t(`letter.${kind}` as Key).toLowerCase(), kind]] : [],
  );
  return Object.fromEntries([...own, ...local]);
}

/** “Connect Four 8×9, 5 in a line”, “Gomoku, renju”, “Gomoku, Swap2”; in its standard form “Connect Four”. */
export function gameTitle(whole: string): string {
  const info = infoOf(whole);
  const game = withoutOpening(whole);
  if (game !== whole) return t('rules.game', { game: gameTitle(game), rules: openingText(openingOf(whole)!) });
  const rules = ruleSetOf(game)!;
  // The usual rules are not written.
  const board = game.replace(`:${rules}`, '');
  const numbers = board === info.standard ? undefined : size(board);
  const title = numbers ? t('game.sized', { game: titleOf(info), ...numbers }) : titleOf(info);
  return board === game ? title : t('rules.game', { game: title, rules: ruleSetText(rules) });
}

/** The level of a game that a program is, if it is one. */
export const levelOf = (program: string, game: string): LevelInfo | undefined =>
  findGame(game)?.levels.find(({ level }) => program === `level:${level}`);

/** The name of a level in the language of the reader. */
export function levelName({ name }: LevelInfo): string {
  const key = `level.${name.toLowerCase()}`;
  return has(key) ? t(key) : name;
}

/** What to expect of a level: “casual”. */
export function levelCharacter({ name, character }: LevelInfo): string {
  const key = `level-is.${name.toLowerCase()}`;
  return has(key) ? t(key) : character;
}

/** `level:3` as “Tally” where the game is known, `smart:5` as “Smart 5”. */
export function programName(name: string, game = ''): string {
  const level = levelOf(name, game);
  if (level) return levelName(level);
  const [base = name, ...rest] = name.split(':');
  // How strong an even match is, its card says.
  const parameter = base === 'even' ? '' : rest.join(':');
  const key = `program.${base}`;
  const title = has(key) ? t(key) : base;
  const shown = has(`strength.${parameter}`) ? t(`strength.${parameter}` as Key) : parameter;
  return parameter ? `${title} ${shown}` : title;
}

/** The words that the names of guests consist of. Their numbers, counted from zero, are the names that the server keeps. */
export const guestWords = (): [string[], string[]] => [
  t('guest.word-first').split(' '),
  t('guest.word-second').split(' '),
];

/** The name of a person: that of a guest, such as `37.20`, in the language of the reader, others as they are. */
export function personName(name: string): string {
  const numbers = /^(\d+)\.(\d+)$/.exec(name);
  if (!numbers) return name;
  const [first, second] = guestWords().map((words, at) => words[Number(numbers[at + 1])]);
  // Its words come a little later than those of a table.
  return first && second ? t('guest.name', { first, second }) : has('guest.name') ? name : '';
}

/** The name of the reader, once it is known. */
export const ownName = (): string | undefined => {
  const user = currentUser();
  return user && personName(user.name);
};

/** The name of a person; that of a bot says so. */
export const accountName = ({ name, bot }: { name: string; bot?: boolean | undefined }): string =>
  bot ? t('seat.bot', { name }) : personName(name);

/** The id of the reader at tables of this browser. */
const HERE = 'g:here';

/** Whether it is the reader who sits there. */
export const isYou = (occupant: Occupant): boolean =>
  occupant.kind === 'person' && (occupant.id === HERE || occupant.id === currentUser()?.id);

/** Who sits there, for a list: the reader is “you”. */
export const seatName = (occupant: Occupant, game: string): string =>
  isYou(occupant) ? t('seat.you') : occupantName(occupant, game);

export function occupantName(occupant: Occupant, game = ''): string {
  switch (occupant.kind) {
    case 'open':
      return t('seat.open');
    case 'program':
      return programName(occupant.name, game);
    case 'person':
      return occupant.id === HERE ? (ownName() ?? t('seat.you')) : accountName(occupant);
  }
}

/** What the opponent of a reader who plays one side is called. */
export function rivalName(table: Pick<Snapshot, 'settings' | 'seats' | 'you'>): string {
  const opponent = opponentSide(table);
  return opponent ? occupantName(table.seats[seat(opponent)], table.settings.game) : '';
}

/** What the sides of a table are called to its reader: by name, or by side where one person plays both. */
export const calledAt =
  ({ settings: { game }, seats, you }: Pick<Snapshot, 'settings' | 'seats' | 'you'>): ((side: Side) => string) =>
  (side) =>
    you.length > 1 ? sideName(infoOf(game), side) : occupantName(seats[seat(side)], game);

export function clockText(clock: Clock): string {
  switch (clock.kind) {
    case 'none':
      return t('clock.none');
    case 'game':
      return `${minutes(clock.initial_ms)} + ${Math.round(clock.increment_ms / 1000)}`;
    case 'move':
      return t('clock.per-move', { seconds: Math.round(clock.ms / 1000) });
    case 'correspondence':
      return tn('clock.days', clock.days);
  }
}

const inUnit = (n: number, unit: string): string => formatNumber(n, { style: 'unit', unit, unitDisplay: 'long' });

/** A clock as a sentence: “5 minutes each, 3 seconds more per move.” */
export function clockWords(clock: Clock): string {
  switch (clock.kind) {
    case 'none':
      return t('clock.words-none');
    case 'game': {
      const time = inUnit(clock.initial_ms / 60_000, 'minute');
      if (!clock.increment_ms) return t('clock.words-sudden', { time });
      return t('clock.words-game', { time, increment: inUnit(clock.increment_ms / 1_000, 'second') });
    }
    case 'move':
      return t('clock.words-move', { time: inUnit(clock.ms / 1_000, 'second') });
    case 'correspondence':
      return t('clock.words-days', { time: inUnit(clock.days, 'day') });
  }
}

function minutes(ms: number): string {
  const whole = ms / 60_000;
  return Number.isInteger(whole) ? String(whole) : whole.toFixed(1).replace(/\.0$/, '');
}

/** The time on a clock: `3:48`; `0:09.4` when little is left; `2 d 4:00` if much is left. */
export function clockFace(ms: number): string {
  const tight = ms < 10_000;
  const seconds = tight ? Math.floor(ms / 100) / 10 : Math.ceil(ms / 1000);
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor((seconds % 86_400) / 3_600);
  const mins = Math.floor((seconds % 3_600) / 60);
  const secs = seconds % 60;
  const two = (n: number): string => String(n).padStart(2, '0');
  if (days) return t('clock.long', { days, time: `${hours}:${two(mins)}` });
  if (hours) return `${hours}:${two(mins)}:${two(Math.floor(secs))}`;
  return tight ? `0:${secs.toFixed(1).padStart(4, '0')}` : `${mins}:${two(secs)}`;
}

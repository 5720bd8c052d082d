// Names and sentences about pieces, moves and results, in the language of the reader.

import type { Kind, Piece, Side, Occupant, Clock, GameResult, View } from '../protocol';
import { formatList, has, t, tn, type Key } from '../words.svelte';
import { pieceAt, spot } from './cells';
import { gameName, look as lookOf, size, type Look } from './looks';

export const sideName = (look: Look, side: Side): string => t(look.sides[side === 'first' ? 0 : 1]);

export const kindName = (kind: Kind): string => t(`kind.${kind}`);

/** “Solid knight”, “X”. */
export function pieceName(look: Look, { side, kind }: Piece): string {
  return kind === 'stone' ? sideName(look, side) : t('board.piece', { side: sideName(look, side), kind: kindName(kind) });
}

const FIGURINES: Partial<Record<Kind, string>> = { rook: '♜', knight: '♞', bishop: '♝', queen: '♛', king: '♚' };
const LETTERS: Record<string, Kind> = { R: 'rook', N: 'knight', B: 'bishop', Q: 'queen', K: 'king' };
/** So that a chess figure stays text and does not become a coloured picture. */
const AS_TEXT = '\uFE0E';

/** A move as it is listed: figures for chess pieces. */
export function moveText(game: string, move: string, kind?: Kind): string {
  const name = gameName(game);
  if (name === 'chess-five') {
    const drop = /^([RNBQK])@([a-z]+)$/.exec(move);
    if (drop) return `${FIGURINES[LETTERS[drop[1]!]!]}${AS_TEXT}${drop[2]}`;
    const step = /^([a-z]+\d+)([a-z]+\d+)$/.exec(move);
    if (step) return `${kind ? `${FIGURINES[kind] ?? ''}${AS_TEXT}` : ''}${step[1]}–${step[2]}`;
  }
  if (name === 'simplexity') {
    const drop = /^(\d+)([rs])$/.exec(move);
    if (drop) return `${drop[1]}${drop[2] === 'r' ? '●' : '■'}`;
  }
  return move;
}

/** A move as it is said: “knight to e4”, “column 4”. */
export function moveSpoken(game: string, move: string, view?: View): string {
  const to = view?.last.at(-1);
  const step = /^([a-z]+\d+)([a-z]+\d+)$/.exec(move);
  const drop = /^([RNBQK])@([a-z]+)$/.exec(move);
  const shape = /^(\d+)([rs])$/.exec(move);
  const kind = to && view ? pieceAt(view, spot(to))?.kind : undefined;
  if (gameName(game) === 'chess-five') {
    if (step) return t('say.step', { piece: kind ? kindName(kind) : '', from: step[1]!, to: step[2]! });
    if (drop) return t('say.drop', { piece: kindName(LETTERS[drop[1]!]!), cell: to ?? drop[2]! });
  }
  if (shape) return t('say.shape', { shape: kindName(shape[2] === 'r' ? 'round' : 'square'), column: shape[1]! });
  return /^\d+$/.test(move) ? t('say.column', { column: move }) : move;
}

/** The letters of pieces that can be typed: those of the reader's language come before the English ones. */
export function typedLetters(game: string): Record<string, Kind> {
  const kinds: Kind[] = gameName(game) === 'chess-five' ? ['rook', 'knight', 'bishop', 'queen', 'king'] : ['round', 'square'];
  const english: Record<string, Kind> = { r: 'rook', n: 'knight', b: 'bishop', q: 'queen', k: 'king' };
  const shapes: Record<string, Kind> = { r: 'round', s: 'square' };
  const own = Object.fromEntries(kinds.map((kind) => [t(`letter.${kind}` as Key).toLowerCase(), kind]));
  return { ...(gameName(game) === 'chess-five' ? english : shapes), ...own };
}

/** “Connect Four 8×9, 5 in a line”. */
export function gameTitle(game: string): string {
  const title = t(lookOf(game).title);
  const numbers = size(game);
  return numbers ? t('game.sized', { game: title, rows: numbers.rows, cols: numbers.cols, run: numbers.run }) : title;
}

/** `level:3` as “Level 3”, `smart:5` as “Smart 5”. */
export function programName(name: string): string {
  const [base = name, ...rest] = name.split(':');
  const parameter = rest.join(':');
  const key = `program.${base}`;
  const title = has(key) ? t(key) : base;
  const shown = has(`strength.${parameter}`) ? t(`strength.${parameter}` as Key) : parameter;
  return parameter ? `${title} ${shown}` : title;
}

export function occupantName(occupant: Occupant): string {
  switch (occupant.kind) {
    case 'open':
      return t('seat.open');
    case 'program':
      return programName(occupant.name);
    case 'person':
      return occupant.name;
  }
}

export function clockText(clock: Clock): string {
  switch (clock.kind) {
    case 'none':
      return t('clock.none');
    case 'game':
      return `${minutes(clock.initial_ms)}+${Math.round(clock.increment_ms / 1000)}`;
    case 'move':
      return t('clock.per-move', { seconds: Math.round(clock.ms / 1000) });
    case 'correspondence':
      return tn('clock.days', clock.days);
  }
}

function minutes(ms: number): string {
  const whole = ms / 60_000;
  return Number.isInteger(whole) ? String(whole) : whole.toFixed(1).replace(/\.0$/, '');
}

/** `3:48`, `0:09.4` when it gets tight, `2 d 4:00` for long ones. */
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

/** Who won: the headline of the result. */
export function resultHeadline(look: Look, result: GameResult, you: Side[]): string {
  if (result.reason === 'aborted') return t('result.aborted');
  if (!result.winner) return t('result.draw');
  if (you.length === 1) return t(you[0] === result.winner ? 'result.you-won' : 'result.you-lost');
  return t('result.won', { side: sideName(look, result.winner) });
}

/** How it was won: by which line, by shape or colour, on time, by leaving. */
export function resultHow(game: string, view: View, result: GameResult): string {
  const look = lookOf(game);
  const winner = result.winner ? sideName(look, result.winner) : '';
  const loser = result.winner ? sideName(look, result.winner === 'first' ? 'second' : 'first') : '';
  switch (result.reason) {
    case 'resignation':
      return t('result.how.resignation', { loser });
    case 'time':
      return result.winner ? t('result.how.time', { loser }) : t('result.how.time-draw');
    case 'agreement':
      return t('result.how.agreement');
    case 'abandoned':
      return result.winner ? t('result.how.abandoned', { loser }) : t('result.how.abandoned-draw');
    case 'aborted':
      return t('result.how.aborted');
    case 'rules':
      break;
  }
  if (!result.winner || !view.line) {
    const full = view.cells.every((piece) => piece !== null);
    return t(full ? 'result.how.full' : 'result.how.no-progress');
  }
  const cells = { side: winner, n: view.line.length, from: view.line[0]!, to: view.line.at(-1)! };
  const direction = t(`direction.${directionOf(view.line)}`);
  if (gameName(game) === 'simplexity') {
    if (!view.shape) return t('result.how.colour', { ...cells, direction });
    const last = view.last.at(-1);
    const lastBy = last ? pieceAt(view, spot(last))?.side : result.winner;
    // The last piece may belong to the loser, whose own move gave the game away.
    const key = lastBy === result.winner ? 'result.how.shape' : 'result.how.shape-given';
    return t(key, { ...cells, direction, loser, shape: kindName(view.shape) });
  }
  return t('result.how.line', { ...cells, direction });
}

export function directionOf(line: string[]): 'row' | 'column' | 'rising' | 'falling' {
  const [a, b] = [spot(line[0]!), spot(line.at(-1)!)];
  if (a.row === b.row) return 'row';
  if (a.col === b.col) return 'column';
  return (b.row - a.row) * (b.col - a.col) > 0 ? 'rising' : 'falling';
}

export const cellsText = (cells: string[]): string => formatList(cells);

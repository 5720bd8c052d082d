// What a click, a key or a typed word means, given the moves that the server offers. This file knows
// no rules: it chooses among the legal moves, and refuses with a reason what matches none of them.

import type { Choice, Frame, GameInfo, View } from '../protocol';
import { t, type Key, type Values } from '../i18n.svelte';
import { namesColumns } from './games.svelte';
import { cellName, columnLetters, pieceAt, spot, type Spot } from './cells';

export interface Refused {
  key: Key;
  values: Values;
}

export type Intent =
  | { move: Choice }
  /** A piece was picked up, or another one instead. */
  | { pick: string }
  | { refused: Refused };

const refused = (key: Key, values: Values = {}): Intent => ({ refused: { key, values } });

/** The placement of this kind at a spot: on the cell, or in its column where pieces fall. */
export function placement(gameInfo: GameInfo, legal: Choice[], kind: string | undefined, at: Spot): Choice | undefined {
  return legal.find((choice) => {
    if (choice.from !== undefined || (kind !== undefined && choice.kind !== kind)) return false;
    const to = spot(choice.to);
    return to.col === at.col && (gameInfo.falls || to.row === at.row);
  });
}

/** Whether pieces are moved on the board rather than placed. */
export const isMoving = (legal: Choice[]): boolean => legal.length > 0 && legal.every(({ from }) => from !== undefined);

/** Whether a piece on the board is chosen first, to move it or to take it out. */
export const canPick = (legal: Choice[], cell: string): boolean => legal.some(({ from }) => from === cell);

/** Where the picked piece can go. */
export const targets = (legal: Choice[], picked: string | undefined): Choice[] =>
  picked === undefined ? [] : legal.filter(({ from }) => from === picked);

/** What it means to act on a spot. */
export function act(
  gameInfo: GameInfo,
  view: View,
  legal: Choice[],
  kind: string | undefined,
  picked: string | undefined,
  at: Spot,
): Intent {
  const cell = cellName(at);
  const step = targets(legal, picked).find(({ to }) => to === cell);
  if (step) return { move: step };
  if (canPick(legal, cell)) return { pick: cell };
  if (isMoving(legal)) {
    const piece = pieceAt(view, at);
    if (picked !== undefined) return refused('refuse.cannot-go', { from: picked, to: cell });
    return piece?.side === view.turn ? refused('refuse.no-way', { cell }) : refused('refuse.pick-own');
  }
  const move = placement(gameInfo, legal, kind, at);
  if (move) return { move };
  if (gameInfo.falls) {
    const full = pieceAt(view, { col: at.col, row: view.rows - 1 }) !== null;
    return full ? refused('refuse.column-full', { column: columnName(gameInfo, at.col) }) : refused('refuse.no-piece');
  }
  const forbidden = view.forbidden?.find((each) => each.cell === cell);
  return forbidden
    ? refused('foul.refuse', { cell, foul: t(`foul.${forbidden.foul}`) })
    : refused('refuse.cell-taken', { cell });
}

/** The drop in a column that was chosen by its number, from 1. */
export function inColumn(
  gameInfo: GameInfo,
  view: View,
  legal: Choice[],
  kind: string | undefined,
  column: number,
): Intent {
  if (column < 1 || column > view.cols) return refused('refuse.typed', { text: String(column) });
  return legal.length
    ? act(gameInfo, view, legal, kind, undefined, { col: column - 1, row: view.rows - 1 })
    : refused('refuse.not-now');
}

/** A column as moves name it: by its number, or by its letters. */
export const columnName = (gameInfo: GameInfo, col: number): string =>
  namesColumns(gameInfo) ? String(col + 1) : columnLetters(col);

/** The kinds that can be placed, and how many of each are left. */
export function tray(view: View): [string, number][] {
  return view.hands[view.turn === 'first' ? 0 : 1];
}

/** Whether the kind of a piece is chosen before its place: while there are pieces in hand. */
export const choosesKind = (frame: Frame | undefined): boolean =>
  frame !== undefined && frame.view.hands.flat().some(([, count]) => count > 0) && !isMoving(frame.legal);

/** The chosen kind, or the next one that is left. */
export function chosenKind(legal: Choice[], wanted: string | undefined): string | undefined {
  const kinds = legal.filter(({ from }) => from === undefined).map(({ kind }) => kind);
  return wanted !== undefined && kinds.includes(wanted) ? wanted : kinds[0];
}

/** Letters of kinds as typed, in the language of the reader and in English. */
export type Letters = Partial<Record<string, string>>;

/**
 * Reads a typed move: `4`, `12`, `b2`, `s4`, `4s`, `Qc`, `Q@c`, `Nd2-e4`, `d2e4`.
 * The letter of a piece is only looked at where it is needed.
 */
export function typed(
  text: string,
  gameInfo: GameInfo,
  legal: Choice[],
  kind: string | undefined,
  letters: Letters,
): Choice | undefined {
  const word = text.trim().replace(/[\s@–-]/g, '');
  const kindOf = (letter: string | undefined): string | undefined =>
    letter === undefined ? undefined : letters[letter.toLowerCase()];
  const exact = legal.find(({ move }) => move.toLowerCase() === text.trim().toLowerCase());
  // `Bc4` could be a piece and a cell, or a cell of its own: steps are written with two cells.
  const step = /^([A-Za-z])?([a-z]+\d+)([a-z]+\d+)$/i.exec(word);
  if (step) {
    const [, , from = '', to = ''] = step;
    return legal.find((choice) => choice.from === from.toLowerCase() && choice.to === to.toLowerCase());
  }
  const dropIn = (col: number, of: string | undefined): Choice | undefined =>
    legal.find(
      (choice) => choice.from === undefined && spot(choice.to).col === col && (of === undefined || choice.kind === of),
    );
  const dropsByLetter = gameInfo.falls && !namesColumns(gameInfo);
  const number = /^(\p{L})?(\d+)(\p{L})?$/u.exec(word);
  if (number && namesColumns(gameInfo)) {
    const letter = number[1] ?? number[3];
    const of = letter === undefined ? kind : kindOf(letter);
    return letter !== undefined && of === undefined ? exact : dropIn(Number(number[2]) - 1, of);
  }
  const drop = /^(\p{L})([a-z]+)$/iu.exec(word);
  if (drop && dropsByLetter) {
    const of = kindOf(drop[1]);
    const col = spot(`${drop[2]!.toLowerCase()}1`).col;
    return of === undefined ? undefined : dropIn(col, of);
  }
  if (dropsByLetter && /^[a-z]+$/i.test(word)) return dropIn(spot(`${word.toLowerCase()}1`).col, kind);
  return exact ?? legal.find(({ from, to }) => from === undefined && to === word.toLowerCase());
}

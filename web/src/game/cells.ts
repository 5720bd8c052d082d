// Names of cells and their places on the screen.

import type { GameInfo, Piece, View } from '../protocol';

/** a … z, then aa, ab … */
export function columnLetters(column: number): string {
  const letter = (n: number): string => String.fromCharCode(97 + n);
  return column < 26 ? letter(column) : letter(Math.floor(column / 26) - 1) + letter(column % 26);
}

/** Columns and rows count from zero, from the left and from the bottom. */
export interface Spot {
  col: number;
  row: number;
}

export const cellName = ({ col, row }: Spot): string => `${columnLetters(col)}${row + 1}`;

export function spot(cell: string): Spot {
  const [, letters = 'a', digits = '1'] = /^([a-z]+)(\d+)$/.exec(cell) ?? [];
  const col = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 96, 0) - 1;
  return { col, row: Number(digits) - 1 };
}

export function pieceAt(view: View, { col, row }: Spot): Piece | null {
  return view.cells[(view.rows - 1 - row) * view.cols + col] ?? null;
}

/** Whether pieces fall into columns now: as long as some are in hand, or where there are no hands. */
export const fallsNow = ({ falls, phases }: GameInfo, { hands }: View): boolean =>
  falls && (phases.length < 2 || hands.flat().some(([, count]) => count > 0));

/** All pieces with their cells, by rows from the top. */
export function placed(view: View): { cell: string; piece: Piece }[] {
  return view.cells.flatMap((piece, at) =>
    piece ? [{ cell: cellName({ col: at % view.cols, row: view.rows - 1 - Math.floor(at / view.cols) }), piece }] : [],
  );
}

/** A list whose items stay the same objects while nothing about them changes, so that only what changed is drawn again. */
export function steady<T extends object>(key: keyof T): (items: T[]) => T[] {
  let before = new Map<unknown, T>();
  return (items) => {
    const now = items.map((item) => {
      const old = before.get(item[key]);
      return old && (Object.keys(item) as (keyof T)[]).every((name) => old[name] === item[name]) ? old : item;
    });
    before = new Map(now.map((item) => [item[key], item]));
    return now;
  };
}

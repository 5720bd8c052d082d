// Where things are on the picture of a board, in hundredths of a cell: its frame, its cells, lines and arrows.

import type { CellStyle, Choice, GameInfo } from '../protocol';
import { columnLetters, spot, type Spot } from './cells';
import { namesColumns } from './games.svelte';

interface Frame {
  /** From the edge of the board to the edge of its cells. */
  pad: number;
  /** Below the cells, for the numbers of columns. */
  foot: number;
  /** How far the board's thickness shows below it. */
  lip: number;
  radius: number;
}

const FRAMES: Record<CellStyle, Frame> = {
  'round-holes': { pad: 22, foot: 26, lip: 16, radius: 34 },
  'square-holes': { pad: 22, foot: 26, lip: 16, radius: 34 },
  chequered: { pad: 30, foot: 0, lip: 14, radius: 30 },
  plain: { pad: 34, foot: 0, lip: 9, radius: 22 },
  crossings: { pad: 80, foot: 0, lip: 26, radius: 52 },
};
const SMALL: Record<CellStyle, Frame> = {
  'round-holes': { pad: 16, foot: 0, lip: 0, radius: 26 },
  'square-holes': { pad: 16, foot: 0, lip: 0, radius: 26 },
  chequered: { pad: 10, foot: 0, lip: 0, radius: 22 },
  plain: { pad: 18, foot: 0, lip: 0, radius: 26 },
  crossings: { pad: 28, foot: 0, lip: 0, radius: 40 },
};
const LETTERS: Record<CellStyle, number> = {
  'round-holes': 22,
  'square-holes': 22,
  chequered: 21,
  plain: 16,
  crossings: 32,
};
/** The room above the board, where the piece waits that will fall. */
const RAIL = 86;

export interface Layout extends Frame {
  rows: number;
  cols: number;
  style: CellStyle;
  /** Seen from the other side: turned round, or only mirrored where pieces fall. */
  flipped: boolean;
  falls: boolean;
  rail: number;
  width: number;
  height: number;
  /** From the edge of the board to the sunk plate of crossings. */
  frame: number;
  /** A thumbnail: without shade, light, bevels and names. */
  small: boolean;
  /** The size of letters and numbers: large enough to be read however small the board is. */
  letters: number;
  /** What stands beside the cells or below the columns. */
  names: { text: string; x: number; y: number; col?: number }[];
}

export interface Arrow {
  from?: string | undefined;
  to: string;
}

export const arrowOf = (choice: Choice | undefined): Arrow[] => (choice ? [choice] : []);

interface Wish {
  flipped?: boolean;
  /** Whether pieces fall from above the board now. */
  rail?: boolean;
  small?: boolean;
  /** Whether there is hardly room for the cells: the frame is as narrow as it can be. */
  tight?: boolean;
  /** How many pixels of the screen a cell has, if that is known. */
  unit?: number;
}

export function layoutOf(
  gameInfo: GameInfo,
  rows: number,
  cols: number,
  { flipped = false, rail = false, small = false, tight = false, unit = 100 }: Wish = {},
): Layout {
  const style = gameInfo.cells;
  const narrow = tight && style === 'crossings';
  const frame = { ...(small ? SMALL : FRAMES)[style], ...(narrow && { pad: 62, radius: 30 }) };
  const room = rail && !small ? RAIL : 0;
  const layout: Layout = {
    ...frame,
    rows,
    cols,
    style,
    flipped,
    falls: gameInfo.falls,
    rail: room,
    width: cols * 100 + 2 * frame.pad,
    frame: small ? 18 : narrow ? 46 : 62,
    height: room + rows * 100 + 2 * frame.pad + frame.foot + frame.lip,
    small,
    letters: Math.max(LETTERS[style], Math.min(46, 1050 / unit)),
    names: [],
  };
  if (!small) layout.names = namesOf(layout, namesColumns(gameInfo));
  return layout;
}

/** Numbers of columns and rows are engraved beside the holes; names of cells stand in the frame. */
function namesOf(layout: Layout, columns: boolean): Layout['names'] {
  const { rows, cols, pad, rail } = layout;
  const foot = rail + pad + rows * 100;
  const size = layout.letters;
  if (columns) {
    return [
      ...Array.from({ length: rows }, (_, row) => ({
        text: String(row + 1),
        x: pad / 2 + 3,
        y: top(layout, { col: 0, row }) + 50 + size / 3,
      })),
      ...Array.from({ length: cols }, (_, col) => ({
        text: String(col + 1),
        x: left(layout, { col, row: 0 }) + 50,
        y: foot + pad / 2 + 25,
        col,
      })),
    ];
  }
  // On crossings the frame is narrower than the way to the first line.
  const middle = layout.style === 'crossings' ? layout.frame / 2 : pad / 2;
  return [
    ...Array.from({ length: rows }, (_, row) => ({
      text: String(row + 1),
      x: middle,
      y: top(layout, { col: 0, row }) + 50 + size / 3,
    })),
    ...Array.from({ length: cols }, (_, col) => ({
      text: columnLetters(col),
      x: left(layout, { col, row: 0 }) + 50,
      y: layout.height - layout.lip - middle + size / 3,
      col,
    })),
  ];
}

/** The left edge of a cell. */
export const left = ({ cols, flipped, pad }: Pick<Layout, 'cols' | 'flipped' | 'pad'>, { col }: Spot): number =>
  pad + 100 * (flipped ? cols - 1 - col : col);

/** The top edge of a cell. */
export const top = (
  { rows, flipped, falls, pad, rail }: Pick<Layout, 'rows' | 'flipped' | 'falls' | 'pad' | 'rail'>,
  { row }: Spot,
): number => rail + pad + 100 * (flipped && !falls ? row : rows - 1 - row);

/** A part of the picture as a length in its sheet. */
export const share = (part: number, whole: number): string => `${(100 * part) / whole}%`;

export const middle = (layout: Layout, cell: string): [number, number] => {
  const at = spot(cell);
  return [left(layout, at) + 50, top(layout, at) + 50];
};

/** A rectangle with round corners as a path. */
export const rounded = (x: number, y: number, w: number, h: number, r: number): string =>
  `M${x + r} ${y}h${w - 2 * r}a${r} ${r} 0 0 1 ${r} ${r}v${h - 2 * r}a${r} ${r} 0 0 1 ${-r} ${r}h${2 * r - w}a${r} ${r} 0 0 1 ${-r} ${-r}v${2 * r - h}a${r} ${r} 0 0 1 ${r} ${-r}Z`;

/** The opening of a cell, around its middle; that of a hole may be `wider` on every side. */
export const opening = (style: CellStyle, x: number, y: number, wider = 0): string => {
  const [r, half] = [41.5 + wider, 42.5 + wider];
  return style === 'round-holes'
    ? `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`
    : style === 'square-holes'
      ? rounded(x - half, y - half, 2 * half, 2 * half, 14 + wider)
      : style === 'plain'
        ? rounded(x - 46, y - 46, 92, 92, 15)
        : rounded(x - 48, y - 48, 96, 96, 7);
};

/** A line of cells as a bar that lies along the x axis of its own system: its length and where that system is. */
export function alongLine(layout: Layout, cells: string[]): { length: number; transform: string } {
  const [[ax, ay], [bx, by]] = [middle(layout, cells[0]!), middle(layout, cells.at(-1)!)];
  const angle = (Math.atan2(by - ay, bx - ax) * 180) / Math.PI;
  return { length: Math.hypot(bx - ax, by - ay), transform: `translate(${ax} ${ay}) rotate(${angle})` };
}

/** The outline of an arrow from a cell to another, into a column from above, or out of it below. */
export function arrowPath(layout: Layout, { from, to }: Arrow): string {
  const [bx, y] = middle(layout, to);
  const by = from === to ? y + 64 : y;
  const [ax, ay] = from ? middle(layout, from) : [bx, layout.rail + layout.pad + 10];
  const length = Math.hypot(bx - ax, by - ay) || 1;
  const [ux, uy] = [(bx - ax) / length, (by - ay) / length];
  const [ex, ey] = [bx - 34 * ux, by - 34 * uy];
  return `M${ax} ${ay}L${ex} ${ey}M${bx - 6 * ux} ${by - 6 * uy}L${ex - 17 * uy} ${ey + 17 * ux}L${ex + 17 * uy} ${ey - 17 * ux}Z`;
}

const FALL = 'cubic-bezier(.33,0,.67,.33)';
const SETTLE = 'cubic-bezier(.2,.8,.3,1)';
const SLIDE = 'cubic-bezier(.2,.7,.2,1)';

/** Shows how a piece arrived: it slides from its cell, falls from the rail and bounces once, or appears. */
export function animateMove(
  piece: Element,
  layout: Layout,
  from: string | undefined,
  to: string,
  quick: boolean,
): Animation {
  const [x, y] = middle(layout, to);
  if (from) {
    const [fx, fy] = middle(layout, from);
    return piece.animate([{ transform: `translate(${fx - x}px, ${fy - y}px)` }, { transform: 'none' }], {
      duration: quick ? 90 : 180,
      easing: SLIDE,
      id: 'slide',
    });
  }
  if (layout.rail || layout.falls) {
    const rows = layout.rows - spot(to).row;
    const height = y - (layout.rail ? layout.rail - 42 : -50);
    const fall = quick ? 90 : Math.min(520, 120 + 70 * rows);
    const settle = quick ? 0 : 140;
    const landed = fall / (fall + settle);
    return piece.animate(
      [
        { transform: `translateY(${-height}px)`, easing: FALL },
        { transform: 'none', offset: landed, easing: SETTLE },
        ...(quick ? [] : [{ transform: 'translateY(-5px)', offset: landed + (1 - landed) * 0.4, easing: SETTLE }]),
        { transform: 'none' },
      ],
      { duration: fall + settle, id: 'fall' },
    );
  }
  return piece.animate(
    [
      { opacity: 0, transform: 'scale(1.12)' },
      { opacity: 1, transform: 'none' },
    ],
    { duration: quick ? 60 : 140, easing: SETTLE, id: 'place' },
  );
}

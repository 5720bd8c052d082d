// Where cells, lines and arrows are on the picture of a board, in units of a hundredth of a cell, and how pieces arrive.

import { spot, type Spot } from './cells';

export interface Layout {
  rows: number;
  cols: number;
  /** Seen from the other side: turned round, or only mirrored where pieces fall. */
  flipped: boolean;
  falls: boolean;
}

export interface Arrow {
  from?: string | undefined;
  to: string;
}

/** The left edge of a cell. */
export const left = ({ cols, flipped }: Layout, { col }: Spot): number => 100 * (flipped ? cols - 1 - col : col);

/** The top edge of a cell. */
export const top = ({ rows, flipped, falls }: Layout, { row }: Spot): number => 100 * (flipped && !falls ? row : rows - 1 - row);

/** The capsule around a line of cells. */
export function capsule(layout: Layout, cells: string[]): { x: number; y: number; width: number; height: number; rx: number; transform: string } {
  const [a, b] = [spot(cells[0]!), spot(cells.at(-1)!)];
  const [ax, ay, bx, by] = [left(layout, a) + 50, top(layout, a) + 50, left(layout, b) + 50, top(layout, b) + 50];
  const length = Math.hypot(bx - ax, by - ay);
  const angle = (Math.atan2(by - ay, bx - ax) * 180) / Math.PI;
  return { x: -42, y: -42, width: length + 84, height: 84, rx: 42, transform: `translate(${ax} ${ay}) rotate(${angle})` };
}

/** The outline of an arrow from a cell to another, or into a column from above. */
export function arrowPath(layout: Layout, { from, to }: Arrow): string {
  const b = spot(to);
  const a = from ? spot(from) : b;
  const [ax, ay, bx, by] = [left(layout, a) + 50, from ? top(layout, a) + 50 : 10, left(layout, b) + 50, top(layout, b) + 50];
  const length = Math.hypot(bx - ax, by - ay) || 1;
  const [ux, uy] = [(bx - ax) / length, (by - ay) / length];
  const [ex, ey] = [bx - 34 * ux, by - 34 * uy];
  return `M${ax} ${ay}L${ex} ${ey}M${bx - 6 * ux} ${by - 6 * uy}L${ex - 17 * uy} ${ey + 17 * ux}L${ex + 17 * uy} ${ey - 17 * ux}Z`;
}

/** Shows how a piece arrived: it slides from its cell, falls from above, or appears. */
export function animateMove(piece: Element, layout: Layout, from: string | undefined, to: string, quick: boolean): void {
  const end = spot(to);
  if (from) {
    const start = spot(from);
    const offset = `translate(${left(layout, start) - left(layout, end)}px, ${top(layout, start) - top(layout, end)}px)`;
    piece.animate([{ transform: offset }, { transform: 'none' }], { duration: quick ? 90 : 160, easing: 'ease-out' });
  } else if (layout.falls) {
    const fall = layout.rows - end.row;
    const duration = quick ? 90 : Math.min(420, 60 * fall + 80);
    piece.animate(
      [
        { transform: `translateY(${-100 * fall}px)`, easing: 'ease-in' },
        { transform: 'none', offset: 0.82, easing: 'ease-out' },
        { transform: 'translateY(-8px)', offset: 0.91, easing: 'ease-in' },
        { transform: 'none' },
      ],
      { duration },
    );
  } else {
    piece.animate([{ opacity: 0 }, { opacity: 1 }], { duration: quick ? 60 : 120 });
  }
}

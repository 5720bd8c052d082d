// The part of a large board that a small screen shows, and the move that waits there to be confirmed.

import type { Choice } from '../protocol';

/** From this size on, a narrow screen shows a part of the board. */
const LARGE = 16;
/** A screen is narrow up to this width. */
const NARROW = 600;
/** The size of a cell in a part, in pixels: usually, and as two fingers may zoom it. */
const [USUAL, LEAST, MOST] = [42, 22, 64];

export class Pane {
  /** The size of a cell. */
  unit = $state(USUAL);
  /** What is shown of the sheet, in pixels: how far it begins from its left and top edge, and its size. */
  shown = $state.raw({ left: 0, top: 0, width: 0, height: 0 });
  /** The size of the sheet; no width while the whole board is shown. */
  sheet = $state.raw({ width: 0, height: 0 });
  /** The move that waits to be chosen once more. */
  armed = $state.raw<Choice>();
  /** Plays it, or forgets it. */
  answer: (play: boolean) => void = () => {};
  /** Shows what lies around a place, given as parts of the width and of the height. */
  go: (x: number, y: number) => void = () => {};

  zoom(factor: number): void {
    this.unit = Math.max(LEAST, Math.min(MOST, this.unit * factor));
  }
}

export const isLarge = (rows: number, cols: number, room: number): boolean =>
  room > 0 && room < NARROW && Math.max(rows, cols) >= LARGE;

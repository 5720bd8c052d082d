// A line of play on the board: its first moves as numbered pieces. The keys play it on, move by move.

import { announce } from '../notices.svelte';
import type { Played, ReplayStep } from '../protocol';
import { AHEAD, positionsAhead } from './ahead';
import type { Followed, Pointed } from './boardState.svelte';
import { pieceAt, spot } from './cells';
import { moveSpoken } from './phrases';

/** The pieces of these positions, each where it arrived. */
export const piecesOf = (plies: ReplayStep[]): Followed[] =>
  plies.flatMap(({ view }, at) => {
    const cell = view.last.at(-1);
    const piece = cell && pieceAt(view, spot(cell));
    return piece ? [{ ...piece, cell, n: at + 1 }] : [];
  });

export class LineOnBoard {
  /** The line that was asked for, and what is known of it. */
  #line: string[] | undefined;
  #plies: ReplayStep[] = [];
  /** How many of its moves are played. */
  #reached = 1;
  #also: Pointed = {};

  /** `also` in `show` is drawn together with the line. */
  constructor(
    private readonly course: () => Played,
    private readonly onpoint: (pointed: Pointed | undefined) => void,
  ) {}

  readonly show = async (line: string[], also: Pointed = {}): Promise<void> => {
    this.#line = line;
    this.#also = also;
    const plies = await positionsAhead(this.course(), line).catch(() => []);
    if (this.#line !== line) return;
    this.#plies = plies;
    this.#reached = 1;
    this.#draw();
  };

  readonly leave = (): void => {
    this.#line = undefined;
    this.#plies = [];
    this.onpoint(undefined);
  };

  /** Arrows step through the line that is shown, Escape leaves it. */
  readonly onkeydown = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!this.#plies.length || (!step && event.key !== 'Escape')) return;
    event.preventDefault();
    event.stopPropagation();
    if (!step) return this.leave();
    const reached = Math.max(1, Math.min(this.#plies.length, this.#reached + step));
    if (reached === this.#reached) return;
    this.#reached = reached;
    this.#draw();
    announce(moveSpoken(this.course().game, this.#line![reached - 1]!, this.#plies[reached - 1]!.view));
  };

  #draw(): void {
    const follows = piecesOf(this.#plies.slice(0, Math.max(AHEAD, this.#reached)));
    this.onpoint({ ...this.#also, follows, reached: this.#reached });
  }
}

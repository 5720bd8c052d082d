// The rhythm of a game: the table knows a move at once, the picture shows moves one after another. A program's reply
// begins only when your piece rests and a pause has passed, however fast it was found.

import { settings } from '../settings.svelte';

/** The pause before a program's reply, in milliseconds: the least, and how much more it may be. */
const PAUSES = { slow: [900, 700], natural: [450, 450], instant: [0, 0] } as const;

/** The same move always waits the same time; neighbours differ, so that it does not tick like a clock. */
export function pauseBefore(ply: number): number {
  const [least, more] = PAUSES[settings.pace];
  return least + Math.round(more * ((ply * 0.618_034) % 1));
}

export class Rhythm {
  /** How many moves the picture shows. */
  shown = $state(-1);
  /** Whether the last piece shown rests where it belongs. */
  resting = $state(true);
  /** Since when. */
  restedAt = $state(0);
  #live = -1;
  #isReply: (ply: number) => boolean = () => false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly onrest: (ply: number) => void = () => {}) {}

  /** Tells how many moves the table has now, some of which answer a person. */
  follow(ply: number, isReply: (ply: number) => boolean): void {
    this.#live = ply;
    this.#isReply = isReply;
    // Just arrived, moves were taken back, or much was missed: nothing to tell in order.
    if (this.shown < 0 || ply < this.shown || ply > this.shown + 2 || document.hidden) this.jump(ply);
    else this.#advance();
  }

  /** The picture says that a piece has arrived. */
  settled(ply: number): void {
    if (ply !== this.shown || this.resting) return;
    this.resting = true;
    this.restedAt = performance.now();
    this.onrest(ply);
    this.#advance();
  }

  jump(ply: number): void {
    const before = this.shown;
    this.stop();
    this.shown = ply;
    this.resting = true;
    this.restedAt = performance.now();
    if (before >= 0 && before !== ply) this.onrest(ply);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #advance(): void {
    if (!this.resting || this.#timer !== undefined || this.shown >= this.#live) return;
    const next = this.shown + 1;
    const wait = this.#isReply(next) ? this.restedAt + pauseBefore(next) - performance.now() : 0;
    if (wait <= 0) return this.#show(next);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#show(next);
    }, wait);
  }

  #show(ply: number): void {
    this.resting = false;
    this.shown = ply;
  }
}

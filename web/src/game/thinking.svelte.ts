// The sign of a program that thinks: none at first, then its piece in the rail, then words, then the seconds. It has timers
// of its own for these moments, so that it is as exact with a slow clock on the table as with none.

import type { Side } from '../protocol';

/** When the sign appears, when it is said, and when the seconds are, in milliseconds. */
export const THINKING = { sign: 250, words: 3_000, seconds: 10_000 };

const MARKS = [0, THINKING.sign, THINKING.words, THINKING.seconds];
/** The last moment at which more was shown, and the next. */
const marksAround = (ms: number): [number, number] => {
  const second = 1_000 * Math.floor(ms / 1_000);
  const next = MARKS.findIndex((mark) => mark > ms);
  return next < 0 ? [second, second + 1_000] : [MARKS[next - 1]!, MARKS[next]!];
};

export class Thinking {
  #ms = $state(0);
  readonly #since = $derived.by(() => this.since());
  /** The side whose piece drifts along the rail. */
  readonly side = $derived(this.#since && this.#ms >= THINKING.sign ? this.#since.side : undefined);
  /** For how long a side has been thinking, once that is said. */
  readonly said = $derived(
    this.#since && this.#ms >= THINKING.words ? { side: this.#since.side, ms: this.#ms } : undefined,
  );

  constructor(private readonly since: () => { side: Side; at: number } | undefined) {
    $effect(() => {
      const since = this.#since;
      if (!since) return;
      let timer: ReturnType<typeof setTimeout>;
      const show = (): void => {
        const ms = Math.max(0, performance.now() - since.at);
        const [passed, next] = marksAround(ms);
        this.#ms = passed;
        timer = setTimeout(show, next - ms);
      };
      show();
      return () => clearTimeout(timer);
    });
  }
}

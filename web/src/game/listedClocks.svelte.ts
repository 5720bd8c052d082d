// Clocks of games in a list. The list is asked for every few seconds; between two answers the running clocks go on here.

import type { Side, TableSummary } from '../protocol';
import { seat } from '../sides';

const TICK_MS = 500;

export class ListedClocks {
  #elapsed = $state(0);
  #heardAt = performance.now();

  constructor() {
    $effect(() => {
      const timer = setInterval(() => (this.#elapsed = performance.now() - this.#heardAt), TICK_MS);
      return () => clearInterval(timer);
    });
  }

  /** The list has just been answered. */
  heard(): void {
    this.#heardAt = performance.now();
    this.#elapsed = 0;
  }

  /** What a side has left now; none without clocks. */
  left({ clocks }: TableSummary, side: Side): number | undefined {
    if (!clocks) return undefined;
    const left = clocks.left_ms[seat(side)];
    return clocks.running === side ? Math.max(0, left - this.#elapsed) : left;
  }
}

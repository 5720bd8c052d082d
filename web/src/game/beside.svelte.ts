// What stands beside a board: bars, cards, actions, the list of moves. A move comes there once the frame that shows its
// piece is painted, so that the piece waits for nothing else; every other change comes at once.

import { untrack } from 'svelte';

import type { Choice, Snapshot, Thought, View } from '../protocol';

interface Shown {
  table: Snapshot;
  view: View;
  /** After how many moves the shown position is, and where the next step through the moves begins. */
  ply: number;
  aimed: number;
  legal: Choice[];
  /** Why the last move shown was made, if a program made it. */
  thought: Thought | undefined;
}

export class Beside {
  #shown = $state.raw<Shown>();

  constructor(compute: () => Shown | undefined) {
    let next: Shown | undefined;
    let waits = false;
    const show = (): void => {
      waits = false;
      this.#shown = next;
    };
    $effect.pre(() => {
      next = compute();
      const before = untrack(() => this.#shown);
      const isMove = before && next && (next.ply > before.ply || next.table.moves.length > before.table.moves.length);
      if (!isMove || document.hidden) return show();
      // A task after the frame: the browser has painted it by then.
      if (!waits) requestAnimationFrame(() => setTimeout(() => waits && show()));
      waits = true;
    });
  }

  get now(): Shown {
    return this.#shown!;
  }
}

// What the engine says about the position that a page shows.

import { api, type Played } from '../api';
import type { Analysis, Proven, Reason } from '../protocol.generated';

export class PositionAnalysis {
  thinking = $state(false);
  #answer = $state.raw<{ about: string; analysis: Analysis }>();
  readonly #about = $derived.by(() => JSON.stringify(this.course() ?? null));
  /** The answer about the position shown now, if there is one yet. */
  readonly known = $derived(this.#answer?.about === this.#about ? this.#answer.analysis : undefined);
  /** The best move: what is proved comes before what the search believes. */
  readonly move = $derived(this.known?.thought?.move ?? this.known?.info.lines[0]?.moves[0]);
  readonly proven = $derived(provenIn(this.known?.thought?.reasons) ?? this.known?.info.lines[0]?.proven);
  /** How likely the side to move wins, from −1 to 1. */
  readonly chance = $derived(this.proven ? { win: 1, draw: 0, loss: -1 }[this.proven.result] : this.known?.info.lines[0]?.chance);

  constructor(private readonly course: () => Played | undefined) {}

  /** Asks the server unless the answer is known or on its way. Fails with a `ApiFailure`. */
  async ask(lines: number, time_ms: number): Promise<Analysis | undefined> {
    if (this.known) return this.known;
    const course = this.course();
    if (!course || this.thinking) return undefined;
    const about = this.#about;
    this.thinking = true;
    try {
      const analysis = await api.analysis(course, lines, time_ms);
      this.#answer = { about, analysis };
      return about === this.#about ? analysis : undefined;
    } finally {
      this.thinking = false;
    }
  }
}

function provenIn(reasons: Reason[] = []): Proven | undefined {
  return reasons.find(({ reason }) => reason === 'proven') as Proven | undefined;
}

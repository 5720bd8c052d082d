// What is known about the position that a page shows: one assessment, which only gets better.

import { api } from '../api';
import type { Assessment, Played } from '../protocol';
import { chanceOf, provenOf, thoughtOf } from './proven';

export class PositionAnalysis {
  thinking = $state(false);
  #answer = $state.raw<{ about: string; assessment: Assessment }>();
  readonly #about = $derived.by(() => JSON.stringify(this.course() ?? null));
  /** The assessment of the position shown now, if there is one yet. */
  readonly known = $derived(this.#answer && this.#answer.about === this.#about ? this.#answer.assessment : undefined);
  /** The best move. */
  readonly move = $derived(this.known?.moves[0]?.move);
  readonly verdict = $derived(this.known?.moves[0]?.verdict);
  readonly proven = $derived(provenOf(this.verdict));
  /** How likely the side to move wins, from −1 to 1. */
  readonly chance = $derived(this.verdict && chanceOf(this.verdict));
  /** Why the best move is best. */
  readonly thought = $derived(this.known && thoughtOf(this.known));

  constructor(private readonly course: () => Played | undefined) {}

  /** Asks the server unless the answer is known or on its way. Fails with a `ApiFailure`. */
  async ask(lines: number, time_ms: number): Promise<Assessment | undefined> {
    if (this.known) return this.known;
    const course = this.course();
    if (!course || this.thinking) return undefined;
    const about = this.#about;
    this.thinking = true;
    try {
      const assessment = await api.analysis(course, lines, time_ms);
      this.#answer = { about, assessment };
      return about === this.#about ? assessment : undefined;
    } finally {
      this.thinking = false;
    }
  }

  /** Takes a deeper assessment of the position shown now; reasons stay while they are about the same move. */
  learn(assessment: Assessment): void {
    const known = this.known;
    if (!assessment.moves.length || (known && (known.final || assessment.depth < known.depth))) return;
    const reasons = assessment.reasons ?? (assessment.moves[0]?.move === this.move ? known?.reasons : undefined);
    this.#answer = { about: this.#about, assessment: { ...assessment, ...(reasons && { reasons }) } };
  }
}

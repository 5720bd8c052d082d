// What an embedded board shows: the positions of a game, and what the reader or a program does with it.

import { api, local } from '../api';
import { PositionAnalysis } from '../game/analysis.svelte';
import { chosenKind } from '../game/input';
import { pauseBefore } from '../game/rhythm.svelte';
import type { Played, ReplayStep, Side, Thought } from '../protocol';

export type Mode = 'read' | 'play' | 'analyse';

const LINES = 2;
const THINK_MS = 1_500;

export class EmbeddedGame {
  game = $state('connect-four');
  position = $state('');
  mode = $state<Mode>('read');
  /** The program that answers; with none, the reader moves for both sides. */
  opponent = $state('level:3');
  side = $state<Side>('first');
  steps = $state.raw<ReplayStep[]>([]);
  /** How many of the moves are on the board. */
  at = $state(0);
  /** What is wrong with the attributes, in English: it is for the author of the page. */
  trouble = $state('');
  picked = $state<string>();
  #load = 0;
  #thinking: AbortController | undefined;
  #rested: Promise<void> = Promise.resolve();
  #rest: () => void = () => {};

  readonly moves = $derived(this.steps.slice(1).map(({ move }) => move!));
  readonly step = $derived(this.steps[this.at]);
  readonly isLast = $derived(this.at === this.steps.length - 1);
  readonly #answers = $derived(this.mode === 'play' && this.opponent !== '');
  /** Whether the program is to move. */
  readonly isWaiting = $derived(
    this.#answers &&
      this.isLast &&
      this.step !== undefined &&
      !this.step.view.outcome &&
      this.step.view.turn !== this.side,
  );
  readonly legal = $derived.by(() =>
    !this.step || this.mode === 'read' || this.isWaiting || (this.mode === 'play' && !this.isLast)
      ? []
      : this.step.legal,
  );
  readonly kind = $derived(chosenKind(this.legal, this.picked));
  readonly analysis = new PositionAnalysis(() =>
    this.mode === 'analyse' && this.step && !this.step.view.outcome
      ? this.#record(this.moves.slice(0, this.at))
      : undefined,
  );
  /** The sides that the reader plays. */
  readonly you = $derived<Side[]>(this.#answers ? [this.side] : []);

  constructor(private readonly tell: (event: 'alinea-move' | 'alinea-end', detail: object) => void) {}

  /** Shows another game, its last position first. */
  async load(game: string, position: string, moves: string): Promise<void> {
    this.#stop();
    const load = ++this.#load;
    try {
      const steps = await api.positions({ game, moves, ...(position && { position }) });
      if (load !== this.#load) return;
      [this.game, this.position, this.steps, this.at, this.trouble] = [game, position, steps, steps.length - 1, ''];
    } catch (error) {
      if (load !== this.#load) return;
      this.steps = [];
      return this.#fail(error);
    }
    void this.#answer();
  }

  /** Plays a move after those on the board. Fails with an `ApiFailure` if it is not legal. */
  async play(move: string): Promise<void> {
    const load = ++this.#load;
    const moves = [...this.moves.slice(0, this.at), move];
    const steps = await api.positions(this.#record(moves));
    if (load !== this.#load) return;
    this.#rested = new Promise((resolve) => (this.#rest = resolve));
    [this.steps, this.at] = [steps, steps.length - 1];
    const { outcome } = steps.at(-1)!.view;
    this.tell('alinea-move', { move, moves: moves.join(' ') });
    if (outcome) this.tell('alinea-end', { winner: outcome === 'draw' ? null : outcome });
    void this.#answer();
  }

  /** Plays a move of the reader on the board. */
  async playHere(move: string): Promise<void> {
    await this.play(move).catch((error: unknown) => this.#fail(error));
  }

  show(at: number): void {
    this.at = Math.max(0, Math.min(this.steps.length - 1, at));
  }

  /** Takes back the last move, and that of the program before it. */
  takeBack(): void {
    const turn = this.steps.findLastIndex(
      ({ view }, at) => at < this.steps.length - 1 && (!this.#answers || view.turn === this.side),
    );
    if (turn >= 0) void this.load(this.game, this.position, this.moves.slice(0, turn).join(' '));
  }

  /** The last piece rests on the board. */
  settled(): void {
    this.#rest();
  }

  /** Ends what is on its way. */
  leave(): void {
    this.#load += 1;
    this.#stop();
  }

  #record(moves: string[]): Played {
    return { game: this.game, moves: moves.join(' '), ...(this.position && { position: this.position }) };
  }

  #fail(error: unknown): void {
    this.trouble = error instanceof Error ? error.message : String(error);
  }

  #stop(): void {
    this.#thinking?.abort();
    this.#thinking = undefined;
  }

  /** Lets the program move if it is its turn: after the reader's piece rests and a pause. */
  async #answer(): Promise<void> {
    if (!this.isWaiting) return;
    this.#stop();
    const thinking = (this.#thinking = new AbortController());
    const question = {
      choose: { record: this.#record(this.moves), player: this.opponent, seed: Math.floor(Math.random() * 2 ** 32) },
    };
    const pause = this.#rested.then(
      () => new Promise((resolve) => setTimeout(resolve, pauseBefore(this.steps.length))),
    );
    try {
      const core = await (await local()).loadCore();
      const [{ thought }] = await Promise.all([
        core.think<{ thought: Thought }>(question, undefined, thinking.signal),
        pause,
      ]);
      if (!thinking.signal.aborted) await this.play(thought.move);
    } catch (error) {
      if (!thinking.signal.aborted) this.#fail(error);
    }
  }

  /** Finds out about the position on the board, in the analysis. */
  assess(): void {
    // A later position asks for itself.
    this.analysis.ask(LINES, THINK_MS).catch(() => {});
  }
}

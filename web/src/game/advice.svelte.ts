// Help at a table where it is allowed: the verdict on the shown position, hints in two steps, the best move as an arrow.

import { errorText } from '../user.svelte';
import { t } from '../i18n.svelte';
import { toast } from '../notices.svelte';
import type { Assessment, Choice, GameInfo, Played, Side, View } from '../protocol';
import { change, settings } from '../settings.svelte';
import { PositionAnalysis } from './analysis.svelte';
import { spot } from './cells';
import { Held } from './held.svelte';
import { arrowOf } from './layout';
import { moveSpoken } from './phrases';

/** What is shown, and what may be asked about it. */
interface Shown {
  course: Played | undefined;
  gameInfo: GameInfo;
  view: View | undefined;
  legal: Choice[];
  /** Whether help is allowed here. */
  allowed: boolean;
  /** Whether the reader is to move, in the position shown. */
  toMove: boolean;
  you: Side | undefined;
}

/** Where the opponent of the side to move could win at once, and the lines it would complete there. */
function dangersIn({ reasons = [] }: Pick<Assessment, 'reasons'>): { cells: string[]; lines: string[][] } {
  const dangers = reasons.filter((reason) => reason.reason === 'answer' || reason.reason === 'cannot-answer');
  return { cells: dangers.flatMap(({ cells }) => cells), lines: dangers.flatMap(({ lines = [] }) => lines) };
}

const LINES = 3;
const TIME_MS = 700;

export class Advice {
  /** Whether the eye is open: it shows who is winning. It is closed until the reader opens it. */
  #wish = $state(settings.evaluate === true);
  /** How much of a hint was asked for: 1 is where to look, 2 the move. */
  hints = $state(0);
  readonly analysis: PositionAnalysis;
  /** The words for reasons, which come after the board. */
  #reasons = $state.raw<typeof import('./reasons')>();

  readonly #shown = $derived.by(() => this.shown());
  readonly #evaluating: Held<boolean>;
  readonly #best = $derived.by(() => this.#shown.legal.find(({ move }) => move === this.analysis.move));
  /** The cells to look at: around the hinted move. */
  readonly lit = $derived.by(() => (this.hints === 1 && this.#best ? this.#area(this.#best) : undefined));
  readonly arrows = $derived.by(() =>
    arrowOf(this.hints === 2 || (this.evaluating && settings.arrows) ? this.#best : undefined),
  );
  /** What to write over the columns. */
  readonly results = $derived.by(() => {
    if (!this.evaluating || !this.analysis.known) return undefined;
    const { view, gameInfo, legal } = this.#shown;
    return view && this.#reasons?.columnResults(this.analysis.known, gameInfo, legal, view.cols);
  });

  /** Where the opponent would win at once, and with which lines. */
  readonly dangers = $derived.by(() =>
    dangersIn(this.evaluating && this.#shown.toMove && this.analysis.known ? this.analysis.known : {}),
  );

  constructor(
    private readonly shown: () => Shown,
    private readonly say: (sentence: string) => void,
  ) {
    this.#evaluating = new Held(() => this.#shown.allowed && this.#wish);
    this.analysis = new PositionAnalysis(() => (this.#shown.view?.outcome ? undefined : this.#shown.course));
    void import('./reasons').then((loaded) => (this.#reasons = loaded));
    $effect(() => {
      if (!this.evaluating) return;
      const { view } = this.#shown;
      if (view && !view.outcome && !this.analysis.known && !this.analysis.thinking) void this.#analyse();
    });
  }

  /** Whether the verdict, the best lines and the results of columns are shown. */
  get evaluating(): boolean {
    return this.#evaluating.value;
  }

  get reasons(): typeof import('./reasons') | undefined {
    return this.#reasons;
  }

  async #analyse(): Promise<Assessment | undefined> {
    try {
      return await this.analysis.ask(LINES, TIME_MS);
    } catch (error) {
      toast(errorText(error), true);
      this.#wish = false;
      return undefined;
    }
  }

  /** Whether the eye is open now. */
  toggle(): boolean {
    this.#wish = !this.evaluating;
    change({ evaluate: this.#wish });
    return this.#wish;
  }

  /** The first time where to look, the second time the move. */
  async hint(): Promise<void> {
    const { allowed, toMove, gameInfo } = this.#shown;
    if (!toMove || !allowed || !(await this.#analyse()) || !this.analysis.move) return;
    this.hints = Math.min(2, this.hints + 1);
    this.say(
      this.hints === 1 ? t('say.hint-area') : t('say.hint', { move: moveSpoken(gameInfo.id, this.analysis.move) }),
    );
  }

  async sayThreats(): Promise<void> {
    const { allowed, course, gameInfo, view, you } = this.#shown;
    if (!allowed) return this.say(t('refuse.no-help'));
    await this.#analyse();
    const game = course?.game ?? gameInfo.id;
    if (this.#reasons)
      this.say(this.#reasons.threatsIn(this.analysis.thought, { game, gameInfo, view, mover: view?.turn, you }));
  }

  /** Where to look: the piece to move, the columns around, or the cells around where nothing falls. */
  #area({ from, to }: Choice): string[] {
    if (from) return [from];
    const { legal, gameInfo } = this.#shown;
    const { col, row } = spot(to);
    const isNear = (at: { col: number; row: number }): boolean =>
      Math.abs(at.col - col) <= 1 && (gameInfo.falls || Math.abs(at.row - row) <= 1);
    const near = legal.filter((choice) => isNear(spot(choice.to)));
    return [...new Set(near.map((choice) => choice.to))];
  }
}

// One puzzle from the first picture to the solution. The core judges; the picture shows moves one after another, in the
// rhythm of a game.

import { api } from '../api';
import { lineText } from '../game/reasons';
import { infoOf } from '../game/games.svelte';
import { moveSpoken, sideName } from '../game/phrases';
import { Rhythm } from '../game/rhythm.svelte';
import { t, tn, type Key } from '../i18n.svelte';
import { announce } from '../notices.svelte';
import type { Choice, PuzzleAttempt, PuzzleHelp, PuzzleStep, ReplayStep } from '../protocol';
import { sounds } from '../sounds';
import { errorText } from '../user.svelte';
import { attempt, type Told } from './collection';

/** Plies of a refutation that are shown; the sentence tells the rest. */
const MOST_SHOWN = 8;

type Phase = 'ask' | 'judge' | 'refute' | 'wrong' | 'solved' | 'shown';

export interface Wishes {
  /** Whether a wrong move is answered by the line that refutes it. */
  refute: boolean;
  /** The puzzle is decided: solved at the first try, or not. Called once. */
  ondecided: (solved: boolean, sent: PuzzleAttempt) => void;
  /** The whole solution was found, at whatever try. */
  onsolved?: () => void;
}

export class Solving {
  phase = $state<Phase>('ask');
  /** What is said about the last move: a headline, and why. */
  headline = $state('');
  text = $state('');
  trouble = $state('');
  /** How much help was given with this move: none, what decides, where. */
  hints = $state(0);
  #help = $state.raw<PuzzleHelp>();
  #plies = $state.raw<ReplayStep[]>([]);
  #first = 0;
  /** The moves of the solver that were right. */
  #found: string[] = [];
  /** The moves of the solution that are on the board. */
  #course: string[] = [];
  #isDecided = $state(false);
  #target = 0;
  #arrived = (): void => {};
  readonly #rhythm = new Rhythm((ply) => this.#advance(ply));

  readonly frame = $derived(this.#plies[this.#rhythm.shown - this.#first]);
  readonly ply = $derived(this.#rhythm.shown);
  readonly legal = $derived(this.phase === 'ask' ? (this.frame?.legal ?? []) : []);
  /** The cells that the second hint shows. */
  readonly lit = $derived(this.hints > 1 && this.#help ? [this.#help.from ?? this.#help.to] : []);

  constructor(
    readonly told: Told,
    private readonly wishes: Wishes,
  ) {
    void this.#begin();
  }

  stop(): void {
    this.#rhythm.stop();
    this.#arrived = () => {};
  }

  /** Whether it still counts as solved if the next moves are right. */
  get counts(): boolean {
    return !this.#isDecided;
  }

  get #game(): string {
    return this.told.puzzle.game;
  }

  readonly settled = (ply: number): void => this.#rhythm.settled(ply);

  async #positions(course: string[]): Promise<ReplayStep[]> {
    const { game, moves } = this.told.puzzle;
    const plies = await api.positions({ game, moves: [moves, ...course].join(' ').trim() });
    return plies.slice(this.#first);
  }

  async #begin(): Promise<void> {
    try {
      this.#first = this.told.puzzle.moves.split(' ').filter(Boolean).length;
      this.#plies = await this.#positions([]);
      this.#rhythm.jump(this.#first);
    } catch (error) {
      this.trouble = errorText(error);
    }
  }

  /** Shows the picture up to a ply, one move after another, then calls. */
  #showTo(course: number, then: () => void): void {
    this.#target = this.#first + course;
    this.#arrived = then;
    // A piece that still falls comes here when it rests.
    if (this.#rhythm.resting) this.#advance(this.#rhythm.shown);
  }

  #advance(ply: number): void {
    // The solver's own piece does not wait.
    if (ply < this.#target) return this.#rhythm.follow(ply + 1, (next) => next > this.#first + this.#course.length + 1);
    const arrived = this.#arrived;
    this.#arrived = () => {};
    arrived();
  }

  #decide(solved: boolean, sent: PuzzleAttempt): void {
    if (this.#isDecided) return;
    this.#isDecided = true;
    this.wishes.ondecided(solved, sent);
  }

  #say(headline: string, text = ''): void {
    this.headline = headline;
    this.text = text;
    announce([headline, text].filter(Boolean).join(' '));
  }

  readonly play = async (choice: Choice): Promise<void> => {
    if (this.phase !== 'ask') return;
    this.phase = 'judge';
    this.headline = this.text = this.trouble = '';
    const before = this.#course;
    try {
      const judged = attempt(this.told.of, [...this.#found, choice.move], { refute: this.wishes.refute });
      // The failure is reported below; until the positions arrive it must not count as unhandled.
      judged.catch(() => {});
      this.#plies = await this.#positions([...before, choice.move]);
      this.#showTo(before.length + 1, () => {});
      const step = await judged;
      await (step.result === 'wrong' ? this.#wrong(step, choice.move) : this.#right(step, choice.move));
    } catch (error) {
      this.trouble = errorText(error);
      this.#back();
    }
  };

  async #right(step: PuzzleStep, move: string): Promise<void> {
    this.#found = [...this.#found, move];
    this.#plies = await this.#positions(step.course);
    const solved = step.result === 'solved';
    if (solved) this.#decide(true, { moves: this.#found });
    this.#showTo(step.course.length, () => {
      this.#course = step.course;
      this.hints = 0;
      this.#help = undefined;
      if (!solved) {
        this.phase = 'ask';
        const reply = step.course.at(-1)!;
        return this.#say(
          t('puzzle.right'),
          t('puzzle.reply', { move: moveSpoken(this.#game, reply, this.frame?.view) }),
        );
      }
      this.phase = 'solved';
      void sounds(({ sound }) => sound('win'));
      const { goal } = this.told.puzzle;
      this.#say(
        t('puzzle.solved'),
        t(
          goal === 'hold' ? 'puzzle.solved-hold' : this.frame?.view.outcome ? 'puzzle.solved-won' : 'puzzle.solved-win',
        ),
      );
      this.wishes.onsolved?.();
    });
  }

  async #wrong({ course, refutation }: PuzzleStep, move: string): Promise<void> {
    this.#decide(false, { moves: [...this.#found, move] });
    const line = (refutation?.line ?? []).slice(0, MOST_SHOWN);
    this.#plies = await this.#positions([...course, ...line]);
    this.phase = 'refute';
    void sounds(({ sound }) => sound('refusal'));
    const after = this.#plies[course.length];
    this.#say(
      t('puzzle.not', { move: moveSpoken(this.#game, move, after?.view) }),
      refutation && this.#why(refutation, line, after),
    );
    this.#showTo(course.length + line.length, () => (this.phase = 'wrong'));
  }

  #why(
    { why, moves = 0, line: whole }: NonNullable<PuzzleStep['refutation']>,
    shown: string[],
    after: ReplayStep | undefined,
  ): string {
    const line =
      lineText({ game: this.#game, line: shown, view: after?.view }) + (whole.length > shown.length ? ' …' : '');
    // A sentence that ends in an ellipsis has no full stop.
    return this.#reason(why, moves, line, after).replace(/…\.$/, '…');
  }

  #reason(
    why: NonNullable<PuzzleStep['refutation']>['why'],
    moves: number,
    line: string,
    after: ReplayStep | undefined,
  ): string {
    if (why === 'loses')
      return tn('puzzle-why.loses', moves, { side: sideName(infoOf(this.#game), after?.view.turn ?? 'first'), line });
    if (why === 'later') return tn('puzzle-why.later', moves, { line });
    if (why === 'unclear')
      return this.told.puzzle.goal === 'hold'
        ? t('puzzle-why.fails', { line })
        : tn('puzzle-why.unclear', moves, { line });
    return t(`puzzle-why.${why}` as Key, { line });
  }

  /** Back to the position in which the wrong move was made. */
  readonly again = (): void => {
    if (this.phase !== 'wrong' && this.phase !== 'refute') return;
    this.#back();
    this.#say(t('puzzle.again-said'));
  };

  #back(): void {
    this.#arrived = () => {};
    this.#target = this.#first + this.#course.length;
    this.#rhythm.jump(this.#target);
    this.headline = this.text = '';
    this.phase = 'ask';
  }

  async #helped(): Promise<PuzzleHelp | undefined> {
    this.#decide(false, { moves: this.#found, help: true });
    try {
      return (this.#help ??= (await attempt(this.told.of, this.#found, { help: true })).help);
    } catch (error) {
      this.trouble = errorText(error);
      return undefined;
    }
  }

  /** The first hint says what decides, the second one where. */
  readonly hint = async (): Promise<void> => {
    if (this.phase === 'wrong' || this.phase === 'refute') this.again();
    if (this.phase !== 'ask') return;
    const help = await this.#helped();
    if (!help || this.phase !== 'ask') return;
    this.hints = Math.min(2, this.hints + 1);
    if (this.hints === 1)
      return this.#say(t(`puzzle-theme.${help.theme}` as Key), t(`puzzle-theme-is.${help.theme}` as Key));
    this.#say(
      t('puzzle.hint'),
      help.from ? t('puzzle.hint-from', { cell: help.from }) : t('puzzle.hint-to', { cell: help.to }),
    );
  };

  /** Plays the rest of the solution. */
  readonly reveal = async (): Promise<void> => {
    if (this.phase === 'wrong' || this.phase === 'refute') this.#back();
    if (this.phase !== 'ask') return;
    const help = await this.#helped();
    if (!help || this.phase !== 'ask') return;
    this.phase = 'judge';
    try {
      const course = [...this.#course, ...help.solution];
      this.#plies = await this.#positions(course);
      const line = lineText({ game: this.#game, line: help.solution, view: this.frame?.view });
      this.#say(t('puzzle.solution'), line);
      this.#showTo(course.length, () => (this.phase = 'shown'));
    } catch (error) {
      this.trouble = errorText(error);
      this.#back();
    }
  };
}

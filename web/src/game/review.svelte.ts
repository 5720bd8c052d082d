// The review of a game under study: how it went, where it turned, and the mistakes of the reader as exercises.

import { untrack } from 'svelte';

import { api } from '../api';
import { t, tn } from '../i18n.svelte';
import { announce, toast } from '../notices.svelte';
import type { Choice, ReviewedMove } from '../protocol';
import { errorText } from '../user.svelte';
import type { Course } from './course.svelte';
import { momentsOf } from './moments';
import { moveText, sideName } from './phrases';

export class GameReview {
  /** The reviewed moves, as far as they are known; none before a review was asked for. */
  moves = $state.raw<ReviewedMove[]>();
  isBusy = $state(false);
  /** The position before a mistake, to find what was better. */
  exercise = $state.raw<{ index: number; solved: boolean; text: string }>();

  readonly moments = $derived(momentsOf(this.moves ?? []));
  /** For the first player, after each move. */
  readonly chances = $derived.by(() => {
    const all: (number | undefined)[] = this.course.plies.map(() => undefined);
    for (const { number, chance } of this.moves ?? []) all[number] = chance;
    return all;
  });
  /** The move that led to the position shown. */
  readonly shown = $derived.by(() => this.of(this.course.at));
  readonly moment = $derived.by(() => this.moments.find(({ number }) => number === this.course.at));
  /** The moments that become exercises: the reader's own, where the link says who that is. */
  readonly mistakes = $derived.by(() => momentsOf(this.moves ?? [], this.course.you));
  readonly mistake = $derived(this.exercise && this.mistakes[this.exercise.index]);
  /** Nothing is given away while a better move is looked for. */
  readonly tells = $derived(this.exercise?.solved ?? true);

  constructor(
    private readonly course: Course,
    private readonly say: (sentence: string) => void,
  ) {
    // A link from one's own game leads to its review.
    let isAsked = false;
    $effect(() => {
      if (!course.you || !course.moves.length || isAsked) return;
      isAsked = true;
      untrack(() => void this.run());
    });
  }

  /** A reviewed move by its number, from 1. */
  of(number: number): ReviewedMove | undefined {
    return this.moves?.find((move) => move.number === number);
  }

  async run(): Promise<void> {
    const { game, position, moves } = this.course;
    this.isBusy = true;
    const reviewed: ReviewedMove[] = [];
    try {
      await api.review({ game, position, moves: moves.join(' ') }, (move) => {
        reviewed.push(move);
        this.moves = [...reviewed];
      });
      this.moves ??= [];
      this.say(tn('review.done', this.moments.length));
    } catch (error) {
      toast(errorText(error), true);
    } finally {
      this.isBusy = false;
    }
  }

  /** Goes to the next moment, or to the one before. */
  jump(by: 1 | -1): void {
    const { at } = this.course;
    const to =
      by > 0 ? this.moments.find(({ number }) => number > at) : this.moments.findLast(({ number }) => number < at);
    if (to) this.course.show(to.number);
  }

  /** Asks for a better move than one of the mistakes. */
  ask(index: number): void {
    const next = this.mistakes[index];
    if (!next) {
      this.exercise = undefined;
      return this.say(t('exercise.done'));
    }
    const { game, gameInfo, you } = this.course;
    if (you) void this.#collect(next.number);
    const text = t('exercise.ask', { name: sideName(gameInfo, next.side), move: moveText(game, next.played) });
    this.course.show(next.number - 1);
    this.#tell({ index, solved: false, text });
  }

  /** Judges a move that was played in an exercise. */
  async answer(choice: Choice): Promise<void> {
    const { course, mistake: about } = this;
    const reviewed = about && this.of(about.number);
    if (!reviewed) return;
    const { game } = course;
    let solved = choice.move === reviewed.best.move;
    if (!solved && choice.move !== reviewed.played.move) {
      // Other moves are right if a review does not mark them.
      const { position } = course.plies[reviewed.number - 1]!;
      try {
        await api.review({ game, position, moves: choice.move }, ({ mark }) => (solved = !mark));
      } catch (error) {
        return this.say(errorText(error));
      }
    }
    if (this.mistake !== about || !this.exercise) return;
    const text = t(solved ? 'exercise.right' : 'exercise.wrong', { move: moveText(game, choice.move) });
    this.#tell({ ...this.exercise, solved, text });
  }

  /** Shows the better move of an exercise. */
  reveal(): void {
    if (!this.exercise || !this.mistake) return;
    const text = t('moment.best', { move: moveText(this.course.game, this.mistake.best) });
    this.#tell({ ...this.exercise, solved: true, text });
  }

  #tell(exercise: NonNullable<GameReview['exercise']>): void {
    this.exercise = exercise;
    announce(exercise.text);
  }

  /** Keeps the position before a mistake of one's own for later, if it is proved that a single move was right. */
  async #collect(number: number): Promise<void> {
    const { game, position, moves } = this.course;
    const [{ make }, { addOwn }] = await Promise.all([
      import('../puzzles/collection'),
      import('../puzzles/progress.svelte'),
    ]);
    // A puzzle needs all moves from the start.
    if (position) return;
    const line = await make({ game, moves: moves.slice(0, number - 1).join(' ') }).catch(() => null);
    if (line && addOwn(line).isNew) toast(t('puzzle.own-added'));
  }
}

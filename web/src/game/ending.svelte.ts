// The end of a game as a moment: the last piece rests, the thread is drawn, and only then the result appears. A game that
// had ended before the page came is shown as it stands.

import { untrack } from 'svelte';

import { api } from '../api';
import { allWords, has, t, type Key } from '../i18n.svelte';
import type { ReviewedMove, Side, Snapshot } from '../protocol';
import { seat } from '../sides';
import { sounds } from '../sounds';
import { infoOf } from './games.svelte';
import { levelAfterWins } from './streak';
import type { Turning } from './turning';

/** How the end of a game looks: the line that won is drawn, with its pieces lifted, or pale after a loss. */
export interface Ending {
  mood: 'win' | 'loss' | 'draw';
  /** Whether the line is drawn already. */
  drawn: boolean;
  /** Whether it is drawn before the eyes, not found as it is. */
  moves: boolean;
  /** What the rail says, once it does. */
  text?: string | undefined;
}

/** When things happen after the last piece has come to rest, in milliseconds. */
const AFTER = { thread: 180, told: 900 };
/** While the last piece falls, nothing of its line is drawn. */
const NOT_YET: Ending = { mood: 'win', drawn: false, moves: true };

interface Game {
  table: Snapshot | undefined;
  /** Whether the picture shows the last move, and its piece rests. */
  rests: boolean;
  opponent: Side | undefined;
}

export class GameEnd {
  #ending = $state.raw<Ending>();
  /** Whether the result is shown. */
  isTold = $state(false);
  /** The move that decided the game, and whether it is still being looked for. */
  turning = $state.raw<Turning>();
  isSearching = $state(false);
  /** The next level, when it was earned. */
  nextLevel = $state<string>();
  #wasPlaying = false;
  #timers: ReturnType<typeof setTimeout>[] = [];

  constructor(
    private readonly game: () => Game,
    private readonly say: (sentence: string) => void,
  ) {
    $effect(() => {
      const { table, rests } = game();
      if (!table) return;
      if (!table.result) this.#wasPlaying = true;
      else if (!this.#ending && rests) untrack(() => this.#begin(table));
    });
  }

  get look(): Ending {
    return this.#ending ?? NOT_YET;
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #begin(table: Snapshot): void {
    const { result, you, view, settings } = table;
    const { opponent } = this.game();
    const mood = !result!.winner ? 'draw' : you.length === 1 && !you.includes(result!.winner) ? 'loss' : 'win';
    const n = view.line?.length ?? 0;
    const program = opponent && table.seats[seat(opponent)];
    const up =
      this.#wasPlaying && program?.kind === 'program'
        ? levelAfterWins(table.table, settings.game, program.name, mood)
        : undefined;
    // The words of the end come after the board.
    const finish = async (moves: boolean): Promise<void> => {
      await allWords();
      const text = n > 1 ? (has(`end.line-${n}`) ? t(`end.line-${n}` as Key) : t('end.line', { n })) : undefined;
      this.#ending = { mood, drawn: true, moves, text };
      this.isTold = true;
      this.nextLevel = up;
      void this.#findTurning(table);
    };
    if (!this.#wasPlaying) return void finish(false);
    this.#ending = { mood, drawn: false, moves: true };
    this.#timers.push(
      setTimeout(() => {
        this.#ending = { mood, drawn: true, moves: true };
        void sounds(({ sound }) => sound(mood, n || 4));
      }, AFTER.thread),
      setTimeout(async () => {
        await finish(true);
        const { resultHeadline, resultHow } = await import('./results');
        this.say(`${resultHeadline(infoOf(settings.game), result!, you)} ${resultHow(settings.game, view, result!)}`);
      }, AFTER.told),
    );
  }

  /** Asks the review which move decided the game. */
  async #findTurning({ result, moves, settings, you }: Snapshot): Promise<void> {
    if (!result) return;
    const reviewed: ReviewedMove[] = [];
    this.isSearching = true;
    try {
      const { mayTurn, turningOf } = await import('./turning');
      if (!mayTurn(result, moves.length)) return;
      await api.review(
        { game: settings.game, position: settings.position, moves: moves.map(({ move }) => move).join(' ') },
        (move) => reviewed.push(move),
      );
      this.turning = turningOf(reviewed, result.winner, you.length === 1 ? you[0] : undefined);
    } catch {
      // Without a review the result says less.
    } finally {
      this.isSearching = false;
    }
  }
}

// The end of a game as a moment: the last piece rests, the thread is drawn, and only then the result appears. A game that
// had ended before the page came is shown as it stands.

import { untrack } from 'svelte';

import { allWords, has, t, type Key } from '../i18n.svelte';
import type { Snapshot } from '../protocol';
import { sounds } from '../sounds';
import type { Moment, Seen } from './lookback';

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
/** How long the result waits for the moment that decided the game, told now or found told; the card keeps room for one that comes later. */
const PATIENCE_MS = [600, 1_500] as const;
/** While the last piece falls, nothing of its line is drawn. */
const NOT_YET: Ending = { mood: 'win', drawn: false, moves: true };

interface Game {
  table: Snapshot | undefined;
  /** Whether the picture shows the last move, and its piece rests. */
  rests: boolean;
}

export class GameEnd {
  #ending = $state.raw<Ending>();
  /** Whether the result is shown. */
  isTold = $state(false);
  /** The moment that decided the game, and whether it is still being looked for. */
  moment = $state.raw<Moment>();
  isSearching = $state(false);
  /** The headline, which stays as it was first said. */
  headline = $state('');
  /** Loads what shows the result. */
  prepare: () => Promise<void> = allWords;
  #wasPlaying = false;
  #hasBegun = false;
  #timers: ReturnType<typeof setTimeout>[] = [];

  constructor(
    game: () => Game,
    private readonly say: (sentence: string) => void,
  ) {
    $effect(() => {
      const { table, rests } = game();
      if (!table) return;
      if (!table.result) this.#wasPlaying = true;
      else if (!this.#hasBegun && rests) untrack(() => this.#begin(table));
    });
  }

  get look(): Ending {
    return this.#ending ?? NOT_YET;
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #begin(table: Snapshot): void {
    this.#hasBegun = true;
    const { result, you, view } = table;
    const mood = !result!.winner ? 'draw' : you.length === 1 && !you.includes(result!.winner) ? 'loss' : 'win';
    const n = view.line?.length ?? 0;
    const found = this.#findMoment(table);
    // The words of the end come after the board.
    const finish = async (moves: boolean): Promise<void> => {
      const patience = new Promise<undefined>((resolve) =>
        this.#timers.push(setTimeout(() => resolve(undefined), PATIENCE_MS[moves ? 0 : 1])),
      );
      const [{ headlineOf }, , seen] = await Promise.all([
        import('./results'),
        this.prepare(),
        Promise.race([found, patience]),
      ]);
      const text = n > 1 ? (has(`end.line-${n}`) ? t(`end.line-${n}` as Key) : t('end.line', { n })) : undefined;
      this.headline = headlineOf(table, seen?.said ? seen.moment : undefined);
      void found.then((late) => late?.keep(late === seen));
      this.#ending = { mood, drawn: true, moves, text };
      this.isTold = true;
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
        const { resultSpoken } = await import('./results');
        this.say(resultSpoken(table, this.headline, this.moment));
      }, AFTER.told),
    );
  }

  async #findMoment(table: Snapshot): Promise<Seen | undefined> {
    this.isSearching = true;
    try {
      const { lookBack } = await import('./lookback');
      const seen = await lookBack(table);
      this.moment = seen?.moment;
      return seen;
    } catch {
      // Without a review the result says less.
      return undefined;
    } finally {
      this.isSearching = false;
    }
  }
}

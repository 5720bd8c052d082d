// What the picture of a table shows. The table knows a move at once; the picture shows moves one after another, or a
// position that was looked up in the list of moves. What is said and heard follows the picture.

import { untrack } from 'svelte';

import { moves as mayAnimate } from '../settings.svelte';
import { other, seat } from '../sides';
import { sounds } from '../sounds';
import type { Frame, Side } from '../protocol';
import { pieceAt, spot } from './cells';
import { infoOf } from './games.svelte';
import { Rhythm } from './rhythm.svelte';
import type { Table } from './table.svelte';
import { Thinking } from './thinking.svelte';

export class TablePicture {
  /** The number of moves before a position that was looked up. */
  looked = $state<number>();
  /** The number of moves before the position that is on its way, while it is. */
  #awaited = $state<number>();
  /** Whether the last step was one through the list of moves, which is shorter than a move. */
  quick = $state(false);
  readonly rhythm = new Rhythm((ply) => this.#speak(ply));
  /** The program that thinks, once the piece before it rests. */
  readonly thinking = new Thinking(() => this.#thinkingSince);
  #sentences = new Map<number, string>();

  readonly #count = $derived.by(() => this.table.now?.moves.length ?? 0);
  /** How many moves of the game have been shown, whatever is looked up. */
  readonly pictured = $derived(Math.min(this.rhythm.shown < 0 ? Infinity : this.rhythm.shown, this.#count));
  /** How many moves are on the board. */
  readonly ply = $derived(Math.min(this.looked ?? Infinity, this.pictured));
  /** Where the next step through the list of moves begins: not every step waits for the picture of the one before. */
  readonly aimed = $derived(this.#awaited ?? this.ply);
  readonly isLive = $derived.by(
    () => this.table.now !== undefined && this.looked === undefined && this.ply === this.#count,
  );
  readonly frame = $derived.by((): Frame | undefined => {
    const { now } = this.table;
    if (!now) return undefined;
    return this.ply === now.moves.length
      ? { view: now.view, legal: now.legal }
      : (this.table.knownFrame(this.ply) ?? { view: now.view, legal: [] });
  });
  /** Your own pieces need not have landed before you go on; what others played is seen first. */
  readonly isSeen = $derived.by(() => {
    const { now } = this.table;
    if (!now) return false;
    const missing = Array.from({ length: now.moves.length - this.pictured }, (_, at) =>
      this.table.mover(this.pictured + at + 1),
    );
    return missing.every((side) => now.you.includes(side));
  });
  readonly #thinkingSince = $derived.by((): { side: Side; at: number } | undefined => {
    const { now } = this.table;
    const { resting, restedAt } = this.rhythm;
    if (
      now?.status !== 'playing' ||
      this.looked !== undefined ||
      !resting ||
      now.seats.every(({ kind }) => kind === 'program')
    )
      return undefined;
    const side = this.ply < now.moves.length ? this.table.mover(this.ply + 1) : now.view.turn;
    return now.seats[seat(side)].kind === 'program' ? { side, at: restedAt } : undefined;
  });

  constructor(
    private readonly table: Table,
    private readonly say: (sentence: string) => void,
  ) {
    // Before anything is drawn: a move is drawn once, not first without and then with its piece.
    $effect.pre(() => {
      const count = table.now && this.#count;
      if (count !== undefined) untrack(() => this.rhythm.follow(count, (ply) => this.#isReply(ply)));
    });
    // Nothing falls where one looks back: what happens meanwhile rests at once.
    $effect(() => {
      if (this.looked !== undefined && !this.rhythm.resting) this.rhythm.settled(this.rhythm.shown);
    });
    // Each piece sounds when it lands.
    let heard = -1;
    $effect(() => {
      const at = this.rhythm.shown;
      if (at === heard + 1 && heard >= 0 && this.looked === undefined && !this.rhythm.resting) this.#sound();
      heard = at;
    });
  }

  stop(): void {
    this.rhythm.stop();
  }

  /** Says a sentence about a move when its piece rests, not before. */
  sayWhenShown(ply: number, sentence: string): void {
    this.#sentences.set(ply, sentence);
  }

  /** Shows the position after some moves; asks for it if it was not seen on the way. Fails with an `ApiFailure`. */
  async show(at: number): Promise<void> {
    const { now } = this.table;
    if (!now) return;
    const to = Math.max(0, Math.min(now.moves.length, at));
    this.quick = true;
    this.#awaited = to;
    try {
      if (to < now.moves.length && !this.table.knownFrame(to)) await this.table.frame(to);
      // Another step may have been made meanwhile.
      if (this.#awaited !== to) return;
    } finally {
      if (this.#awaited === to) this.#awaited = undefined;
    }
    this.looked = to >= this.#count ? undefined : to;
    if (this.looked === undefined) this.rhythm.jump(this.#count);
  }

  #speak(ply: number): void {
    const sentence = this.#sentences.get(ply);
    this.#sentences.delete(ply);
    if (sentence !== undefined) this.say(sentence);
  }

  /** Whether a move answers a person who sits here: then it waits for the beat. */
  #isReply(ply: number): boolean {
    const side = this.table.mover(ply);
    const { seats } = this.table.now!;
    return seats[seat(side)].kind === 'program' && seats[seat(other(side))].kind === 'person';
  }

  #sound(): void {
    const view = this.frame?.view;
    const to = view?.last.at(-1);
    const piece = view && to && pieceAt(view, spot(to));
    if (!piece) return;
    const falls = view.last.length === 1 && infoOf(this.table.now!.settings.game).falls && mayAnimate();
    const wait = falls ? Math.min(520, 120 + 70 * (view.rows - spot(to).row)) : 0;
    void sounds(({ landing }) => landing(piece.side, spot(to).row, wait));
  }
}

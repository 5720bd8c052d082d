// The course of a game that is studied. The address holds it, so it is the link to share; the server says what it looks like.

import { untrack } from 'svelte';

import { api } from '../api';
import type { ReplayStep, Side } from '../protocol';
import { analysisPage, current, go } from '../router.svelte';
import { SIDES } from '../sides';
import { errorText } from '../user.svelte';
import type { Pointed } from './boardState.svelte';
import { defaultGame, infoOf } from './games.svelte';

export class Course {
  /** The positions before and after each move. */
  plies = $state.raw<ReplayStep[]>([]);
  /** The number of moves before the position shown. */
  at = $state(0);
  /** Whether the last step was one through the list of moves, which is shorter than a move. */
  quick = $state(false);
  /** What the board shows because one points at a sentence or a line. */
  pointed = $state.raw<Pointed>();
  /** Why there is nothing to show. */
  trouble = $state('');
  /** What the positions belong to. */
  #walked = '';
  /** Whether the next positions are shown from their end. */
  #jump = false;

  readonly game = $derived.by(() => this.named() ?? defaultGame());
  readonly gameInfo = $derived(infoOf(this.game));
  readonly position = $derived.by(() => current().query.get('p') ?? undefined);
  /** The side that the reader played, if the link says so: exercises are about its moves. */
  readonly you = $derived.by((): Side | undefined => SIDES.find((side) => side === current().query.get('you')));
  readonly moves = $derived(this.plies.slice(1).map(({ move }) => move ?? ''));
  readonly frame = $derived(this.plies[this.at]);
  readonly view = $derived(this.frame?.view);
  /** The game up to the position shown. */
  readonly played = $derived.by(() => ({
    game: this.game,
    position: this.position,
    moves: this.moves.slice(0, this.at).join(' '),
  }));

  /** `named` is the game in the address. */
  constructor(private readonly named: () => string | undefined) {
    $effect(() => {
      const moves = (current().query.get('m') ?? '').split(/\s+/).filter(Boolean).join(' ');
      const asked = { game: this.game, position: this.position, moves };
      const name = JSON.stringify(asked);
      if (name === this.#walked) return;
      let gone = false;
      untrack(() => {
        api.positions(asked).then(
          (plies) => {
            if (gone) return;
            this.#walked = name;
            this.#take(plies);
          },
          (error) => {
            if (!gone) this.trouble = errorText(error);
          },
        );
      });
      return () => (gone = true);
    });
  }

  /** The page of another course; of this game, from this position, if nothing else is said. */
  address(moves: string[], game = this.game, position = this.position): string {
    const you = game === this.game && position === this.position ? this.you : undefined;
    return analysisPage(game, moves.join(' '), { position, you });
  }

  show(at: number): void {
    this.quick = true;
    this.pointed = undefined;
    this.at = Math.max(0, Math.min(this.plies.length - 1, at));
  }

  /** Plays a move. From an earlier position it begins another course, the same move only goes on; whether it is another. */
  play(move: string): boolean {
    if (this.moves[this.at] === move) {
      this.show(this.at + 1);
      return false;
    }
    this.quick = false;
    this.#jump = true;
    this.#branch([move]);
    return true;
  }

  playLine(line: string[]): void {
    this.quick = true;
    this.#branch(line);
  }

  /** Begins anew with another game, size or position. */
  open(game: string, position = '', moves: string[] = []): void {
    this.plies = [];
    this.at = 0;
    this.#jump = true;
    go(this.address(moves, game, position));
  }

  #branch(line: string[]): void {
    const next = [...this.moves.slice(0, this.at), ...line];
    this.plies = this.plies.slice(0, this.at + 1);
    go(this.address(next), 'replace');
  }

  /** Moves may be written together, as in 4455: from here on they are as the server writes them. */
  #take(plies: ReplayStep[]): void {
    const before = this.plies.length;
    const last = plies.length - 1;
    const isNext = plies.length === before + 1 && this.at === before - 1;
    this.plies = plies;
    this.trouble = '';
    this.at = this.#jump || before === 0 || isNext ? last : Math.min(this.at, last);
    this.#jump = false;
  }
}

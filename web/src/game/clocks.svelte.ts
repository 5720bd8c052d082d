// The clocks of a table as they run, and how long an opponent has been gone.

import { t } from '../i18n.svelte';
import { announce } from '../notices.svelte';
import type { Side } from '../protocol';
import { isYourTurn, opponentSide, seat } from '../sides';
import { clockFace } from './phrases';
import type { Table } from './table.svelte';

const TICK_MS = 200;
/** When a player is told to hurry. */
const HURRY_MS = 20_000;

export class TableClocks {
  #tick = $state(performance.now());
  /** Whether the reader chose to wait for an opponent who is gone. */
  #waits = $state(false);
  readonly #gone = $derived.by((): Side | undefined => {
    const { now } = this.table;
    const opponent = now && opponentSide(now);
    return opponent && now.status === 'playing' && !now.presence.here[seat(opponent)] ? opponent : undefined;
  });
  /** Whether the opponent lost the connection and the reader has to be told. */
  readonly isGone = $derived(this.#gone !== undefined && !this.#waits);
  /** How long until the game of an absent opponent can be claimed. */
  readonly claimIn = $derived.by(() => (void this.#tick, this.#gone && this.table.claimIn(this.#gone)));

  constructor(private readonly table: Table) {
    $effect(() => {
      const { now } = table;
      if (!now?.clocks && !now?.presence.claim_ms.some((ms) => ms !== null)) return;
      const timer = setInterval(() => (this.#tick = performance.now()), TICK_MS);
      return () => clearInterval(timer);
    });
    let warned = false;
    $effect(() => {
      const { now } = table;
      if (!now || !isYourTurn(now)) return;
      const left = this.left(now.view.turn);
      if (left === undefined || left > HURRY_MS) warned = false;
      else if (!warned) {
        warned = true;
        announce(t('say.hurry', { time: clockFace(left) }), 'urgent');
      }
    });
    $effect(() => {
      if (!this.#gone) this.#waits = false;
    });
  }

  /** What is left on a clock, and again whenever it is less. */
  readonly left = (side: Side): number | undefined => (void this.#tick, this.table.left(side));

  wait(): void {
    this.#waits = true;
  }
}

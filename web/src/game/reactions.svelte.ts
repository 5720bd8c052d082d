// Reactions: what two people call to each other over the board. They travel in the chat, by name, so that block, mute and
// the limit of messages hold for them, and terminals and bots read them too.

import { t } from '../i18n.svelte';
import type { Side } from '../protocol';
import { change, settings } from '../settings.svelte';

export const REACTIONS = ['hello', 'well-played', 'wow', 'oops', 'thanks', 'again'] as const;
export type Reaction = (typeof REACTIONS)[number];

/** The least time between two reactions of the reader, how long each is shown, and how many at once. */
const LIMIT_MS = 2_000;
const SHOWN_MS = 2_000;
const MOST = 2;

/** The reaction that a message is. Older pages sent “good game” too. */
const reactionOf = (text: string): string | undefined => /^:([a-z-]+):$/.exec(text)?.[1];

export interface Shown {
  id: number;
  side: Side;
  name: string;
}

export class Reactions {
  /** What is over the board now. */
  shown = $state.raw<Shown[]>([]);
  /** Whether the reader chooses one. */
  isOpen = $state(false);
  #next = 0;
  #sentAt = -Infinity;
  #timers = new Set<ReturnType<typeof setTimeout>>();

  constructor(
    private readonly send: (text: string) => Promise<boolean>,
    private readonly say: (sentence: string) => void,
  ) {}

  /** Shows a message of a player, if it is one. */
  show(side: Side, text: string): void {
    const name = reactionOf(text);
    if (!name || settings.reactions === false) return;
    const id = this.#next++;
    this.shown = [...this.shown, { id, side, name }].slice(-MOST);
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.shown = this.shown.filter((one) => one.id !== id);
    }, SHOWN_MS);
    this.#timers.add(timer);
  }

  /** Calls one to the other player. */
  call(name: Reaction): void {
    const now = performance.now();
    if (now - this.#sentAt < LIMIT_MS) return this.say(t('refuse.reaction'));
    this.#sentAt = now;
    this.isOpen = false;
    void this.send(`:${name}:`);
  }

  toggleMute(): void {
    change({ reactions: !settings.reactions });
    this.shown = [];
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }
}

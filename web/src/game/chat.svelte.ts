// The chat of a table as the reader sees it: without messages of blocked people, and how many are new.

import { untrack } from 'svelte';

import { isUnwanted } from '../blocked.svelte';
import type { Table } from './table.svelte';

export class TableChat {
  #read = $state<number>();
  readonly messages = $derived.by(() => {
    const { now } = this.table;
    return now?.chat.filter((message) => !isUnwanted(message, now.seats)) ?? [];
  });
  readonly #theirs = $derived.by(() =>
    this.messages.filter(({ side }) => !side || !this.table.now!.you.includes(side)),
  );
  /** The last message of another person. */
  readonly last = $derived(this.#theirs.at(-1));
  /** How many messages of others came since the reader last looked. */
  readonly unread = $derived.by(() => Math.max(0, this.#theirs.length - (this.#read ?? Infinity)));

  /** `isOpen` says whether the reader looks at the chat now. */
  constructor(
    private readonly table: Table,
    isOpen: () => boolean,
  ) {
    // What was said before the reader came is not new.
    $effect(() => {
      if (table.now) this.#read ??= untrack(() => this.#theirs.length);
    });
    $effect(() => {
      if (isOpen()) this.markRead();
    });
  }

  /** How many messages of blocked people are not shown. */
  get hidden(): number {
    return this.table.now!.chat.length - this.messages.length;
  }

  readonly markRead = (): void => {
    this.#read = this.#theirs.length;
  };

  /** Whether the message was sent. */
  readonly send = async (text: string): Promise<boolean> => (await this.table.command('chat', { text })) !== undefined;
}

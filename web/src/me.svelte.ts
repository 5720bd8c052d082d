// Who the browser is for the server.

import { api, ApiFailure } from './api';
import type { Me } from './protocol.generated';
import { has, t, type Key } from './words.svelte';

let me = $state.raw<Me>();

export const who = (): Me | undefined => me;

let asked: Promise<void> | undefined;

/** Who we are, asked once. */
export function knownWho(): Promise<void> {
  return (asked ??= learnWho());
}

export async function learnWho(): Promise<void> {
  try {
    me = await api.me();
  } catch {
    // The page shows that the server does not answer as soon as something is asked of it.
  }
}

export function becomes(next: Me): void {
  me = next;
}

/** A refusal as a sentence for people. */
export function sorry(error: unknown): string {
  if (!(error instanceof ApiFailure)) return t('error.unexpected');
  const key = `error.${error.code}`;
  return has(key) ? t(key as Key) : error.message;
}

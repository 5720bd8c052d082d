// Who the browser is for the server.

import { api } from './api';
import { ApiFailure } from './http';
import type { Me } from './protocol';
import { has, t } from './i18n.svelte';

let me = $state.raw<Me>();
let isAsked = $state(false);

export const currentUser = (): Me | undefined => me;

/** Whether the server has said who we are, or does not answer. */
export const wasUserAsked = (): boolean => isAsked;

let asked: Promise<void> | undefined;

/** Who we are, asked once. */
export function loadUser(): Promise<void> {
  return (asked ??= refreshUser());
}

export async function refreshUser(): Promise<void> {
  try {
    me = await api.me();
  } catch {
    // The page shows that the server does not answer as soon as something is asked of it.
  }
  isAsked = true;
}

export function setUser(next: Me): void {
  me = next;
}

/** A refusal as a sentence for people. */
export function errorText(error: unknown): string {
  if (!(error instanceof ApiFailure)) return t('error.unexpected');
  const key = `error.${error.code}`;
  // Never the server's own sentence, which is English.
  return t(has(key) ? key : 'error.unexpected');
}

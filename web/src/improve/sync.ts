// Keeps what this browser has learned together with the account, in the background: without a network it is sent later.

import { ApiFailure, send } from '../http';
import type { Exercise, LearnedEverywhere, LearnedHere } from '../protocol';
import { HAS_SERVER } from '../site';
import { forgetSent, keepSynced, unsent, type Game } from './store';

/** Bytes of one request; a server takes 16 KiB. */
const MOST_BYTES = 15_000;
/** A server takes some requests at once and then some each second. */
const PAUSE_MS = 1_000;

const bytes = (of: unknown): number => new TextEncoder().encode(JSON.stringify(of)).length + 1;

/** As many as fit into a request. One that fits into none stays here; the server reviews that game itself if asked. */
function fitting<T>(all: T[], left: { bytes: number }): T[] {
  const taken: T[] = [];
  for (const one of all) {
    const size = bytes(one);
    if (size > left.bytes) continue;
    left.bytes -= size;
    taken.push(one);
  }
  return taken;
}

async function ask(here: LearnedHere): Promise<LearnedEverywhere> {
  for (;;) {
    try {
      return await send<LearnedEverywhere>('POST', '/me/learned', here);
    } catch (error) {
      if (!(error instanceof ApiFailure && error.code === 'too-fast')) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

async function exchange(account: string): Promise<boolean> {
  let hasNews = false;
  for (;;) {
    const { after, games, exercises } = await unsent(account);
    const left = { bytes: MOST_BYTES };
    // Answers first: they are lost most easily.
    const sent: { exercises: Exercise[]; games: Game[] } = {
      exercises: fitting(exercises, left),
      games: fitting(games, left),
    };
    const found = await ask({ after, ...sent, runs: [] });
    if (found.version < after) {
      await forgetSent(account);
      continue;
    }
    await keepSynced(account, sent, found);
    hasNews ||= found.games.length + found.exercises.length > 0;
    const isAllSent = !sent.games.length && !sent.exercises.length;
    if (isAllSent && !found.more) return hasNews;
  }
}

let running: Promise<boolean> | undefined;
let again = false;

/** Sends what the account does not have and fetches what this browser does not have; whether there was anything. */
export function sync(account: string): Promise<boolean> {
  if (!account || !HAS_SERVER) return Promise.resolve(false);
  if (running) again = true;
  running ??= exchange(account).finally(() => {
    running = undefined;
    if (again) {
      again = false;
      syncLater(account);
    }
  });
  return running;
}

/** The same without a result: what fails now is sent the next time, at the latest when the network is back. */
export function syncLater(account: string): void {
  sync(account).catch(() => addEventListener('online', () => syncLater(account), { once: true }));
}

// The pages by their addresses. Each page is its own chunk.

import type { Component } from 'svelte';

import { HAS_SERVER } from './site';

type Page = Component<{ params: string[]; query: URLSearchParams }>;
type Load = () => Promise<{ default: Page }>;

interface Route {
  name: string;
  pattern: RegExp;
  load: Load;
}

const part = '([^/]+)';
const route = (name: string, path: string, load: unknown): Route => ({
  name,
  pattern: new RegExp(`^${path.replaceAll(':x', part)}/?$`),
  load: load as Load,
});

export const ROUTES: readonly Route[] = [
  route('home', '/', () => import('./pages/Home.svelte')),
  route('setup', '/play/:x', () => import('./pages/Setup.svelte')),
  route('game', '/g/:x', () => import('./pages/Game.svelte')),
  route('analysis', '/analysis', () => import('./pages/Analysis.svelte')),
  route('analysis', '/analysis/:x', () => import('./pages/Analysis.svelte')),
  route('puzzles', '/puzzles', () => import('./pages/Puzzles.svelte')),
  route('rush', '/puzzles/rush', () => import('./pages/PuzzleRush.svelte')),
  route('puzzles', '/puzzles/:x', () => import('./pages/Puzzle.svelte')),
  // With an exercise behind it or none.
  route('improve', '/improve.*', () => import('./pages/Improve.svelte')),
  route('watch', '/watch', () => import('./pages/Watch.svelte')),
  route('game', '/watch/:x', () => import('./pages/Game.svelte')),
  route('games', '/games', () => import('./pages/Games.svelte')),
  route('learn', '/learn', () => import('./pages/Learn.svelte')),
  route('learn', '/learn/:x', () => import('./pages/Learn.svelte')),
  route('settings', '/settings', () => import('./pages/Settings.svelte')),
  route('about', '/about', () => import('./pages/About.svelte')),
  ...(HAS_SERVER
    ? [
        route('code', '/c/:x', () => import('./pages/Code.svelte')),
        route('rank', '/rank', () => import('./pages/Ranking.svelte')),
        route('rank', '/rank/:x', () => import('./pages/Ranking.svelte')),
        route('profile', '/u/:x', () => import('./pages/Profile.svelte')),
        route('tournaments', '/tournaments', () => import('./pages/Tournaments.svelte')),
        route('tournament', '/t/:x', () => import('./pages/Tournament.svelte')),
        route('account', '/account', () => import('./pages/Account.svelte')),
      ]
    : []),
];

const LOST: Route = { name: 'lost', pattern: /$^/, load: (() => import('./pages/NotFound.svelte')) as unknown as Load };

/** The route of a path and what its blanks hold. */
export function match(path: string): { route: Route; params: string[] } {
  for (const route of ROUTES) {
    const found = route.pattern.exec(path);
    if (!found) continue;
    try {
      return { route, params: found.slice(1).map(decodeURIComponent) };
    } catch {
      break;
    }
  }
  return { route: LOST, params: [] };
}

// Addresses and pages: a small router over the browser's history. Each page is its own chunk. On a static site the address
// of a page follows `#`, because the host knows no other file than the page itself.

import type { Component } from 'svelte';

import { HAS_SERVER } from './site';

export interface Place {
  path: string;
  query: URLSearchParams;
}

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

let place = $state.raw<Place>(here());

function here(): Place {
  const { pathname, searchParams } = HAS_SERVER
    ? new URL(location.href)
    : new URL(location.hash.slice(1) || '/', 'page:///');
  return { path: pathname, query: searchParams };
}

/** The address of a page, such as `/analysis`, for links. */
export const to = (page: string): string => (HAS_SERVER ? page : `#${page}`);

/** The whole address of a page, to hand on. */
export const fullAddress = (page: string): string => new URL(to(page), location.href).href;

export function current(): Place {
  return place;
}

/** Goes to an address of this site. */
export function go(address: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', to(address));
  else history.replaceState(null, '', to(address));
  place = here();
  if (how === 'push') scrollTo(0, 0);
}

/** Lets links of this site change the page without reloading it. */
export function startRouter(): void {
  addEventListener('popstate', () => (place = here()));
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element).closest?.('a[href]');
    if (!(link instanceof HTMLAnchorElement)) return;
    if (link.target || link.download || link.origin !== location.origin) return;
    if (HAS_SERVER ? link.hash || link.pathname.startsWith('/api/') : !link.hash.startsWith('#/')) return;
    event.preventDefault();
    go(HAS_SERVER ? link.pathname + link.search : link.hash.slice(1));
  });
}

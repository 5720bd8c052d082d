// Addresses and pages: a small router over the browser's history. Each page is its own chunk.

import type { Component } from 'svelte';

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
  route('code', '/c/:x', () => import('./pages/Code.svelte')),
  route('analysis', '/analysis', () => import('./pages/Analysis.svelte')),
  route('analysis', '/analysis/:x', () => import('./pages/Analysis.svelte')),
  route('watch', '/watch', () => import('./pages/Watch.svelte')),
  route('game', '/watch/:x', () => import('./pages/Game.svelte')),
  route('rank', '/rank', () => import('./pages/Ranking.svelte')),
  route('rank', '/rank/:x', () => import('./pages/Ranking.svelte')),
  route('games', '/games', () => import('./pages/Games.svelte')),
  route('profile', '/u/:x', () => import('./pages/Profile.svelte')),
  route('learn', '/learn', () => import('./pages/Learn.svelte')),
  route('learn', '/learn/:x', () => import('./pages/Learn.svelte')),
  route('account', '/account', () => import('./pages/Account.svelte')),
  route('settings', '/settings', () => import('./pages/Settings.svelte')),
  route('about', '/about', () => import('./pages/About.svelte')),
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
  return { path: location.pathname, query: new URLSearchParams(location.search) };
}

export function current(): Place {
  return place;
}

/** Goes to an address of this site. */
export function go(address: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', address);
  else history.replaceState(null, '', address);
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
    if (link.target || link.download || link.origin !== location.origin || link.hash) return;
    if (link.pathname.startsWith('/api/')) return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}

// The router: addresses over the browser's history. On a static site the address of a page follows `#`, because the host
// has no other file than the page itself.

import { HAS_SERVER } from './site';

export interface Place {
  path: string;
  query: URLSearchParams;
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

/** The page that analyses a game; `you` is the side whose mistakes become exercises. */
export function analysisPage(
  game: string,
  moves: string,
  { position, you }: { position?: string | null | undefined; you?: string | undefined } = {},
): string {
  const query = new URLSearchParams({
    ...(moves && { m: moves }),
    ...(position && { p: position }),
    ...(you && { you }),
  });
  const text = query.toString();
  return `/analysis/${encodeURIComponent(game)}${text ? `?${text}` : ''}`;
}

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

// Keeps the page, so that what needs no server works without a network after one visit. `scripts/service-worker.mjs` puts
// VERSION and FILES before this.

/** The page may lie in a folder of its host, and another one in the next folder. */
const path = (name) => new URL(name, location.href).pathname;
const OURS = `alinea ${path('.')} `;
const CACHE = OURS + VERSION;
const INDEX = path('index.html');
const KEPT = FILES.map(path);
/** The names of assets change with their content. */
const isAsset = (file) => file.startsWith(path('assets/'));

self.addEventListener('install', (event) => event.waitUntil(keep()));
self.addEventListener('activate', (event) => event.waitUntil(forget().then(() => self.clients.claim())));
// The reader wants the new version now.
self.addEventListener('message', ({ data }) => data === 'take-over' && self.skipWaiting());
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin || /^\/(api|socket\.io)\//.test(pathname)) return;
  if (request.mode === 'navigate') event.respondWith(navigate(request));
  else if (KEPT.includes(pathname) || isAsset(pathname)) event.respondWith(answer(request));
});

/** Loads all files of this version; what an older one already has is not loaded again. */
async function keep() {
  const cache = await caches.open(CACHE);
  for (const file of KEPT) {
    const known = isAsset(file) && (await caches.match(file));
    if (known) await cache.put(file, known);
    else await cache.add(new Request(file, { cache: 'no-cache' }));
  }
}

/** A page that was open during an update still needs the files of the version before. */
async function forget() {
  const old = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== CACHE);
  for (const name of old.slice(0, -1)) await caches.delete(name);
}

/** The page from the server, which may have news; without a network, the one that was kept. */
async function navigate(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(INDEX);
    if (!kept) throw error;
    return kept;
  }
}

async function answer(request) {
  return (await caches.match(request)) ?? fetch(request);
}

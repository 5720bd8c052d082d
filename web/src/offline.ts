// Prepares the page for games without a server and for times without a network: loads the core, then lets a service worker
// keep everything. A new version is offered, never forced.

import { mount } from 'svelte';

import { local } from './api';
import { allWords, t } from './i18n.svelte';
import { toast } from './notices.svelte';

/** How often an open page looks for a new version. */
const LOOK_MS = 60 * 60_000;

async function keepPage(): Promise<void> {
  const workers = (navigator as { serviceWorker?: ServiceWorkerContainer }).serviceWorker;
  if (!workers || !import.meta.env.PROD) return;
  // A browser may refuse, or pretend to have done it.
  const registration = (await workers.register(`${import.meta.env.BASE_URL}sw.js`)) as
    ServiceWorkerRegistration | undefined;
  if (!registration) return;
  let isOffered = false;
  const look = async (): Promise<void> => {
    // Without a controller this is the first version, not a new one.
    if (isOffered || !registration.waiting || !workers.controller) return;
    isOffered = true;
    const [{ default: UpdateNotice }] = await Promise.all([import('./parts/UpdateNotice.svelte'), allWords()]);
    mount(UpdateNotice, { target: document.body, props: { onload: () => load(workers, registration) } });
  };
  void look();
  registration.addEventListener('updatefound', () =>
    registration.installing?.addEventListener('statechange', () => void look()),
  );
  setInterval(() => void registration.update().catch(() => {}), LOOK_MS);
}

/** Changes to the new version. */
function load(workers: ServiceWorkerContainer, { waiting }: ServiceWorkerRegistration): void {
  workers.addEventListener('controllerchange', () => location.reload(), { once: true });
  if (waiting) waiting.postMessage('take-over');
  else location.reload();
}

addEventListener('alinea:simpler', () => void allWords().then(() => toast(t('eval.simpler'))));

// Not where data is dear: then the core comes with the first game, and nothing is kept.
if (!(navigator as { connection?: { saveData?: boolean } }).connection?.saveData)
  local()
    .then(({ loadCore }) => loadCore())
    .catch(() => {})
    .then(keepPage)
    .catch(() => {});

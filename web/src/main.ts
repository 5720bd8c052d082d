// Where the page begins.

import { mount } from 'svelte';

import App from './App.svelte';
import './app.css';
import './font.css';
import { loadGames } from './game/games.svelte';
import { loadUser } from './user.svelte';
import { current, startRouter } from './router.svelte';
import { match } from './routes';
import { startAppearance } from './settings.svelte';
import { startI18n, wordsOf } from './i18n.svelte';

// After an update of the server the chunks of an old page are gone: load the new page, but only once.
const RELOADED = 'alinea.reloaded';
addEventListener('vite:preloadError', (event) => {
  if (sessionStorage.getItem(RELOADED)) return;
  sessionStorage.setItem(RELOADED, 'yes');
  event.preventDefault();
  location.reload();
});

startAppearance();
startRouter();
// What is needed soon is asked for at once: who we are, and the code of the page beside its words. What fails
// here is reported when it is missed.
void loadUser();
const { route } = match(current().path);
route.load().catch(() => {});
await Promise.all([startI18n().then(() => wordsOf(route.name)), loadGames()]);
mount(App, { target: document.getElementById('app')! });
// What games need without a server or a network comes when the page is drawn.
(globalThis.requestIdleCallback ?? setTimeout)(() => void import('./offline'));

// Where the page begins.

import { mount } from 'svelte';

import App from './App.svelte';
import './app.css';
import { loadGames } from './game/games.svelte';
import { knownWho } from './me.svelte';
import { match, startRouter } from './router.svelte';
import { startLooks } from './settings.svelte';
import { startWords } from './words.svelte';

// After an update of the server the chunks of an old page are gone: load the new page, but only once.
const RELOADED = 'alinea.reloaded';
addEventListener('vite:preloadError', (event) => {
  if (sessionStorage.getItem(RELOADED)) return;
  sessionStorage.setItem(RELOADED, 'yes');
  event.preventDefault();
  location.reload();
});

startLooks();
startRouter();
// What is needed soon is asked for at once: who we are, and the code of the page beside its words. What fails
// here is told when it is missed.
void knownWho();
match(location.pathname).route.load().catch(() => {});
await Promise.all([startWords(), loadGames()]);
mount(App, { target: document.getElementById('app')! });

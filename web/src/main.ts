// Where the page begins.

import { mount } from 'svelte';

import App from './App.svelte';
import './app.css';
import { startRouter } from './router.svelte';
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
await startWords();
mount(App, { target: document.getElementById('app')! });

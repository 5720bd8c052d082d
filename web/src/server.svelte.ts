// What the host of the server has decided.

import { api } from './api';
import { announce, toast } from './notices.svelte';
import type { Announcement, ServerInfo } from './protocol';
import { read, write } from './settings.svelte';

/** Under this name a browser remembers the last announcement that it showed. */
const SHOWN = 'alinea.announcement';

let info = $state.raw<ServerInfo>();
let asked: Promise<void> | undefined;

/** What the server told; the first call asks for it. */
export function serverInfo(): ServerInfo | undefined {
  asked ??= api.server().then(
    (told) => {
      info = told;
      showAnnouncement(told.announcement);
    },
    // The next page asks again.
    () => void (asked = undefined),
  );
  return info;
}

/** Shows the host's message to all players until it is closed; once per browser. */
export function showAnnouncement(told: Announcement | undefined): void {
  if (!told || read(SHOWN) === told.id) return;
  write(SHOWN, told.id);
  toast(told.text, false, 0);
  announce(told.text);
}

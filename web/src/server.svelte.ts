// What the host of the server has decided.

import { api } from './api';
import type { ServerInfo } from './protocol';

let info = $state.raw<ServerInfo>();
let asked: Promise<void> | undefined;

/** What the server told; the first call asks for it. */
export function serverInfo(): ServerInfo | undefined {
  asked ??= api.server().then(
    (told) => void (info = told),
    // The next page asks again.
    () => void (asked = undefined),
  );
  return info;
}

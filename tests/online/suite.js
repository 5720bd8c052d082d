// The server of a test file: started before its tests, stopped after them, and never allowed to panic.

import assert from 'node:assert/strict';
import { after } from 'node:test';
import { closeAll } from './client.js';
import { Server, stopShared } from './server.js';

/// Options are those of `Server.start`.
export async function serve(options) {
  const server = await Server.start(options);
  after(async () => {
    closeAll();
    const code = await server.stop();
    await stopShared();
    assert.equal(code, 0);
    assert.ok(!/panicked/.test(server.log), server.log);
  });
  return server;
}

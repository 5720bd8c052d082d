// A host decides: no chat, no accounts made by visitors, and texts of its own.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Client, closeAll, newName, two } from './client.js';
import { run, Server, stopShared } from './server.js';

const folder = mkdtempSync(join(tmpdir(), 'alinea-school-'));
const [imprint, privacy] = ['imprint', 'privacy'].map((name) => join(folder, name));
let server;
before(async () => {
  writeFileSync(imprint, 'The school of Somewhere\nRoom 7\n');
  writeFileSync(privacy, '<b>Nothing</b> is given away.');
  server = await Server.start({ options: ['--no-chat', '--no-sign-up', '--imprint', imprint, '--privacy', privacy] });
});
after(async () => {
  closeAll();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
  await stopShared();
});

test('clients are told what the host has decided', async () => {
  const { version, ...told } = await new Client(server).get('/api/server');
  assert.match(version, /^\d+\.\d+\.\d+/);
  assert.deepEqual(told, {
    chat: false,
    sign_up: false,
    imprint: 'The school of Somewhere\nRoom 7\n',
    privacy: '<b>Nothing</b> is given away.',
  });
});

test('without chat nothing can be said', async () => {
  const { table, first } = await two(server, 'tic-tac-toe');
  await first.refused('not-allowed', 'chat', { table, text: 'hello' });
  await first.move(1, 'b2');
});

test('only the host makes accounts', async () => {
  const name = newName();
  await new Client(server).refused(403, 'not-allowed', 'POST', '/api/account', { name, password: 'correct horse' });
  const admin = (...args) => run('admin', ...server.database.args, ...args);
  const { stdout } = await admin('create-account', name);
  const [, password] = /is (\w+)\n$/.exec(stdout);
  assert.equal((await new Client(server).post('/api/session', { name, password })).name, name);
  for (const [bad, sentence] of [
    [name, /the name is taken/],
    ['a b', /invalid name/],
  ]) {
    const { code, stderr } = await admin('create-account', bad);
    assert.equal(code, 2);
    assert.match(stderr, sentence);
  }
});

test('a text that is not there is told at the start', async () => {
  const { code, stderr } = await run(
    'serve',
    '--listen',
    '127.0.0.1:0',
    '--data',
    ':memory:',
    '--imprint',
    join(folder, 'none'),
  );
  assert.equal(code, 2);
  assert.match(stderr, /^alinea: cannot read .*none: No such file or directory.*\n$/);
});

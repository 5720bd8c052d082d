// How a server starts: alone on its data file, with one sentence where it cannot, and with logs that programs can read.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { within } from './client.js';
import { Server, onPostgres, run } from './server.js';

// None of this depends on the database.
const only = { skip: onPostgres };

let folder;
before(() => (folder = mkdtempSync(join(tmpdir(), 'alinea-start-'))));
after(() => rmSync(folder, { recursive: true, force: true }));

const refused = async (...args) => {
  const { code, stderr } = await run('serve', '--listen', '127.0.0.1:0', ...args);
  assert.notEqual(code, 0);
  assert.match(stderr, /^alinea: [^\n]+\n$/, 'one sentence');
  return stderr;
};

test('finding 8: no link gets around the lock of the data file', only, async () => {
  const data = join(folder, 'locked.db');
  const server = await Server.start({ database: { args: ['--data', data] } });
  symlinkSync(data, join(folder, 'symbolic.db'));
  linkSync(data, join(folder, 'hard.db'));
  for (const name of ['locked.db', 'symbolic.db', 'hard.db'])
    assert.match(await refused('--data', join(folder, name)), /another server is using/);
  await server.stop();
});

test('finding 8: what keeps a server from starting is told in one sentence', only, async () => {
  writeFileSync(join(folder, 'garbage.db'), 'this is not a database, whatever its name says'.repeat(100));
  assert.match(await refused('--data', join(folder, 'garbage.db')), /is not a database/);
  assert.match(await refused('--data', join(folder, 'no', 'such', 'folder.db')), /can neither be opened nor created/);
  assert.match(await refused('--database-url', 'postgres://alinea@127.0.0.1:1/alinea'), /does not respond/);
});

test('a page in a folder is served instead of the one in the program', only, async () => {
  assert.match(await refused('--data', ':memory:', '--page', join(folder, 'nowhere')), /cannot read the page in /);
  const page = join(folder, 'page');
  mkdirSync(join(page, 'assets'), { recursive: true });
  assert.match(await refused('--data', ':memory:', '--page', page), /has no index.html/);
  writeFileSync(join(page, 'index.html'), '<h1>A page of our own</h1>');
  writeFileSync(join(page, 'assets', 'a.js'), '1;');
  const server = await Server.start({ database: { args: ['--data', ':memory:'] }, options: ['--page', page] });
  for (const path of ['/', '/play/connect-four'])
    assert.equal(await (await server.fetch(path)).text(), '<h1>A page of our own</h1>');
  assert.equal(await (await server.fetch('/assets/a.js')).text(), '1;');
  await server.stop();
});

test('finding 8: logs in files have no colours, and are JSON on request', only, async () => {
  for (const [options, isRight] of [
    [[], (line) => / (DEBUG|INFO|WARN) /.test(line) && !line.includes('\x1b')],
    [['--log', 'json'], (line) => /^(DEBUG|INFO|WARN)$/.test(JSON.parse(line).level)],
  ]) {
    const server = await Server.start({
      database: { args: ['--data', ':memory:'] },
      options,
      env: { RUST_LOG: 'alinea_server=debug' },
    });
    await server.fetch('/api/games');
    await server.stop();
    const lines = server.log.trim().split('\n');
    assert.ok(/DEBUG/.test(server.log) && lines.every(isRight), server.log);
  }
});

test(
  'finding 6: when descriptors run out, that is logged once, and clients are served again as soon as there are some',
  only,
  async () => {
    const server = await Server.start({
      database: { args: ['--data', ':memory:'] },
      files: 40,
      options: ['--connections', '1000'],
    });
    const { hostname, port } = new URL(server.url);
    const open = async () => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => {});
      await once(socket, 'connect');
      return socket;
    };
    const sockets = await Promise.all(Array.from({ length: 60 }, open));
    await within(untilLogged(server, /accepting a connection failed|are refused/), 'a line in the log');
    sockets.forEach((socket) => socket.destroy());
    assert.equal((await server.fetch('/api/health')).status, 200);
    let answer;
    do answer = await server.fetch('/api/games');
    while (answer.status === 503);
    assert.equal(answer.status, 200);
    assert.equal(
      server.log
        .trim()
        .split('\n')
        .filter((line) => / WARN /.test(line)).length,
      1,
      server.log,
    );
    await server.stop();
  },
);

async function untilLogged(server, text) {
  while (!text.test(server.log)) await once(server.child.stderr, 'data');
}

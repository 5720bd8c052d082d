// The page, health checks, metrics and the command line.

import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { test } from 'node:test';
import { Client, play, two } from './client.js';
import { run } from './server.js';
import { serve } from './suite.js';

const server = await serve();

test('every answer has security headers', async () => {
  for (const path of [
    '/',
    '/play/connect-four',
    '/api/health',
    '/api/nothing',
    '/assets/missing.js',
    '/socket.io/?EIO=4&transport=polling',
  ]) {
    const { headers } = await server.fetch(path);
    const policy = headers.get('content-security-policy');
    for (const part of ["default-src 'self'", "frame-ancestors 'none'", "object-src 'none'", "base-uri 'none'"])
      assert.ok(policy?.includes(part), `${path}: ${policy}`);
    // The games of the browser run in WebAssembly.
    assert.ok(!/unsafe|https?:|\*/.test(policy.replace("'wasm-unsafe-eval'", '')), policy);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('referrer-policy'), 'same-origin');
  }
});

test('the page answers on its routes, missing files give 404', async () => {
  const page = await server.fetch('/');
  assert.equal(page.status, 200);
  assert.match(page.headers.get('content-type'), /text\/html/);
  const body = await page.text();
  assert.ok(!/<script>|<style|\son\w+=|style=/.test(body), 'nothing is written into the page');
  assert.equal(await (await server.fetch('/g/0123')).text(), body);
  assert.equal((await server.fetch('/assets/old.js')).status, 404);
  const again = await server.fetch('/', { headers: { 'if-none-match': page.headers.get('etag') } });
  assert.equal(again.status, 304);
  assert.equal((await server.fetch('/', { method: 'POST' })).status, 405);
});

test('health, readiness and metrics', async () => {
  assert.equal((await (await server.fetch('/api/health')).json()).ok, true);
  assert.equal((await (await server.fetch('/api/ready')).json()).ok, true);
  const { first, second } = await two(server, 'connect-four');
  await play(first, second, '4 4');
  await first.not('not-over', 'rematch');
  const figures = await (await server.fetch('/metrics')).text();
  const value = (name) => Number(figures.match(new RegExp(`^${name}(?:\\{[^}]*\\})? ([\\d.]+)$`, 'm'))?.[1]);
  assert.match(figures, /alinea_events_total\{kind="moved"\} 2/);
  assert.ok(value('alinea_sockets') >= 2, figures);
  assert.ok(value('alinea_tables') >= 1, figures);
  assert.equal(value('alinea_thinking'), 0);
  assert.match(figures, /alinea_errors_total\{code="not-over"\} 1/);
  assert.match(figures, /alinea_http_requests_total\{route="\/api\/tables",status="201"\}/);
  for (const what of ['store', 'socket'])
    assert.match(figures, new RegExp(`alinea_${what}_seconds_bucket\\{le="0.01"\\} [1-9]`));
  assert.match(figures, /alinea_http_seconds_bucket\{le="10.0",route="\/api\/tables"\} [1-9]/);
});

test('the games and their programs are listed', async () => {
  const games = await new Client(server).get('/api/games');
  assert.deepEqual(
    games.slice(0, 4).map(({ id }) => id),
    ['tic-tac-toe', 'connect-four', 'simplexity', 'chess-five'],
  );
  for (const { id, standard, title, pieces, sides, players, levels } of games) {
    assert.ok(standard.startsWith(id) && title && pieces.length && sides.length === 2, id);
    assert.ok(
      players.includes('random') &&
        players.includes(`level:${levels.length}`) &&
        !players.includes(`level:${levels.length + 1}`),
      `${players}`,
    );
    assert.deepEqual(
      [levels[0].name, levels[0].character, levels.at(-1).name, levels.at(-1).character],
      ['Dot', 'first games', 'Horizon', 'hardest'],
    );
  }
});

test('an invalid command line gives one line and exit code 2', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address();
  for (const [args, sentence] of [
    [['--listen', `127.0.0.1:${port}`, '--data', ':memory:'], /cannot listen on 127\.0\.0\.1/],
    [['--listen', 'nonsense'], /nonsense/],
    [['--database-url', 'postgres://nobody@127.0.0.1:1/none'], /database/],
    [['--data', '/nowhere/at/all/alinea.db'], /cannot open \/nowhere\/at\/all\/alinea\.db: /],
    [['--database-url', 'mysql://x'], /mysql/],
    [['--trust-proxy', 'nonsense'], /is not a network/],
    [['--origin', 'nonsense'], /is not an origin/],
    [['--grace', '-1'], /grace/],
    [['--programs', '0'], /programs/],
    [['--tables', '7'], /--tables/],
  ]) {
    const listen = args.includes('--listen') ? [] : ['--listen', '127.0.0.1:0'];
    const { code, stdout, stderr } = await run('serve', ...listen, ...args);
    assert.deepEqual([code, stdout], [2, ''], `${args}: ${stderr}`);
    assert.match(stderr, sentence, `${args}`);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
  }
  taken.close();
});

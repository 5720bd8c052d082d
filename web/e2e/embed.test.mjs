// The embedded board on a page of another host than its script.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import http from 'node:http';
import { after, afterEach, before, it } from 'node:test';

import { faults, GAMES, useHouse } from './harness.mjs';

const house = useHouse();
afterEach(() => house.leave());

const folder = new URL('../../target/site/embed/', import.meta.url);
const TYPES = { js: 'text/javascript', wasm: 'application/wasm', bin: 'application/octet-stream', html: 'text/html' };
const servers = [];
let scripts;
let body = '';
let blog;

async function serve(answer) {
  const server = http.createServer((request, response) =>
    answer(new URL(request.url, 'http://host').pathname.slice(1), response),
  );
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  return `http://127.0.0.1:${server.address().port}/`;
}

before(async () => {
  scripts = await serve((name, response) => {
    if (!existsSync(new URL(name, folder))) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': TYPES[name.split('.').at(-1)], 'access-control-allow-origin': '*' });
    response.end(readFileSync(new URL(name, folder)));
  });
  blog = await serve((name, response) => {
    response.writeHead(name ? 404 : 200, { 'content-type': 'text/html' });
    response.end(
      `<!doctype html><html lang="es"><title>Blog</title><style>button, p { color: red !important; }</style><main><h1>Blog</h1>${body}</main><script type="module" src="${scripts}alinea-board.js"></script></html>`,
    );
  });
});
after(() => servers.forEach((server) => (server.closeAllConnections(), server.close())));

/** Opens a page with this in it. */
async function visit(html) {
  body = html;
  const page = await house.person({ address: blog, others: [scripts], expect: [/favicon/] });
  await page.goto('');
  return page;
}

const count = (page, n) =>
  page.waitForFunction(
    (n) => document.querySelector('alinea-board').shadowRoot?.querySelectorAll('[data-cell]').length === n,
    n,
  );
const cell = (page, name) => page.locator(`alinea-board [role=gridcell][aria-label^="${name},"]`);
const control = (page, name) => page.locator('alinea-board').getByRole('button', { name, exact: true });

it('read: the last position of a game, and the way through its moves', async () => {
  const page = await visit('<alinea-board game="connect-four" moves="4455"></alinea-board>');
  await count(page, 4);
  await control(page, 'Atrás').click();
  await count(page, 3);
  await control(page, 'Al principio').click();
  await count(page, 0);
  await cell(page, 'a1').click();
  await count(page, 0);
  await page.evaluate(() => (document.querySelector('alinea-board').moves = '1 2 3'));
  await count(page, 3);
  // The page of others is left as it was.
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'es');
  assert.deepEqual(
    await page.evaluate(() => [
      document.head.querySelectorAll('style').length,
      document.cookie,
      localStorage.length - 2,
    ]),
    [1, '', 0],
  );
  assert.deepEqual(await faults(page), []);
});

it('play: a program answers in each game', async () => {
  const page = await visit(
    GAMES.map((game) => `<alinea-board game="${game}" mode="play" opponent="level:1"></alinea-board>`).join(''),
  );
  await page.evaluate(() => {
    globalThis.told = {};
    document.addEventListener('alinea-move', ({ target, detail }) =>
      (globalThis.told[target.getAttribute('game')] ??= []).push(detail.moves),
    );
  });
  for (const game of GAMES) {
    const board = page.locator(`alinea-board[game="${game}"]`);
    await board.locator('[role=gridcell][aria-label^="a1,"]').click();
    await board.locator('[data-cell]').nth(1).waitFor();
    await page.waitForFunction((game) => globalThis.told[game]?.length === 2, game);
    assert.equal(
      await board.evaluate((board) => board.moves),
      await page.evaluate((game) => globalThis.told[game][1], game),
    );
    await board.getByRole('button', { name: 'Deshacer', exact: true }).click();
    await board.locator('[data-cell]').first().waitFor({ state: 'detached' });
  }
});

it('analyse: exact results over the columns, and the reader moves for both', async () => {
  const page = await visit('<alinea-board game="connect-four" moves="4 4" mode="analyse"></alinea-board>');
  await page.locator('alinea-board li').first().waitFor();
  assert.match(await page.locator('alinea-board li').first().textContent(), /gana en 20/);
  await cell(page, 'd3').click();
  await count(page, 3);
  await page.waitForFunction(() =>
    /pierde/.test(document.querySelector('alinea-board').shadowRoot.querySelector('li')?.textContent ?? ''),
  );
});

it('the end is told, and a move that is not legal is refused', async () => {
  const page = await visit('<alinea-board game="connect-four" moves="112233" mode="play" opponent=""></alinea-board>');
  await count(page, 6);
  const ended = page.evaluate(
    () => new Promise((resolve) => document.addEventListener('alinea-end', ({ detail }) => resolve(detail))),
  );
  await cell(page, 'd1').click();
  assert.deepEqual(await ended, { winner: 'first' });
  const refused = await page.evaluate(() =>
    document
      .querySelector('alinea-board')
      .play('9')
      .then(
        () => 'played',
        (error) => error.code,
      ),
  );
  assert.match(refused, /illegal|over/);
});

it('what is wrong with the attributes is said in a sentence', async () => {
  const page = await visit('<alinea-board game="chess"></alinea-board>');
  await page.locator('alinea-board [role=alert]').waitFor();
  assert.match(await page.locator('alinea-board [role=alert]').textContent(), /chess/);
});

it('the page of our own docs shows three boards', async () => {
  const page = await house.person({ address: scripts, expect: [/favicon/] });
  await page.goto('index.html');
  await page.waitForFunction(
    () =>
      [...document.querySelectorAll('alinea-board')].filter((board) => board.shadowRoot?.querySelector('[role=grid]'))
        .length === 3,
  );
});

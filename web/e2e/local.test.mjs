// Games and study in the browser itself, without the server.

import assert from 'node:assert/strict';
import { afterEach, it } from 'node:test';

import {
  action,
  board,
  button,
  call,
  cell,
  dialog,
  GAMES,
  movesOf,
  stand,
  result,
  shows,
  tableOf,
  useHouse,
} from './harness.mjs';

const house = useHouse();
afterEach(() => house.leave());

/** What a page asks of the server besides what is there for reading. */
function posted(page) {
  const posts = [];
  page.on('request', (request) => request.method() === 'POST' && posts.push(new URL(request.url()).pathname));
  return posts;
}

/** Begins a game against a level and waits for the board. */
async function begin(page, game = 'connect-four') {
  await page.goto(`/play/${game}`);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.waitForURL(/\/g\/here-/);
  await board(page).waitFor();
  return page.url().split('/').at(-1);
}

/** Makes a move that is legal, by its cell. */
async function makeMove(page) {
  const { legal } = await tableOf(page);
  const to = legal[0].to;
  await page.locator(`[role=gridcell][aria-label^="${to},"]`).click();
}

it('every game against a level, without a word to the server', async () => {
  const page = await house.person();
  for (const game of GAMES) {
    const posts = posted(page);
    await begin(page, game);
    await makeMove(page);
    await shows(page, 2);
    assert.deepEqual(
      posts.filter((path) => path !== '/api/position'),
      [],
      game,
    );
  }
});

it('W9: a reload goes on with the game of this browser, and home offers it', async () => {
  const page = await house.person();
  const id = await begin(page);
  await cell(page, 'd1').click();
  await shows(page, 2);
  const moves = await movesOf(page, id);
  await page.reload();
  await shows(page, 2);
  assert.deepEqual(await movesOf(page, id), moves);
  await page.goto('/');
  await page.locator(`a[href="/g/${id}"]`).first().click();
  await shows(page, 2);
  await stand(page, 2);
});

it('W30: two tabs with the same game of this browser agree, and the program answers once', async () => {
  const page = await house.person();
  const id = await begin(page);
  const other = await page.context().newPage();
  await other.goto(`/g/${id}`);
  await board(other).waitFor();
  await cell(page, 'd1').click();
  for (const tab of [page, other]) await shows(tab, 2);
  await cell(other, 'a1').click();
  for (const tab of [page, other]) await shows(tab, 4);
  // The tab that lets the program think is closed: the other goes on.
  await page.close();
  await cell(other, 'g1').click();
  await shows(other, 6);
  assert.equal((await movesOf(other, id)).length, 6);
});

it('a game is taken back, resigned and played again', async () => {
  const page = await house.person();
  const id = await begin(page);
  await cell(page, 'd1').click();
  await shows(page, 2);
  await button(page, 'Take back').click();
  await shows(page, 0);
  await cell(page, 'c1').click();
  await shows(page, 2);
  await button(page, 'More').click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Resign/ })
    .click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Resign/ })
    .click();
  await page.getByRole('region', { name: 'Result' }).waitFor();
  await page.getByRole('button', { name: /Play again/ }).click();
  await page.waitForURL((url) => /\/g\/here-/.test(url.pathname) && !url.pathname.endsWith(id));
  // Sides are exchanged: the program begins.
  await shows(page, 1);
});

it('analysis and review think in the browser', async () => {
  const page = await house.person({ chosen: { evaluate: true }, prepared: true });
  await page.goto('/settings');
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name, responseEnd }) => name.endsWith('.wasm') && responseEnd > 0),
  );
  await begin(page, 'connect-four');
  const posts = posted(page);
  await page.evaluate(() => {
    const link = Object.assign(document.createElement('a'), { href: '/analysis/connect-four?m=4+4+5' });
    document.body.append(link);
    link.click();
  });
  await shows(page, 3);
  await button(page, 'Review the game').click();
  await page.locator('.moves .mark').first().waitFor();
  assert.deepEqual(posts, []);
});

it('without WebAssembly the server plays', async () => {
  const page = await house.person();
  await page.addInitScript(() => delete globalThis.WebAssembly);
  await page.goto('/play/connect-four');
  await button(page, 'Play').click();
  await page.waitForURL(/\/g\/(?!here-)/);
  await cell(page, 'd1').click();
  await shows(page, 2);
});

for (const [what, refuse] of [
  [
    'refused',
    () =>
      (IDBFactory.prototype.open = () => {
        throw new DOMException('no', 'SecurityError');
      }),
  ],
  [
    'full',
    () =>
      (IDBObjectStore.prototype.add = () => {
        throw new DOMException('full', 'QuotaExceededError');
      }),
  ],
]) {
  it(`storage ${what}: the game goes on as long as the page`, async () => {
    const page = await house.person();
    await page.addInitScript(refuse);
    await page.goto('/play/connect-four');
    await button(page, 'Play').click();
    await page.waitForURL(/\/g\/here-/);
    for (const [name, count] of [
      ['d1', 2],
      ['a1', 4],
    ]) {
      await cell(page, name).click();
      await shows(page, count);
    }
  });
}

it('a finished game of this browser is sent to the account once', async () => {
  const page = await house.person();
  const id = await begin(page, 'tic-tac-toe');
  await makeMove(page);
  await shows(page, 2);
  await action(page, 'Resign');
  await dialog(page).getByRole('button', { name: 'Resign' }).click();
  await result(page).waitFor();
  await call(page, 'POST', '/account', { name: `sender${Date.now() % 100_000}`, password: 'correct horse' });
  await page.goto('/games');
  await page.getByText('1 finished game is saved only in this browser.').waitFor();
  await page.locator(`a[href="/g/${id}"]`).waitFor();
  await button(page, 'Save to my account').click();
  await page.getByText('They are now in your account.').waitFor();
  await page.locator(`a[href="/g/${id}"]`).waitFor({ state: 'detached' });
  const { tables } = await call(page, 'GET', '/tables?player=me');
  assert.equal(tables.length, 1);
  await page.locator(`a[href="/g/${tables[0].table}"]`).click();
  await shows(page, 2);
});

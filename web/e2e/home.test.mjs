// The first page: something is on, the ladder of levels, and the first move by keys.

import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';

import { board, button, cell, makeTable, openTable, result, settle, some, stand, useHouse, visit } from './harness.mjs';

const house = useHouse();
afterEach(() => house.leave());

const demo = (page) => page.locator('.demo .thumb');
const piecesOf = (page) => page.locator('.demo .thumb svg > g').count();

describe('where nobody plays', () => {
  it('X14: two levels play, and Watch opens that very game', async () => {
    const page = await house.person({ width: 1440, height: 900, prepared: true });
    await page.goto('/');
    await demo(page).scrollIntoViewIfNeeded();
    await demo(page).locator('svg').waitFor();
    const before = await piecesOf(page);
    await page.waitForFunction((before) => document.querySelectorAll('.demo .thumb svg > g').length > before, before);
    await page.locator('.demo').getByRole('link', { name: 'Watch' }).click();
    await page.waitForURL(/\/watch\/here-/);
    await board(page).waitFor();
  });

  it('X14: with reduced motion the picture is still', async () => {
    const page = await house.person({ width: 1440, height: 900, prepared: true, reducedMotion: 'reduce' });
    await page.goto('/');
    await demo(page).scrollIntoViewIfNeeded();
    await demo(page).locator('svg').waitFor();
    const id = (await page.locator('.demo').getByRole('link', { name: 'Watch' }).getAttribute('href'))
      .split('/')
      .at(-1);
    await visit(page, `/watch/${id}`);
    await button(page, 'Resume').waitFor();
  });
});

it('X16: a level that was beaten is gold, and the next one is chosen, also after a reload', async () => {
  const page = await house.person({ width: 1440, height: 900, chosen: { pace: 'instant' } });
  // A position in which one move wins against the first level counts only when the game was played from its start.
  await openTable(page, { game: 'tic-tac-toe', opponent: { kind: 'program', name: 'level:1' } });
  for (let games = 0; games < 12; games++) {
    await board(page).waitFor();
    while (!(await result(page).isVisible())) {
      await page.waitForFunction(
        () =>
          document.querySelector('.result') ||
          (document.querySelector('.status')?.textContent ?? '').startsWith('Your turn'),
      );
      if (await result(page).isVisible()) break;
      const [at, count] = await page.evaluate(() => {
        const names = [...document.querySelectorAll('[role=gridcell]')].map((cell) => cell.getAttribute('aria-label'));
        const who = Object.fromEntries(names.map((name) => [name.slice(0, 2), name.split(', ')[1]]));
        const lines = ['a1 a2 a3', 'b1 b2 b3', 'c1 c2 c3', 'a1 b1 c1', 'a2 b2 c2', 'a3 b3 c3', 'a1 b2 c3', 'a3 b2 c1'];
        const two = (side) =>
          lines
            .map((line) => line.split(' '))
            .filter((line) => line.filter((at) => who[at] === side).length === 2)
            .flat()
            .find((at) => who[at] === 'empty');
        const free = ['b2', 'a1', 'c3', 'a3', 'c1', 'a2', 'b1', 'b3', 'c2'].find((at) => who[at] === 'empty');
        return [two('X') ?? two('O') ?? free, Object.values(who).filter((one) => one !== 'empty').length];
      });
      await cell(page, at).click();
      await page.waitForFunction(
        (count) => document.querySelectorAll('.board [data-cell]').length > count || document.querySelector('.result'),
        count,
      );
    }
    if (/You win/.test(await result(page).innerText())) break;
    await makeTable(page, { game: 'tic-tac-toe' });
    await openTable(page, { game: 'tic-tac-toe', opponent: { kind: 'program', name: 'level:1' } });
  }
  const check = async () => {
    await page.getByRole('group', { name: 'Game' }).getByRole('button', { name: 'Tic-tac-toe' }).click();
    await page.locator('.ladder .beaten').first().waitFor();
    assert.equal(
      await page
        .locator('.ladder button')
        .first()
        .getAttribute('class')
        .then((name) => /beaten/.test(name)),
      true,
    );
    assert.match(await page.locator('.ladder button[aria-pressed=true]').getAttribute('aria-label'), /^Dash/);
  };
  await visit(page, '/');
  await check();
  await page.reload();
  await check();
});

it('digits play on the board of the first page, and the focus is on the board of the game', async () => {
  const page = await house.person({ width: 1440, height: 900 });
  await page.goto('/');
  await page.getByRole('group', { name: 'Game' }).getByRole('button', { name: 'Connect Four' }).click();
  await cell(page, 'd1').focus();
  await page.keyboard.press('3');
  await page.waitForURL(/\/g\//);
  await stand(page, 1).catch(() => {});
  await page.locator('[data-cell=c1]').waitFor({ state: 'attached' });
  await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'gridcell');
});

it('Watch names programs as people call them', async () => {
  const page = await house.person({ width: 1280 });
  await page.goto('/watch');
  const names = page.getByLabel('First', { exact: true }).locator('option');
  await names.first().waitFor({ state: 'attached' });
  for (const name of await names.allTextContents()) assert.doesNotMatch(name, /:|^[a-z]/, name);
});

it('Ranking shows the levels, and a way to play, where nobody is ranked', async () => {
  const page = await house.person({ width: 390, height: 844 });
  await visit(page, '/rank/connect-four');
  await page.getByText('Nobody is ranked here yet.').waitFor();
  assert.deepEqual((await page.locator('main ol b').allTextContents()).slice(0, 3), ['Dot', 'Dash', 'Tally']);
  await page.getByRole('main').getByRole('link', { name: 'Play' }).click();
  await page.waitForURL(/\/play\/connect-four$/);
});

it('X17: at 1440 × 900 the three cards under the board are whole', async () => {
  for (const language of ['en', 'ca']) {
    const page = await house.person({ width: 1440, height: 900, language, prepared: true });
    await page.goto('/');
    await makeTable(page, { game: 'chess-five' }, 'R@a N@b');
    await page.reload();
    await page.locator('.demo .name, .live .name').nth(1).waitFor();
    await page.locator('.today b').waitFor();
    await settle(page);
    const cards = await page.locator('.under > *').evaluateAll((all) =>
      all.slice(0, 3).map((card) => ({
        bottom: card.getBoundingClientRect().bottom,
        cut: card.scrollHeight - card.clientHeight,
        wide: card.scrollWidth - card.clientWidth,
      })),
    );
    assert.equal(cards.length, 3);
    for (const { bottom, cut, wide } of cards)
      assert.ok(
        bottom <= 900 && cut <= 1 && wide <= 1,
        `${language}: ends at ${bottom}, ${cut} × ${wide} px too large`,
      );
  }
});

it('on a phone the levels are on the first screen, in every language', async () => {
  for (const language of some(['ca', 'en', 'es', 'pt-PT', 'pt-BR'])) {
    const page = await house.person({ width: 390, height: 844, language });
    await page.goto('/');
    const ladder = page.locator('.ladder');
    await ladder.waitFor();
    await settle(page);
    const { y, height } = await ladder.boundingBox();
    assert.ok(y + height <= 844, `${language}: ${y + height}`);
  }
});

it('five games stand in one row beside the words', async () => {
  const page = await house.person({ width: 1440, height: 900 });
  await visit(page, '/');
  await page.locator('.stage .tabs button').nth(4).waitFor();
  await page.evaluate(() => document.fonts.load('500 15px Figtree'));
  const tops = await page
    .locator('.stage .tabs button')
    .evaluateAll((all) => all.slice(0, 5).map((tab) => tab.getBoundingClientRect().top));
  assert.equal(tops.length, 5);
  assert.equal(new Set(tops).size, 1, tops.join(' '));
});

it('on a laptop the board of the first page is large, and whole', async () => {
  const page = await house.person({ width: 1366, height: 657 });
  await visit(page, '/');
  await cell(page, 'a1').waitFor();
  const { y, width, height } = await page.locator('.stage .board .board').boundingBox();
  assert.ok(width >= 400 && y + height <= 657, `${width} px, ends at ${y + height}`);
});

describe('X35: every page is two presses away', () => {
  /** Pages by the beginning of their address; those of a single game, table or person are reached from their lists. */
  const PAGES = [
    '/',
    '/play/',
    '/puzzles',
    '/puzzles/daily',
    '/watch',
    '/learn',
    '/learn/',
    '/rank',
    '/games',
    '/analysis',
    '/tournaments',
    '/settings',
    '/about',
    '/account',
  ];
  const isThere = (page, paths) => paths.some((path) => (/.\/$/.test(page) ? path.startsWith(page) : path === page));
  /** Where the elements lead that have the focus one after another. */
  const byTab = async (page) => {
    const paths = new Set();
    for (let at = 0; at < 80; at++) {
      await page.keyboard.press('Tab');
      const path = await page.evaluate(() => {
        const { activeElement } = document;
        const { width, height } = activeElement.getBoundingClientRect();
        return activeElement === document.body ? null : { path: activeElement.pathname, isSeen: width * height > 0 };
      });
      if (!path) break;
      if (path.path && path.isSeen) paths.add(path.path);
    }
    return [...paths];
  };
  for (const [width, menu] of [
    [1440, /^\w+ \w+$/],
    [390, 'Menu'],
  ])
    it(`at ${width} px, by pointer and by keys`, async () => {
      const page = await house.person({ width, height: 844 });
      await visit(page, '/');
      await board(page).waitFor();
      await settle(page);
      const seen = () =>
        page
          .locator('a:visible')
          .evaluateAll((links) => links.filter((link) => link.origin === location.origin).map((link) => link.pathname));
      // One press.
      const near = [...(await seen()), ...(await byTab(page))];
      // The menu, and a press in it.
      const toggle = page.locator('header').getByRole('button', { name: menu }).last();
      await toggle.focus();
      await page.keyboard.press('Enter');
      await page.locator('.more a').first().waitFor();
      await page.locator('.logo').focus();
      const keys = await byTab(page);
      const pointer = await seen();
      for (const wanted of PAGES) {
        assert.ok(isThere(wanted, [...near, ...pointer]), `${wanted} by pointer`);
        assert.ok(isThere(wanted, [...near, ...keys]), `${wanted} by keys`);
      }
      // The rush is on the page of puzzles, which is one press away.
      await visit(page, '/puzzles');
      await page.locator('main a[href^="/puzzles/rush"]').first().waitFor();
      // A press leads there.
      await visit(page, '/');
      await toggle.click();
      await page.locator('.more').getByRole('link', { name: 'Analysis' }).click();
      await page.waitForURL('**/analysis');
    });
});

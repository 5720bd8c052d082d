// For everybody: screen readers, keys, small screens, languages, colours, still pictures; and a page that
// asks nobody else.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterEach, describe, it } from 'node:test';

import { board, button, call, cell, dialog, GAMES, openTable, pieces, shows, status, THEMES, useHouse, WIDTHS } from './harness.mjs';

const house = useHouse();
afterEach(() => house.leave());
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const ROUTES = [
  '/',
  ...GAMES.map((game) => `/play/${game}`),
  '/analysis/connect-four?m=4+4+5',
  '/analysis/chess-five',
  '/watch',
  '/rank/connect-four',
  '/u/nobody',
  '/learn',
  ...GAMES.map((game) => `/learn/${game}`),
  '/account',
  '/settings',
  '/about',
  '/c/NOPE',
  '/nowhere',
];

async function settle(page) {
  await page.locator('main h1').first().waitFor({ state: 'attached' });
  await page.waitForLoadState('networkidle');
}

/** What axe finds wrong. The page's own policy forbids inline scripts, so it comes by the debugger. */
async function faults(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }));
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join('; ')}`);
}

for (const width of WIDTHS) {
  for (const theme of THEMES) {
    it(`W19: axe finds nothing on any route, ${theme} at ${width} px`, async () => {
      const page = await house.person({ width, theme, expect: [/404/] });
      for (const route of ROUTES) {
        await page.goto(route);
        await settle(page);
        assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), theme);
        assert.deepEqual(await faults(page), [], route);
      }
      for (const [game, moves, end] of [
        ['tic-tac-toe', 'b2 a1', ''],
        ['connect-four', '4 4 5 5 6 6', 'c1'],
        ['simplexity', '4r 4s', ''],
        ['chess-five', 'Q@d Q@e', ''],
        ['connect-four:16x16x5', '4 4', ''],
      ]) {
        await openTable(page, { game }, moves);
        await settle(page);
        assert.deepEqual(await faults(page), [], game);
        if (!end) continue;
        await cell(page, end).click();
        await dialog(page).waitFor();
        assert.deepEqual(await faults(page), [], 'the result');
      }
    });
  }

  it(`W20: a whole game by keys alone at ${width} px`, async () => {
    const page = await house.person({ width });
    await page.goto('/');
    await page.getByRole('heading', { name: 'Line them up' }).waitFor();
    const press = async (key, times = 1) => {
      for (let i = 0; i < times; i++) await page.keyboard.press(key);
    };
    const focused = () => page.evaluate(() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent.trim());
    const tabTo = async (name) => {
      for (let i = 0; i < 80; i++) {
        await page.keyboard.press('Tab');
        if ((await focused())?.match(name)) return;
      }
      throw new Error(`nothing called ${name} is reached by the tab key`);
    };
    await press('Tab');
    assert.equal(await focused(), 'Skip to the page');
    await press('Enter');
    await tabTo(/^Set up Tic-tac-toe$/);
    await press('Enter');
    await page.getByRole('heading', { name: 'Tic-tac-toe' }).waitFor();
    await tabTo(/./);
    await page.getByLabel('Somebody beside me').focus();
    await press(' ');
    await tabTo(/^Start the game$/);
    await press('Enter');
    await board(page).waitFor();
    await tabTo(/^b2,/);
    await press('Enter');
    await shows(page, 1);
    await press('ArrowLeft');
    await press('Enter');
    await shows(page, 2);
    await press('ArrowUp');
    await press(' ');
    await shows(page, 3);
    await press('ArrowDown', 2);
    await press('Enter');
    await shows(page, 4);
    await press('End');
    await press('Enter');
    await dialog(page).getByText('X has 3 in a line along a falling diagonal').waitFor();
    const tree = await page.locator('body').ariaSnapshot();
    assert.match(tree, /dialog "X won\."/);
    assert.match(tree, /button "Play again"/);
    await press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    const field = await page.getByRole('grid').ariaSnapshot();
    assert.match(field, /gridcell "b2, X, winning line"/);
    assert.match(field, /gridcell "a1, O/);
  });
}

describe('W21: no sideways scroll', () => {
  for (const [name, width] of [['320 px', 320], ['1280 px at 200 %', 640]]) {
    it(name, async () => {
      for (const language of ['en', 'ca']) {
        const page = await house.person({ width, language, expect: [/404/] });
        for (const route of ROUTES) {
          await page.goto(route);
          await settle(page);
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert.ok(wide <= 0, `${route} in ${language} is ${wide} px too wide`);
        }
        for (const game of [...GAMES, 'connect-four:16x16x5']) {
          await openTable(page, { game });
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert.ok(wide <= 0, `${game} in ${language} is ${wide} px too wide`);
        }
      }
    });
  }
});

describe('W22: four languages', () => {
  const PLAY = { en: 'Play', es: 'Jugar', pt: 'Jogar', ca: 'Juga' };
  for (const [language, play] of Object.entries(PLAY)) {
    it(language, async () => {
      const page = await house.person({ language, expect: [/404/] });
      for (const route of ROUTES) {
        await page.goto(route);
        await settle(page);
        assert.equal(await page.evaluate(() => document.documentElement.lang), language);
        const text = await page.locator('body').innerText();
        assert.doesNotMatch(text, /\b(nav|home|setup|game|learn|error|why|status)\.[a-z-]+\b|\{\w+\}/, route);
      }
      await page.goto('/');
      await page.locator('.card').first().getByRole('button', { name: new RegExp(`^${play}`) }).waitFor();
      // R is the rook in English and the king in the others.
      await openTable(page, { game: 'chess-five' });
      await page.locator('#typed').fill('Rc');
      await page.keyboard.press('Enter');
      await shows(page, 1);
      const id = page.url().split('/').at(-1);
      const { moves } = await call(page, 'GET', `/tables/${id}`);
      assert.equal(moves[0].move, language === 'en' ? 'R@c' : 'K@c');
    });
  }

  it('changes without loading anew', async () => {
    const page = await house.person();
    await page.goto('/settings');
    await page.locator('#language').selectOption('ca');
    await page.getByRole('heading', { name: 'Configuració' }).waitFor();
    await page.goto('/about?lang=pt');
    await page.getByRole('heading', { name: 'Sobre' }).waitFor();
  });
});

it('W23: the sides differ without colour', async () => {
  const page = await house.person();
  const debug = await page.context().newCDPSession(page);
  for (const [game, moves, first, second] of [
    ['tic-tac-toe', 'a1 b1', 'a1', 'b1'],
    ['connect-four', '1 2', 'a1', 'b1'],
    ['simplexity', '1r 2r', 'a1', 'b1'],
    ['simplexity', '1s 2s', 'a1', 'b1'],
    ['chess-five', 'N@a N@b', 'a1', 'b1'],
  ]) {
    for (const theme of THEMES) {
      await page.evaluate((theme) => localStorage.setItem('alinea.settings', JSON.stringify({ theme, sound: false })), theme).catch(() => {});
      await openTable(page, { game }, moves);
      for (const type of ['achromatopsia', 'deuteranopia', 'protanopia', 'tritanopia']) {
        await debug.send('Emulation.setEmulatedVisionDeficiency', { type });
        const [a, b] = await Promise.all([first, second].map((name) => ink(page, name)));
        // The share of the cell that is painted: filled and hollow differ by far, whatever the colours.
        assert.ok(Math.abs(a - b) > 0.04 || game === 'tic-tac-toe', `${game}, ${theme}, ${type}: ${a} and ${b}`);
      }
      await debug.send('Emulation.setEmulatedVisionDeficiency', { type: 'none' });
    }
  }
});

/** How much of a piece's box is painted. */
async function ink(page, name) {
  return page.locator(`[data-cell=${name}]`).evaluate((piece) => {
    const box = piece.getBoundingClientRect();
    let hit = 0;
    const steps = 24;
    for (let i = 0; i < steps; i++) {
      for (let j = 0; j < steps; j++) {
        const point = new DOMPoint(box.x + (box.width * (i + 0.5)) / steps, box.y + (box.height * (j + 0.5)) / steps);
        const painted = [...piece.querySelectorAll('path, circle')].some((shape) => {
          const at = point.matrixTransform(shape.getScreenCTM().inverse());
          const style = getComputedStyle(shape);
          return (style.fill !== 'none' && shape.isPointInFill(at)) || (style.stroke !== 'none' && shape.isPointInStroke(at));
        });
        hit += painted ? 1 : 0;
      }
    }
    return hit / (steps * steps);
  });
}

it('W24: nothing moves for those who do not want it', async () => {
  const page = await house.person({ reducedMotion: 'reduce' });
  await openTable(page, { game: 'connect-four' });
  const running = () => page.evaluate(() => document.getAnimations().length);
  await cell(page, 'd6').click();
  await shows(page, 1);
  assert.equal(await running(), 0);
  const lively = await house.person();
  await openTable(lively, { game: 'connect-four' });
  await lively.evaluate(() => {
    globalThis.fell = 0;
    const { animate } = Element.prototype;
    Element.prototype.animate = function (...args) {
      globalThis.fell += 1;
      return animate.apply(this, args);
    };
  });
  await cell(lively, 'd6').click();
  await shows(lively, 1);
  assert.equal(await lively.evaluate(() => globalThis.fell), 1);
});

it('W25: what a browser loads for a game stays within the budget', async () => {
  const page = await house.person();
  await openTable(page, { game: 'connect-four' });
  await page.reload();
  await board(page).waitFor();
  const loaded = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name, encodedBodySize }) => ({ name: new URL(name).pathname, size: encodedBodySize })),
  );
  const sum = (ending) => loaded.filter(({ name }) => name.endsWith(ending)).reduce((all, { size }) => all + size, 0);
  assert.ok(sum('.js') > 20_000 && sum('.js') < 84_000, `${sum('.js')} bytes of scripts`);
  assert.ok(sum('.css') > 1_000 && sum('.css') < 12_000, `${sum('.css')} bytes of styles`);
});

it('W27: the policy of the page allows no inline script, and nobody else is asked', async () => {
  const page = await house.person();
  const response = await page.goto('/');
  const policy = response.headers()['content-security-policy'];
  assert.match(policy, /default-src 'self'/);
  assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval|\*/);
  await openTable(page, { game: 'chess-five' });
  assert.equal(await page.evaluate(() => document.querySelectorAll('script:not([src]), style').length), 0);
  const blocked = await page.evaluate(
    () =>
      new Promise((resolve) => {
        addEventListener('securitypolicyviolation', ({ violatedDirective }) => resolve(violatedDirective));
        document.body.insertAdjacentHTML('beforeend', '<img src="https://example.org/x.png" alt="">');
      }),
  );
  assert.match(blocked, /img-src|default-src/);
  house.complaints.length = 0;
});

it('W28: a chunk of an old version is gone: the page loads itself anew, once', async () => {
  const page = await house.person({ expect: [/404|Failed to (fetch|load)|import/] });
  let [asked, isGone] = [0, true];
  await page.route('**/assets/Settings-*.js', (route) => {
    asked += 1;
    return isGone ? route.fulfill({ status: 404, body: '' }) : route.continue();
  });
  let loads = 0;
  page.on('load', () => (loads += 1));
  await page.goto('/about');
  await page.getByRole('link', { name: 'Settings' }).first().click();
  await page.getByText('The server does not answer').waitFor();
  assert.equal(loads, 2);
  isGone = false;
  await button(page, 'Load again').click();
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  assert.ok(asked >= 3);
});

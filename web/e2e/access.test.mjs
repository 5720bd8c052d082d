// Accessibility: screen readers, keyboard, small screens, languages, colours, reduced motion.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterEach, describe, it } from 'node:test';

import {
  action,
  board,
  button,
  call,
  cell,
  dialog,
  faults,
  GAMES,
  inAll,
  makeTable,
  openTable,
  result,
  settle,
  shows,
  some,
  tableOf,
  THEMES,
  useHouse,
  visit,
  WIDTHS,
} from './harness.mjs';

const house = useHouse();
afterEach(() => house.leave());
const KEYS = Object.keys(JSON.parse(readFileSync(new URL('../i18n/en.json', import.meta.url), 'utf8'))).filter((key) =>
  key.includes('.'),
);

const ROUTES = [
  '/',
  ...GAMES.map((game) => `/play/${game}`),
  ...GAMES.map((game) => `/analysis/${game}`),
  '/analysis/connect-four?m=4+4+5',
  '/analysis/gomoku?m=h8+g9+o15+a1',
  '/puzzles',
  '/puzzles/connect-four-1',
  '/puzzles/gomoku-1',
  '/puzzles/daily',
  '/puzzles/rush?game=connect-four',
  '/watch',
  '/games',
  '/rank/connect-four',
  '/tournaments',
  '/t/nothing',
  '/u/nobody',
  '/learn',
  ...GAMES.map((game) => `/learn/${game}`),
  '/account',
  '/settings',
  '/about',
  '/c/NOPE',
  '/nowhere',
];

/** Nothing is wrong in any theme: all rules once, then those that look at colours with the other colours. */
async function sound(page, what) {
  for (const theme of THEMES) {
    await page.evaluate((theme) => (document.documentElement.dataset.theme = theme), theme);
    assert.deepEqual(
      await faults(page, theme === THEMES[0] ? undefined : ['color-contrast', 'link-in-text-block']),
      [],
      `${what}, ${theme}`,
    );
  }
}

for (const width of WIDTHS) {
  it(`W19: axe finds nothing on any route${width < 500 ? '' : ' in any theme'} at ${width} px`, async () => {
    const page = await house.person({ width, expect: [/404/] });
    for (const route of ROUTES) {
      await visit(page, route);
      await settle(page);
      // The colours are those of the wide page.
      if (width < 500) assert.deepEqual(await faults(page), [], route);
      else await sound(page, route);
    }
  });

  it(`W19: axe finds nothing at any table in any theme at ${width} px`, async () => {
    const page = await house.person({ width });
    const name = `axe${width}`;
    await call(page, 'POST', '/account', { name, password: 'correct horse battery' });
    for (const [game, moves] of [
      ['tic-tac-toe', 'b2 a1'],
      ['connect-four', '4 4 5 5 6 6'],
      ['simplexity', '4r 4s'],
      ['chess-five', 'Q@d Q@e'],
      ['gomoku', 'a1 o15'],
      ['connect-four:16x16x5', '4 4'],
    ]) {
      await openTable(page, { game }, moves);
      await settle(page);
      await sound(page, game);
      if (moves !== '4 4 5 5 6 6') continue;
      await action(page, 'Evaluate');
      await page.locator('.columns .win').first().waitFor();
      await sound(page, 'evaluated');
      await cell(page, 'c1').click();
      await result(page).waitFor();
      await sound(page, 'the result');
      await openTable(page, { game: 'connect-four' });
      await action(page, 'Keys');
      await dialog(page).getByText('Enter').waitFor();
      await sound(page, 'the keys');
    }
    const link = await makeTable(page, { game: 'tic-tac-toe', opponent: { kind: 'link' } });
    for (const route of [`/g/${link}`, `/watch/${link}`, '/account', `/u/${name}`]) {
      await visit(page, route);
      await settle(page);
      await sound(page, route);
    }
    if (width > 980) return;
    await button(page, 'Menu').click();
    await sound(page, 'the menu');
  });

  it(`W20: a whole game by keys alone at ${width} px`, async () => {
    const page = await house.person({ width });
    await page.goto('/');
    await page.getByRole('heading', { name: 'Line them up' }).waitFor();
    const press = async (key, times = 1) => {
      for (let i = 0; i < times; i++) await page.keyboard.press(key);
    };
    const focused = () =>
      page.evaluate(
        () => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent.trim(),
      );
    const tabTo = async (name) => {
      for (let i = 0; i < 80; i++) {
        await page.keyboard.press('Tab');
        if ((await focused())?.match(name)) return;
      }
      throw new Error(`nothing called ${name} is reached by the tab key`);
    };
    await press('Tab');
    assert.equal(await focused(), 'Skip to main content');
    await press('Enter');
    await tabTo(/^Tic-tac-toe$/);
    await press('Enter');
    await tabTo(/^Set up$/);
    await press('Enter');
    await page.getByRole('heading', { name: 'New game' }).waitFor();
    await tabTo(/^Same screen$/);
    await press('Enter');
    await tabTo(/^Play$/);
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
    await result(page).getByText('X has 3 in a line along a falling diagonal').waitFor();
    // The focus stays on the board.
    assert.match(await focused(), /^c1,/);
    const tree = await page.locator('body').ariaSnapshot();
    assert.match(tree, /heading "X wins"/);
    assert.match(tree, /button "Play again"/);
    const field = await page.getByRole('grid').ariaSnapshot();
    assert.match(field, /gridcell "b2, X, winning line"/);
    assert.match(field, /gridcell "a1, O/);
  });
}

describe('W21: no sideways scroll', () => {
  for (const [name, size] of [
    ['320 px', { width: 320 }],
    ['1280 × 860 at 200 %', { width: 640, height: 430, deviceScaleFactor: 2 }],
  ]) {
    inAll(name, async () => {
      for (const language of ['en', 'ca']) {
        const page = await house.person({ ...size, language, expect: [/404/] });
        for (const route of ROUTES) {
          await visit(page, route);
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

/** No key is shown instead of its words, and no blank is left open. */
function unspoken(text, where) {
  const shown = KEYS.filter((key) => text.includes(key));
  assert.deepEqual(shown, [], where);
  assert.doesNotMatch(text, /\{\w+\}/, where);
}

describe('W22: five languages', () => {
  const PLAY = { en: 'Play', es: 'Juega', 'pt-PT': 'Jogar', 'pt-BR': 'Jogar', ca: 'Juga' };
  // All languages have the same keys (`npm run check`), so that one of them sees the pages of every game.
  const ofOneGame = ROUTES.filter((route) => !GAMES.slice(1).some((game) => route.endsWith(`/${game}`)));
  for (const [language, play] of some(Object.entries(PLAY))) {
    it(language, async () => {
      const page = await house.person({ language, expect: [/404/] });
      for (const route of language === 'en' ? ROUTES : ofOneGame) {
        await visit(page, route);
        await settle(page);
        assert.equal(await page.evaluate(() => document.documentElement.lang), language);
        const text = await page.locator('body').innerText();
        unspoken(text, route);
      }
      await page.goto('/');
      await page
        .getByRole('button', { name: new RegExp(`^${play}`) })
        .first()
        .waitFor();
      // R is the rook in English and the king in the others.
      await openTable(page, { game: 'chess-five' });
      unspoken(await page.locator('body').innerText(), 'the game');
      await page.locator('#typed').fill('Rc');
      await page.keyboard.press('Enter');
      await shows(page, 1);
      const id = page.url().split('/').at(-1);
      const { moves } = await tableOf(page, id);
      assert.equal(moves[0].move, language === 'en' ? 'R@c' : 'K@c');
      await page.locator('.actions button').last().click();
      unspoken(await dialog(page).innerText(), 'more');
      await dialog(page).locator('.keyboard').click();
      await dialog(page).getByText('Enter').waitFor();
      unspoken(await dialog(page).innerText(), 'the keys');
      await page.keyboard.press('Escape');
      await call(page, 'POST', `/tables/${id}/resign`);
      await page.locator('.result').waitFor();
      unspoken(await page.locator('body').innerText(), 'the end');
    });
  }

  it('changes without a reload', async () => {
    const page = await house.person();
    await page.goto('/settings');
    await page.locator('#language').selectOption('ca');
    await page.getByRole('heading', { name: 'Configuració' }).waitFor();
    await page.goto('/about?lang=pt');
    await page.getByRole('heading', { name: 'Sobre' }).waitFor();
  });
});

it('W23: the sides differ without colour vision', async () => {
  const page = await house.person();
  const debug = await page.context().newCDPSession(page);
  for (const [game, moves] of [
    ['tic-tac-toe', 'a1 b1'],
    ['connect-four', '1 2'],
    ['simplexity', '1r 2r'],
    ['simplexity', '1s 2s'],
    ['chess-five', 'N@a N@b'],
    ['chess-five', 'Q@a Q@b'],
    ['gomoku', 'a1 b1'],
  ]) {
    await openTable(page, { game }, moves);
    await page.mouse.move(0, 0);
    for (const theme of THEMES) {
      await page.evaluate((theme) => (document.documentElement.dataset.theme = theme), theme);
      for (const type of ['deuteranopia', 'achromatopsia']) {
        await debug.send('Emulation.setEmulatedVisionDeficiency', { type });
        const [first, second] = [await inked(page, 'a1'), await inked(page, 'b1')];
        const where = `${game}, ${theme}, ${type}`;
        for (const ink of [first, second]) assert.ok(share(ink, Boolean) > 0.03, `${where}: nothing to see`);
        const differ = share(first, (isInk, at) => isInk !== second[at]);
        assert.ok(differ > 0.08, `${where}: ${(100 * differ).toFixed(1)} % differ`);
      }
    }
    await debug.send('Emulation.setEmulatedVisionDeficiency', { type: 'none' });
  }
});

const share = (ink, isCounted) => ink.filter(isCounted).length / ink.length;

/** Which points of a cell stand out from its ground in a picture of the screen: light or dark, not colour. */
async function inked(page, name) {
  const { x, y, width } = await cell(page, name).boundingBox();
  const side = Math.floor(width) - 8;
  const picture = await page.screenshot({
    clip: { x: Math.ceil(x) + 4, y: Math.ceil(y) + 4, width: side, height: side },
  });
  return page.evaluate(
    async (bytes) => {
      const image = await createImageBitmap(new Blob([Uint8Array.from(bytes)], { type: 'image/png' }));
      const [size, canvas] = [48, new OffscreenCanvas(48, 48).getContext('2d')];
      canvas.drawImage(image, 0, 0, size, size);
      const { data } = canvas.getImageData(0, 0, size, size);
      const light = (at) => {
        const [r, g, b] = [0, 1, 2].map((part) => (data[4 * at + part] / 255) ** 2.2);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      // The ground around the piece, which the middle of an edge shows.
      const ground = light(size / 2);
      return Array.from({ length: size * size }, (_, at) => {
        const [dark, bright] = [ground, light(at)].sort((a, b) => a - b);
        return (bright + 0.05) / (dark + 0.05) > 2;
      });
    },
    [...picture],
  );
}

it('is light or dark as the system is, until a theme is chosen', async () => {
  const page = await house.person({ theme: 'system', colorScheme: 'light' });
  const theme = (name) => page.locator(`html[data-theme="${name}"]`).waitFor({ state: 'attached' });
  await page.goto('/settings');
  await theme('light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await theme('neon');
  await page.getByLabel('colour-safe').check();
  await theme('colour-safe');
  await page.reload();
  await theme('colour-safe');
});

describe('W24: no animation where reduced motion is wanted', () => {
  const WAYS = [
    ['the system says so', { reducedMotion: 'reduce' }, {}, true],
    ['it was chosen here', {}, { motion: false }, true],
    ['otherwise pieces fall and slide', {}, {}, false],
  ];
  for (const [name, wish, chosen, isStill] of WAYS) {
    it(name, async () => {
      const page = await house.person(wish);
      await page.addInitScript((chosen) => {
        localStorage.setItem('alinea.settings', JSON.stringify({ theme: 'neon', sound: false, ...chosen }));
        globalThis.moved = [];
        const { animate } = Element.prototype;
        Element.prototype.animate = function (...how) {
          globalThis.moved.push(this.dataset.cell);
          return animate.apply(this, how);
        };
        for (const kind of ['animationstart', 'transitionrun'])
          addEventListener(
            kind,
            ({ target }) => globalThis.moved.push(`${kind} ${target.className.baseVal ?? target.className}`),
            true,
          );
      }, chosen);
      for (const [game, table, steps] of [
        ['tic-tac-toe', {}, ['b2']],
        ['connect-four', {}, ['d6']],
        ['simplexity', {}, ['d6']],
        ['chess-five', {}, ['d8']],
        ['gomoku', {}, ['h8']],
        ['chess-five', { position: 'nb2qk1r/8/8/8/8/2N5/5B2/R2K2Q1[] w' }, ['c3', 'd5']],
      ]) {
        await openTable(page, { game, ...table });
        // What moved before counts only where nothing may.
        if (!isStill) await page.evaluate(() => (globalThis.moved = []));
        for (const at of steps) await cell(page, at).click();
        await shows(page, 1);
        const [moved, running] = await page.evaluate(() => [globalThis.moved, document.getAnimations().length]);
        if (isStill) assert.deepEqual([moved, running], [[], 0], game);
        else
          assert.ok(
            moved.some((cell) => /^[a-h][1-8]$/.test(cell)),
            `${game}: nothing moved, but ${moved}`,
          );
      }
      // A refusal shakes the column, or does not.
      await openTable(page, { game: 'connect-four' }, '1 1 1 1 1 1');
      await page.evaluate(() => (globalThis.moved = []));
      await cell(page, 'a3').click();
      await page.locator('.status', { hasText: 'Column 1 is full.' }).waitFor();
      // An animation is told of in a frame after the one that began it.
      const shaken = () => globalThis.moved.some((what) => what?.startsWith('animationstart'));
      if (!isStill) return void (await page.waitForFunction(shaken));
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      assert.equal(await page.evaluate(shaken), false);
    });
  }
});

// Makes the pictures of games in docs/screenshots, at the sizes of the design.

import { mkdirSync } from 'node:fs';

import { board, call, cell, hand, makeTable, openBrowser, openTable, result, shows, stand, startServer } from './harness.mjs';

const folder = process.argv[2] ?? new URL('../../docs/screenshots', import.meta.url).pathname;
const wanted = process.argv[3] && new RegExp(process.argv[3]);
mkdirSync(folder, { recursive: true });
const server = await startServer(['--grace', '60']);
const browser = await openBrowser();
const CLOCK = { clock: { kind: 'game', initial_ms: 300_000, increment_ms: 3_000 } };
const link = { opponent: { kind: 'link' } };
const program = (level) => ({ opponent: { kind: 'program', name: `level:${level}` } });

async function person([width, height] = [1440, 900], { theme = 'neon', evaluate = false, still = true } = {}) {
  const phone = Math.min(width, height) < 500;
  const context = await browser.newContext({ viewport: { width, height }, baseURL: server.address, locale: 'en', hasTouch: phone, isMobile: phone, ...(still && { reducedMotion: 'reduce' }) });
  await context.addInitScript((chosen) => localStorage.setItem('alinea.settings', JSON.stringify(chosen)), { theme, sound: false, evaluate, pace: 'instant', arrows: false });
  return context.newPage();
}

/** Two people at a table by link, with moves made by both; the first is the one who is photographed. */
async function two(size, game, moves, more = {}) {
  const [me, other] = [await person(size), await person(size)];
  const id = await makeTable(me, { game, ...link, ...CLOCK, ...more });
  await call(other, 'POST', `/tables/${id}/sit`, {});
  await other.goto(`/g/${id}`);
  await board(other).waitFor();
  const mine = more.side === 'second' ? 1 : 0;
  for (const [at, move] of moves.split(' ').entries()) await call(at % 2 === mine ? me : other, 'POST', `/tables/${id}/make-move`, { ply: at + 1, move });
  await me.goto(`/g/${id}`);
  await board(me).waitFor();
  return [me, other];
}

/** Plays the first of these columns that is free, again and again, against the program at the table. */
async function against(page, columns) {
  for (const [at, column] of columns.entries()) {
    await cell(page, `${column}6`).click();
    await stand(page, 2 * at + 2);
  }
}

const DESK = [1440, 900];
const PHONE = [390, 844];
const FIVE = '8/8/8/4Kr2/3q1k2/3nQ2N/2nNBb2/1BRrRb2[] w';

/** A game of Connect Four in its middle, with the verdict. */
const middle = (size, theme) => async () => {
  const page = await person(size, { theme, evaluate: true });
  await openTable(page, { game: 'connect-four', ...program(4), ...CLOCK });
  await against(page, ['d', 'c', 'e', 'b', 'f']);
  await page.locator('.now .say').waitFor();
  if (size === DESK) await page.locator('.lines li').first().waitFor();
  if (size === DESK) await cell(page, 'b5').hover();
  return page;
};

const PICTURES = {
  'c4-neon-1440': middle(DESK, 'neon'),
  'c4-light-1440': middle(DESK, 'light'),
  'c4-colour-safe-1440': middle(DESK, 'colour-safe'),
  'c4-390': middle(PHONE, 'neon'),
  'c4-landscape-844x390': middle([844, 390], 'neon'),
  'chessfive-move-1440': async () => {
    const page = await person(DESK, { evaluate: true });
    await openTable(page, { game: 'chess-five', position: FIVE, ...program(5), ...CLOCK });
    await cell(page, 'd2').click();
    await page.locator('.lines li').first().waitFor();
    return page;
  },
  'chessfive-drop-390': async () => {
    const page = await person(PHONE);
    await openTable(page, { game: 'chess-five', ...CLOCK }, 'R@c N@d B@d Q@e N@c R@b');
    await hand(page, 'bishop').click();
    return page;
  },
  'simplexity-390': async () => {
    const page = await person(PHONE);
    await openTable(page, { game: 'simplexity', ...CLOCK }, '4r 4s 3r 5s 3s 5r 4s 2r 6s 6r');
    await hand(page, 'square').click();
    return page;
  },
  'gomoku-1440': async () => {
    const page = await person(DESK, { evaluate: true });
    await openTable(page, { game: 'gomoku', ...CLOCK }, 'h8 i9 g9 i7 i8 g8 f10 h7 e11 d12');
    await page.locator('.lines li').first().waitFor();
    return page;
  },
  'tictactoe-390': async () => {
    const page = await person(PHONE);
    await openTable(page, { game: 'tic-tac-toe', opponent: { kind: 'program', name: 'choice-index:hard' } });
    await cell(page, 'b2').click();
    await stand(page, 2);
    return page;
  },
  'end-win-1440': async () => {
    const [page] = await two(DESK, 'connect-four', '3 4 4 5 5 6 5 6 6 1 6');
    await result(page).waitFor();
    return page;
  },
  'end-loss-390': async () => {
    const [page] = await two(PHONE, 'connect-four', '3 4 4 5 5 6 5 6 6 1 6', { side: 'second' });
    await result(page).waitFor();
    return page;
  },
  'between-people-390': async () => {
    const [page, other] = await two(PHONE, 'connect-four', '4 4 3 5 4 4 3 6 4 7 2');
    await call(other, 'POST', `/tables/${page.url().split('/').at(-1)}/chat`, { text: 'train tunnel, back in a moment' });
    await other.context().close();
    await page.getByText('lost the connection').waitFor();
    return page;
  },
  'motion-1440': async () => {
    const page = await person(DESK, { still: false });
    await openTable(page, { game: 'connect-four', ...program(1), ...CLOCK });
    // Stops the fall half-way.
    await page.evaluate(() => {
      const { animate } = Element.prototype;
      Element.prototype.animate = function (...how) {
        const animation = animate.apply(this, how);
        if (this.dataset?.cell) {
          animation.pause();
          animation.currentTime = 300;
        }
        return animation;
      };
    });
    await cell(page, 'd1').click();
    await shows(page, 1);
    return page;
  },
  'open-link-390': async () => {
    const page = await person(PHONE);
    await openTable(page, { game: 'connect-four', ...link });
    await page.getByRole('img', { name: 'QR code of the link' }).waitFor();
    return page;
  },
};

try {
  for (const [name, make] of Object.entries(PICTURES)) {
    if (wanted && !wanted.test(name)) continue;
    const page = await make();
    await page.waitForLoadState('networkidle');
    await page.evaluate(() => document.fonts.ready);
    await page.screenshot({ path: `${folder}/${name}.png` });
    console.log(`${name}.png`);
    await page.context().close();
  }
} finally {
  await browser.close();
  await server.stop();
}

// Makes the pictures of games in docs/screenshots, at the sizes of the design.

import { mkdirSync } from 'node:fs';

import { board, call, cell, hand, makeTable, openBrowser, openTable, result, stand, startServer } from './harness.mjs';

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
  const context = await browser.newContext({
    viewport: { width, height },
    baseURL: server.address,
    locale: 'en',
    hasTouch: phone,
    isMobile: phone,
    ...(still && { reducedMotion: 'reduce' }),
  });
  await context.addInitScript((chosen) => localStorage.setItem('alinea.settings', JSON.stringify(chosen)), {
    theme,
    sound: false,
    evaluate,
    pace: 'instant',
    arrows: false,
  });
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
  for (const [at, move] of moves.split(' ').entries())
    await call(at % 2 === mine ? me : other, 'POST', `/tables/${id}/make-move`, { ply: at + 1, move });
  await me.goto(`/g/${id}`);
  await board(me).waitFor();
  return [me, other];
}

/** Plays these columns against the program at the table, as long as the game goes on. */
async function against(page, columns) {
  for (const [at, column] of columns.entries()) {
    await cell(page, `${column}6`).click();
    await page.waitForFunction(
      (count) => document.querySelectorAll('.board [data-cell]').length >= count || document.querySelector('.result'),
      2 * at + 2,
    );
    if (await result(page).count()) return;
  }
}

const DESK = [1440, 900];
const PHONE = [390, 844];
const FIVE = '8/8/8/4Kr2/3q1k2/3nQ2N/2nNBb2/1BRrRb2[] w';

/** A game of Connect Four in its middle, with the verdict. */
const middle = (size, theme) => async () => {
  const page = await person(size, { theme, evaluate: true });
  await openTable(page, { game: 'connect-four', ...program(4), ...CLOCK });
  await against(page, ['d', 'c', 'e']);
  await page.locator('.now .say', { hasText: /win|lose|draw|stop|even|better/i }).waitFor();
  if (size === DESK) await page.locator('.lines li').first().waitFor();
  if (size === DESK) await cell(page, 'b5').hover();
  return page;
};

/** The rhythm of a move in six frames, each a picture of the board, put together on one page. */
async function motionBoard() {
  const GAME = { game: 'connect-four:4x5x4' };
  const frames = [];
  const frame = async (page, name, time, says) =>
    frames.push({ name, time, says, picture: (await page.locator('.table .board').screenshot()).toString('base64') });
  /** Stops pieces and threads at a time of their way. */
  const stopAt = (page, ms) =>
    page.evaluate((ms) => {
      const { animate } = Element.prototype;
      Element.prototype.animate = function (...how) {
        const animation = animate.apply(this, how);
        if (this.dataset?.cell) Object.assign(animation, { currentTime: ms }).pause();
        return animation;
      };
    }, ms);
  const size = [1440, 730];
  let page = await person(size, { still: false });
  await openTable(page, GAME, '1 1 2 5');
  await cell(page, 'c4').hover();
  await frame(page, 'Aim', 'before the touch', 'The piece waits in the rail; its shadow lies where it will land.');
  await stopAt(page, 210);
  await cell(page, 'c4').click();
  await page.locator('[data-cell=c1]').waitFor();
  await page.mouse.move(0, 0);
  await frame(page, 'Fall', '120 + 70 ms a row, at most 520', 'Behind the face, speeding up as a stone does.');
  await page.reload();
  await stand(page, 5);
  await frame(page, 'Settle', '140 ms', 'One bounce of 5 %, one wooden tap.');

  page = await person(size, { still: false });
  await page.routeWebSocket(/socket\.io/, (near) => {
    const far = near.connectToServer();
    near.onMessage((message) => far.send(message));
    far.onMessage((message) => /"ply":2\b/.test(message) || near.send(message));
  });
  await openTable(page, { ...GAME, ...program(1) });
  await page.locator('[data-link=online]').waitFor();
  await cell(page, 'c4').click();
  await page.locator('.thinking').waitFor();
  await page.mouse.move(0, 0);
  await frame(page, 'It thinks', '450 to 900 ms, never less', 'Its own piece drifts over the columns it weighs.');

  page = await person(size, { still: false });
  await openTable(page, GAME, '1 1 2 5 3 2');
  await cell(page, 'd4').click();
  await page.locator('.thread .pull').waitFor({ state: 'attached' });
  await page.mouse.move(0, 0);
  const hold = (ms) =>
    page.evaluate(
      (ms) => document.getAnimations().forEach((animation) => Object.assign(animation, { currentTime: ms }).pause()),
      ms,
    );
  await hold(210);
  await frame(page, 'The line', '180 ms still, then 420 ms', 'A thread runs through the four, first to last.');
  await page.evaluate(() => document.getAnimations().forEach((animation) => animation.finish()));
  await result(page).waitFor();
  await frame(page, 'Lift', '260 ms each, 70 apart', 'They rise off the face, the rest dims, the result comes beside.');

  await page.goto('/about');
  await page.evaluate(async (frames) => {
    const part = (tag, css, ...inside) => {
      const made = document.createElement(tag);
      made.style.cssText = css;
      made.append(...inside);
      return made;
    };
    const card = async ({ name, time, says, picture }) => {
      const bitmap = await createImageBitmap(
        new Blob([Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0))], { type: 'image/png' }),
      );
      const image = Object.assign(part('canvas', 'width: 232px; align-self: center; flex: none'), {
        width: bitmap.width,
        height: bitmap.height,
      });
      image.getContext('2d').drawImage(bitmap, 0, 0);
      const words = part(
        'div',
        'display: grid; gap: 6px; align-content: center',
        part('b', 'font-size: 22px', name),
        part('b', 'font-size: 14px; color: var(--mark)', time),
        part('span', 'font-size: 14px; color: var(--muted)', says),
      );
      return part(
        'div',
        'display: flex; gap: 18px; padding: 18px; border-radius: 22px; background: var(--panel)',
        image,
        words,
      );
    };
    const title = part('h1', 'font-size: 34px', 'The rhythm of a move');
    const says = part(
      'p',
      'color: var(--muted); margin: 8px 0 22px',
      'Your piece lands before theirs is lifted. The line is drawn before a word is said.',
    );
    const cards = part(
      'div',
      'display: grid; grid-template-columns: repeat(3, 1fr); gap: 20px',
      ...(await Promise.all(frames.map(card))),
    );
    document.body.replaceChildren(part('main', 'padding: 36px 80px', title, says, cards));
  }, frames);
  return page;
}

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
    await call(other, 'POST', `/tables/${page.url().split('/').at(-1)}/chat`, {
      text: 'train tunnel, back in a moment',
    });
    await other.context().close();
    await page.getByText('has disconnected').waitFor();
    return page;
  },
  'motion-board-1440': motionBoard,
};

try {
  for (const [name, make] of Object.entries(PICTURES)) {
    if (wanted && !wanted.test(name)) continue;
    const page = await make();
    await page.waitForLoadState('networkidle');
    await page.evaluate(() => document.fonts.ready);
    await page.screenshot({ path: `${folder}/${name}.png` });
    await page.context().close();
  }
} finally {
  await browser.close();
  await server.stop();
}

// Makes the pictures of docs/screenshots with a server and a browser of its own.

import { mkdirSync, rmSync } from 'node:fs';

import { board, call, cell, hand, openBrowser, openTable, shows, startServer, WIDTHS } from './harness.mjs';

const folder = process.argv[2] ?? new URL('../../docs/screenshots', import.meta.url).pathname;
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const server = await startServer(['--grace', '600']);
const browser = await openBrowser();

async function person(width, theme = 'neon') {
  const height = width < 500 ? 760 : 860;
  const context = await browser.newContext({ viewport: { width, height }, baseURL: server.address, locale: 'en', reducedMotion: 'reduce', deviceScaleFactor: width < 500 ? 2 : 1 });
  await context.addInitScript((theme) => localStorage.setItem('alinea.settings', JSON.stringify({ theme, sound: false })), theme);
  const page = await context.newPage();
  return page;
}

async function picture(page, name, width, fullPage = width < 500) {
  await page.waitForLoadState('networkidle');
  await page.mouse.move(0, 0);
  await page.evaluate(() => scrollTo(0, 0));
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: `${folder}/${name}-${width}.png`, fullPage });
  console.log(`${name}-${width}.png`);
}

const evaluate = async (page) => {
  await page.getByRole('button', { name: 'Evaluate', exact: true }).click();
  await page.locator('.tab-analysis .lines li').first().waitFor();
};
const link = { opponent: { kind: 'link' } };

try {
  // Players to watch and to rank: a rating is certain after some games against different opponents.
  const names = ['Marta', 'Joan', 'Anna', 'Pere'];
  const people = [];
  for (const name of names) {
    const who = await person(1280);
    await call(who, 'POST', '/account', { name, password: 'correct horse battery' });
    people.push(who);
  }
  const rated = { game: 'connect-four', ...link, side: 'first', clock: { kind: 'game', initial_ms: 180000, increment_ms: 2000 }, rated: true, take_back: false, listed: true };
  const ranked = async () => (await call(people[0], 'GET', '/ranking/connect-four?kind=slow')).filter(({ name }) => names.includes(name)).length;
  for (let round = 0; round < 30 && (await ranked()) < names.length; round++) {
    for (const [i, first] of people.entries()) {
      const second = people[(i + 1 + round) % people.length];
      if (first === second) continue;
      const { table } = await call(first, 'POST', '/tables', rated);
      await call(second, 'POST', `/tables/${table}/sit`, {});
      const moves = (i + round) % 3 === 2 ? '1 4 1 4 1 4 2 4' : '4 1 4 1 4 1 4';
      for (const [at, move] of moves.split(' ').entries()) await call(at % 2 ? second : first, 'POST', `/tables/${table}/make-move`, { ply: at + 1, move });
    }
  }
  for (const who of people) await who.context().close();

  for (const width of WIDTHS) {
    const page = await person(width);

    await openTable(page, { game: 'connect-four', opponent: { kind: 'program', name: 'level:3' } });
    await cell(page, 'd1').click();
    await shows(page, 2);

    await page.goto('/');
    await page.getByText('Continue').waitFor();
    await picture(page, 'home', width, true);

    await page.goto('/play/connect-four');
    await page.getByText('or by name').waitFor();
    await picture(page, 'setup', width, true);

    await openTable(page, { game: 'tic-tac-toe', opponent: { kind: 'program', name: 'choice-index:hard' } });
    await cell(page, 'b2').click();
    await shows(page, 2);
    await picture(page, 'tic-tac-toe', width);

    await openTable(page, { game: 'connect-four', opponent: { kind: 'here' } }, '4 4 5 3 3 4 4 6 5 5 3 4 3 3 5 4 3 5 5 2 2 1 6 1');
    await evaluate(page);
    await page.locator('.columns i').first().waitFor();
    await picture(page, 'connect-four', width);

    await openTable(page, { game: 'simplexity' }, '4r 4s 3r 5s 3s 5r 4s 2r 6s');
    await picture(page, 'simplexity', width);

    await openTable(page, { game: 'chess-five' }, 'R@c N@d B@d Q@e N@c R@b K@e B@f');
    await hand(page, 'queen').click();
    // The preview of the column, where the queen would land.
    await cell(page, 'c8').focus();
    await page.keyboard.press('ArrowDown');
    await picture(page, 'chess-five-drop', width);

    await openTable(page, { game: 'chess-five', position: '8/8/8/4Kr2/3q1k2/3nQ2N/2nNBb2/1BRrRb2[] w' });
    await evaluate(page);
    await cell(page, 'd2').click();
    await picture(page, 'chess-five-move', width);

    await page.goto('/analysis/connect-four?m=4+4+5+3+3+4+4+6+5+5+3+4+3+3+5+4+3+5');
    await page.locator('.columns i').first().waitFor();
    await page.getByRole('button', { name: 'Review the game' }).click();
    await page.locator('figure polyline').waitFor({ timeout: 60_000 });
    await picture(page, 'analysis', width);

    await page.goto('/rank/connect-four?kind=slow');
    await page.getByRole('link', { name: names[0], exact: true }).waitFor();
    await picture(page, 'ranking', width);

    await page.goto(`/u/${names[0]}`);
    await page.locator('polyline').waitFor();
    await picture(page, 'profile', width, false);

    await openTable(page, { game: 'connect-four' }, '1 2 2 3 3 4 3 4 4 6');
    await cell(page, 'd4').click();
    await page.getByRole('dialog').waitFor();
    await picture(page, 'result', width, false);

    for (const theme of ['light', 'colour-safe']) {
      const other = await person(width, theme);
      await openTable(other, { game: 'chess-five', position: '8/8/8/4Kr2/3q1k2/3nQ2N/2nNBb2/1BRrRb2[] w' });
      await cell(other, 'd2').click();
      await picture(other, `theme-${theme}`, width);
    }

    await page.goto('/learn/simplexity');
    await board(page).waitFor();
    await picture(page, 'learn', width);
    await page.goto('/watch');
    await picture(page, 'watch', width, false);
    await page.goto('/account');
    await picture(page, 'account', width);
  }
} finally {
  await browser.close();
  await server.stop();
}

// Makes the pictures of docs/screenshots with a server and a browser of its own.

import { mkdirSync, rmSync } from 'node:fs';

import { board, call, openBrowser, startServer, WIDTHS } from './harness.mjs';

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

    await page.goto('/analysis/connect-four?m=4+4+5+3+3+4+4+6+5+5+3+4+3+3+5+4+3+5');
    await page.locator('.columns i').first().waitFor();
    await page.getByRole('button', { name: 'Review the game' }).click();
    await page.locator('figure polyline').waitFor({ timeout: 60_000 });
    await picture(page, 'analysis', width);

    await page.goto('/rank/connect-four?kind=slow');
    await page.getByRole('link', { name: names[0], exact: true }).waitFor();
    await picture(page, 'ranking', width);

    await page.goto('/learn/simplexity');
    await board(page).waitFor();
    await picture(page, 'learn', width);
    await page.goto('/account');
    await picture(page, 'account', width);
  }
} finally {
  await browser.close();
  await server.stop();
}

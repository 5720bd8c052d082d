// Makes the pictures of home, setup, review, watch, profile and a puzzle in docs/screenshots, at the sizes of their design.

import { mkdirSync } from 'node:fs';

import { board, call, cell, makeTable, openBrowser, shows, startServer } from './harness.mjs';

const folder = process.argv[2] ?? new URL('../../docs/screenshots', import.meta.url).pathname;
mkdirSync(folder, { recursive: true });
const server = await startServer(['--grace', '600']);
const browser = await openBrowser();

async function person(width = 1440, height = 900) {
  const context = await browser.newContext({
    viewport: { width, height },
    baseURL: server.address,
    locale: 'en',
    reducedMotion: 'reduce',
  });
  await context.addInitScript(() => {
    localStorage.setItem('alinea.settings', JSON.stringify({ theme: 'neon', sound: false }));
    if (localStorage.getItem('alinea.game') === null) localStorage.setItem('alinea.game', '"connect-four"');
  });
  return context.newPage();
}

async function picture(page, name, fullPage = false) {
  await page.waitForLoadState('networkidle');
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage });
}

const clock = { kind: 'game', initial_ms: 300_000, increment_ms: 3_000 };
const LIVE = [
  ['chess-five', 'R@a N@b Q@c K@d B@e R@f N@c B@d K@e'],
  ['connect-four', '4 4 5 3 3 4 4 6'],
  ['gomoku', 'h8 h9 i8 i9 j8 g7 k8 l8 g9 f9'],
  ['simplexity', '4s 4r 3r 5s 3s 5r 6r'],
  ['tic-tac-toe', 'b2 a1'],
  ['connect-four', '4 4 3 5 2 1 5 5 3 3 6 2 2 2'],
  ['gomoku', 'h8 i9 i7 h7 g9 j6 h9 h10'],
  ['connect-four', '4 4 4 3 5'],
  ['simplexity', '4s 3r 5s 4r 4s 5r 3s 6r 2s 2r'],
  ['connect-four', '4 2 6 3 5 4 4 3 6 5 5'],
];

try {
  // Games that are being played.
  for (const [game, moves] of LIVE) {
    const [first, second] = [await person(), await person()];
    const { table } = await call(first, 'POST', '/tables', {
      game,
      opponent: { kind: 'link' },
      side: 'first',
      clock,
      rated: false,
      take_back: true,
      listed: true,
    });
    await call(second, 'POST', `/tables/${table}/sit`, {});
    for (const [at, move] of moves.split(' ').entries())
      await call(at % 2 ? second : first, 'POST', `/tables/${table}/make-move`, { ply: at + 1, move });
    for (const page of [first, second]) await page.context().close();
  }
  const watch = await person();
  await watch.goto('/watch');
  await watch.locator('.wall a').nth(5).waitFor();
  await picture(watch, 'watch-1440');

  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ]) {
    const page = await person(width, height);
    await page.goto('/');
    await makeTable(page, { game: 'chess-five', opponent: { kind: 'here' } }, 'R@a N@b Q@c K@d B@e R@f N@c B@d K@e');
    await page.reload();
    await board(page).waitFor();
    await page.getByRole('link', { name: /^Continue/ }).waitFor();
    await picture(page, `home-${width}`, true);
    await page.goto('/play/connect-four');
    await page.getByRole('button', { name: /^Tally/ }).waitFor();
    await picture(page, `setup-${width}`, width < 500);
  }

  const review = await person();
  await review.goto('/analysis/connect-four?m=4+7+7+1+3+2+3+3+6+6+2+2+2+5+5&you=first');
  await shows(review, 15);
  await review.locator('figure circle.mark').first().waitFor({ timeout: 60_000 });
  await review.getByText('Reviewing…').waitFor({ state: 'detached', timeout: 60_000 });
  await review.locator('.panel ol button').first().click();
  await review.locator('.truth').waitFor();
  await picture(review, 'review-1440');

  // The puzzle of a day of Connect Four, with a wrong move.
  const puzzle = await person(390, 844);
  await puzzle.clock.install({ time: '2026-11-19T12:00:00Z' });
  await puzzle.goto('/puzzles/daily');
  await puzzle.locator('[role=grid].acts').waitFor();
  await cell(puzzle, 'g6').click();
  await puzzle.getByRole('button', { name: 'Try again' }).waitFor();
  await picture(puzzle, 'puzzle-390');

  // Rated games of two accounts.
  const people = [];
  for (const name of ['TealHeron', 'IndigoLynx']) {
    const page = await person();
    await call(page, 'POST', '/account', { name, password: 'correct horse battery' });
    people.push(page);
  }
  const rated = {
    game: 'connect-four',
    opponent: { kind: 'link' },
    side: 'first',
    clock,
    rated: true,
    take_back: false,
    listed: true,
  };
  for (let game = 0; game < 14; game++) {
    const [first, second] = game % 2 ? people : people.toReversed();
    const { table } = await call(first, 'POST', '/tables', rated);
    await call(second, 'POST', `/tables/${table}/sit`, {});
    const moves = ['4 1 4 1 4 1 4', '3 4 4 5 5 1 5 6 6 1 6 2 6', '1 4 1 4 2 4 2 4', '4 3 4 3 5 3 1 3'][game % 4];
    for (const [at, move] of moves.split(' ').entries())
      await call(at % 2 ? second : first, 'POST', `/tables/${table}/make-move`, { ply: at + 1, move });
  }
  await people[0].goto('/u/TealHeron');
  await people[0].locator('polyline').waitFor();
  await picture(people[0], 'profile-1440');
} finally {
  await browser.close();
  await server.stop();
}

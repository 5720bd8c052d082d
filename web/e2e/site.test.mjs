// The static site (`npm run site`) in a folder of a plain file server: everything local works, nothing asks for a server.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, afterEach, before, it } from 'node:test';

import { board, button, cell, GAMES, pieces, shows, tableOf, useHouse } from './harness.mjs';

const house = useHouse();
afterEach(() => house.leave());

let host;
let address;
before(async () => {
  const folder = new URL('../../target', import.meta.url).pathname;
  host = spawn('python3', ['-u', '-m', 'http.server', '0', '--bind', '127.0.0.1', '--directory', folder], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const port = await new Promise((resolve, reject) => {
    host.stdout.once('data', (text) => resolve(/port (\d+)/.exec(text)[1]));
    host.on('exit', (code) => reject(new Error(`the file server ended with ${code}`)));
  });
  address = `http://127.0.0.1:${port}/site/`;
});
after(() => host.kill());

/** What the page asked of its host that is not there. */
function missing(page) {
  const paths = [];
  page.on('response', (response) => response.status() >= 400 && paths.push(response.url()));
  return paths;
}

/** Begins a game against a level. The page before has a button of the same name. */
async function begin(page, game) {
  await page.goto(`#/play/${game}`);
  await page.locator('form.sheet').getByRole('button', { name: 'Play', exact: true }).click();
  await page.waitForURL(/#\/g\/here-/);
  await board(page).waitFor();
}

it('games against a level; a reload and home go on with them', async () => {
  const page = await house.person({ address });
  const gone = missing(page);
  for (const game of GAMES.slice(0, 2)) {
    await begin(page, game);
    const { legal } = await tableOf(page);
    await page.locator(`[role=gridcell][aria-label^="${legal[0].to},"]`).click();
    await shows(page, 2);
    await page.reload();
    await shows(page, 2);
  }
  await page.goto('#/');
  await page.locator('a[href^="#/g/here-"]').first().click();
  await page.waitForURL(/#\/g\/here-/);
  await shows(page, 2);
  assert.deepEqual(gone, []);
});

it('one screen, two programs, analysis, review, and a game handed on by its address', async () => {
  const page = await house.person({ address });
  const gone = missing(page);
  await page.goto('');
  await button(page, 'Same screen').click();
  // The page before has a board too.
  await page.locator('.home').waitFor({ state: 'detached' });
  for (const [name, count] of [
    ['d1', 1],
    ['d2', 2],
    ['e1', 3],
  ]) {
    await cell(page, name).click();
    await shows(page, count);
  }
  await page.goto('#/watch');
  await button(page, 'Watch them play').click();
  await page.waitForURL(/#\/watch\/here-/);
  await pieces(page).nth(1).waitFor();
  await page.goto('#/analysis/connect-four?m=4+4+5');
  await shows(page, 3);
  await button(page, 'Review the game').click();
  await page.locator('.moves .mark').first().waitFor();
  await cell(page, 'a1').click();
  await page.waitForURL(/#\/analysis\/connect-four\?m=4\+4\+5\+1/);
  const other = await house.person({ address });
  await other.goto(page.url());
  await shows(other, 4);
  assert.deepEqual(gone, []);
});

it('the puzzle of the day, and one that is trained', async () => {
  const page = await house.person({ address });
  const gone = missing(page);
  await page.goto('#/');
  await page.getByRole('link', { name: 'Solve it' }).click();
  await page.locator('[data-puzzle]').waitFor();
  await page.goto('#/puzzles');
  await page.getByRole('heading', { name: 'Puzzles' }).waitFor();
  await page.getByRole('button', { name: 'Tic-tac-toe' }).click();
  await button(page, 'Start').click();
  await page.waitForURL(/#\/puzzles\/tic-tac-toe-\d+$/);
  await button(page, 'Solution').click();
  await page.getByRole('heading', { name: 'The solution' }).waitFor();
  await button(page, 'Next puzzle').waitFor();
  assert.deepEqual(gone, []);
});

it('what needs people is not offered', async () => {
  const page = await house.person({ address });
  for (const [place, names] of [
    ['#/', ['Account', 'Ranking', 'Friend', 'Anyone', 'Live now']],
    ['#/play/connect-four', ['Friend', 'Anyone']],
    ['#/about', ['API for programs']],
  ]) {
    await page.goto(place);
    await page.locator('main h1').first().waitFor();
    for (const name of names)
      assert.equal(
        await page.getByText(name, { exact: true }).filter({ visible: true }).count(),
        0,
        `${place} ${name}`,
      );
  }
  await page.goto('#/account');
  await page.getByRole('heading', { name: 'Nothing here' }).waitFor();
  await page.goto('#/games');
  await page.getByText('No games here yet.').waitFor();
});

it('after one visit it works without its host', async () => {
  const page = await house.person({ address, serviceWorkers: 'allow', prepared: true, expect: [/ERR_/] });
  await page.goto('');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.context().setOffline(true);
  await page.reload();
  await begin(page, 'gomoku');
  await cell(page, 'h8').click();
  await shows(page, 2);
});

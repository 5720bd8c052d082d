// Improve: what one's own games say, exercises from mistakes on the days they are due, and all of it without a network.

import assert from 'node:assert/strict';
import { afterEach, it } from 'node:test';

import { action, button, call, cell, dialog, makeTable, result, settle, stand, useHouse, visit } from './harness.mjs';

const house = useHouse();
afterEach(() => house.leave());

/** Solid could stop the column and does not: its fourth move decides. */
const MISSED = '1 5 2 5 7 5 7 5';

/** A page whose reader, with an account if one is named, has lost some games in this way; `ids` takes their tables. */
async function loser(count, { account, ids = [], ...more } = {}) {
  const [page, winner] = [await house.person(more), await house.person()];
  if (account) await call(page, 'POST', '/account', account);
  for (let n = 0; n < count; n += 1) {
    const id = await makeTable(page, { game: 'connect-four', opponent: { kind: 'link' } });
    ids.push(id);
    await call(winner, 'POST', `/tables/${id}/sit`, {});
    for (const [ply, move] of MISSED.split(' ').entries())
      await call(ply % 2 ? winner : page, 'POST', `/tables/${id}/make-move`, { ply: ply + 1, move });
  }
  return page;
}

const training = (page) => page.getByRole('region', { name: 'Today’s training' });
const skill = (page, name) => page.locator(`[data-skill="${name}"]`);
/** How many exercises come again tomorrow, in 3 days, in a week, in two weeks, and are known. */
const boxes = (page) => training(page).locator('ol b').allTextContents();

/** The exercise of the missed block, as the page keeps it for the reader. */
async function block(page) {
  const { id, account } = await call(page, 'GET', '/me');
  return page.evaluate(
    (name) =>
      new Promise((resolve) => {
        indexedDB.open(name).onsuccess = ({ target: { result } }) => {
          result.transaction('exercises').objectStore('exercises').getAll().onsuccess = ({ target }) =>
            resolve(target.result.find(({ skill }) => skill === 'stops-threats'));
        };
      }),
    account ? `alinea.improve.${id}` : 'alinea.improve',
  );
}

/** Answers the exercise of the missed block. */
async function answer(page, cellName) {
  const { id } = await block(page);
  await visit(page, `/improve/${id}`);
  await stand(page, 6);
  await cell(page, cellName).click();
}

async function sleep(page, days) {
  await page.clock.fastForward(days * 86_400_000);
  await page.goto('/improve');
}

it('X26 and X27: missed blocks are named with their board, and come again until they are known', async () => {
  const page = await loser(5);
  await page.clock.install({ time: Date.now() });
  await page.goto('/improve');
  await page.getByText('What your last 5 games of Connect Four say about you.').waitFor();
  await skill(page, 'stops-threats')
    .getByRole('img', { name: /^0%, 0 of 5, probably between 0% and 52%$/ })
    .waitFor();
  await skill(page, 'stops-threats')
    .getByRole('link', { name: /^Played: column 7\. Right: column 5\. Proved\./ })
    .first()
    .waitFor();
  await skill(page, 'endgame').getByText('Not enough games yet').waitFor();
  await training(page)
    .getByText(/^Nothing is due today/)
    .waitFor();

  await sleep(page, 1);
  await training(page).getByRole('link', { name: 'Start, about 2 minutes' }).waitFor();
  assert.deepEqual(await boxes(page), ['0', '0', '0', '0', '0']);
  await answer(page, 'e6');
  await page.getByRole('heading', { name: 'Solved!' }).waitFor();
  await page.getByText('It comes again tomorrow.').waitFor();
  await button(page, 'Next').click();
  await page.locator('[data-exercise]').waitFor();
  await visit(page, '/improve');
  await training(page).getByText(/^1 of/).waitFor();
  assert.deepEqual(await boxes(page), ['1', '0', '0', '0', '0']);

  await sleep(page, 1);
  await answer(page, 'e6');
  await page.getByText('It comes again in 3 days.').waitFor();
  await sleep(page, 3);
  await training(page).waitFor();
  assert.deepEqual(await boxes(page), ['0', '1', '0', '0', '0']);
  await answer(page, 'a6');
  await page.getByText('It comes again tomorrow.').waitFor();
});

it('says what is missing before five games, also on the smallest phone', async () => {
  const page = await house.person({ width: 320 });
  await page.goto('/improve');
  await page.getByText('Play five games, and this page starts to know you.').waitFor();
  await settle(page);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the page scrolls sideways');
  await page.getByRole('link', { name: 'Play', exact: true }).last().click();
  await page.waitForURL(/\/play\/connect-four$/);
});

it('needs no network for games that it knows, and fits the smallest phone', async () => {
  const expected = [/ERR_|WebSocket|Failed to (fetch|load)/];
  const page = await loser(5, { width: 320, serviceWorkers: 'allow', prepared: true, expect: expected });
  await page.goto('/improve');
  await skill(page, 'stops-threats').getByRole('link').first().waitFor();
  await page.getByText('What your last 5 games of Connect Four say about you.').waitFor();
  await page.evaluate(() => navigator.serviceWorker.ready);
  // Neither the server nor the files of the page can be reached.
  await page.context().setOffline(true);
  await page.reload();
  await skill(page, 'stops-threats')
    .getByRole('img', { name: /^0%, 0 of 5/ })
    .waitFor();
  await skill(page, 'stops-threats').locator('a svg').first().waitFor();
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the page scrolls sideways');
});

it('two devices of one account share reviews and answers, also one given without a network', async () => {
  const account = { name: `twin${Date.now() % 100_000}`, password: 'correct horse' };
  const laptop = await loser(5, { account });
  await laptop.clock.install({ time: Date.now() });
  await laptop.goto('/improve');
  const figure = { name: /^0%, 0 of 5/ };
  await skill(laptop, 'stops-threats').getByRole('img', figure).waitFor();
  /** Waits until the account knows something. */
  const known = async (isThere) => {
    for (;;) {
      const found = await call(laptop, 'POST', '/me/learned', { after: 0 });
      if (isThere(found)) return;
    }
  };
  await known(({ games }) => games.length === 5);

  // The other device reviews nothing again: it does not even ask for the games.
  const phone = await house.person({ width: 390, expect: [/ERR_FAILED/] });
  await call(phone, 'POST', '/session', account);
  await phone.clock.install({ time: Date.now() + 86_400_000 });
  const asked = [];
  phone.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await phone.goto('/improve');
  await skill(phone, 'stops-threats').getByRole('img', figure).waitFor();
  await settle(phone);
  assert.deepEqual(
    asked.filter((path) => /^\/api\/tables\/./.test(path)),
    [],
  );

  await training(phone).getByRole('link', { name: 'Start, about 2 minutes' }).waitFor();
  const { id } = await block(phone);
  await visit(phone, `/improve/${id}`);
  await stand(phone, 6);
  await phone.route('**/api/**', (route) => route.abort());
  await cell(phone, 'e6').click();
  await phone.getByText('It comes again tomorrow.').waitFor();
  await phone.unroute('**/api/**');
  await phone.evaluate(() => dispatchEvent(new Event('online')));
  await known(({ exercises }) => exercises.some((one) => one.id === id && one.step === 1));

  await sleep(laptop, 1);
  await training(laptop).getByText(/^1 of/).waitFor();
  assert.deepEqual(await boxes(laptop), ['1', '0', '0', '0', '0']);
});

it('says after a game what mattered most, and that it is a pattern', async () => {
  const ids = [];
  const page = await loser(5, { ids });
  await page.goto('/improve');
  await page.getByText('What your last 5 games of Connect Four say about you.').waitFor();
  await page.goto(`/g/${ids.at(-1)}`);
  await result(page).getByText('you could have stopped the threat with column 5.').waitFor();
  await result(page).getByText('For the 5th time this week you left a threat open up a column on the right.').waitFor();
  await settle(page);
});

it('plays even matches, whose strength follows the results', async () => {
  const page = await house.person();
  await page.goto('/improve');
  const even = page.getByRole('region', { name: 'Even match' });
  await even.getByText('As strong as Zigzag today. The first games look for your strength.').waitFor();
  await button(even, 'Play an even match').click();
  await page.waitForURL(/\/g\//);
  await page.getByText('Even match', { exact: true }).first().waitFor();
  const first = page.url();
  // A game with a move can be lost, no matter who begins.
  await page.locator('.status', { hasText: /Your turn/ }).waitFor();
  await cell(page, 'd1').click();
  await page.locator('.status', { hasText: /Your turn/ }).waitFor();
  await action(page, 'Resign');
  await dialog(page).getByRole('button', { name: 'Resign' }).click();
  await result(page).getByRole('heading', { name: 'You resigned.' }).waitFor();
  await result(page).getByRole('button', { name: 'Play again' }).click();
  await page.waitForURL((url) => url.href !== first && url.pathname.startsWith('/g/'));
  await page.goto('/improve');
  await even.getByText('As strong as Tally today.').waitFor();
  await even.getByText('You scored 0 in 1 even match.').waitFor();
});

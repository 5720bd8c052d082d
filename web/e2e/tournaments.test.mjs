// W18: tournaments. One is opened by hand, entered by link, played at tables, and its page is live in every tab.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, describe, it } from 'node:test';

import { atOne, binary, button, call, faults, nameOf, settle, some, THEMES, useHouse, WIDTHS } from './harness.mjs';

/** The results of tournaments of programs, which the server shows. */
const cups = mkdtempSync(join(tmpdir(), 'alinea-e2e-cups-'));
after(() => rmSync(cups, { recursive: true, force: true }));
const house = useHouse(['--tournaments', cups]);
afterEach(() => house.leave());

const PASSWORD = 'correct horse battery';

/** People who do everything by HTTP. */
async function scripted(count) {
  const pages = [];
  for (let at = 0; at < count; at += 1) {
    const page = await house.person();
    await call(page, 'GET', '/me');
    pages.push(page);
  }
  return pages;
}

/** The table at which someone plays now. */
async function tableOf(page, id) {
  const { id: me } = await call(page, 'GET', '/me');
  const { standings, games } = await call(page, 'GET', `/tournaments/${id}`);
  const { player } = standings.find(({ occupant }) => occupant.id === me);
  return games.find(({ players, result }) => !result && players.includes(player))?.table;
}

/** The points that a page shows, by name. */
async function points(page) {
  const rows = page.locator('.standings tbody tr');
  await rows.first().waitFor();
  return rows.evaluateAll((rows) =>
    Object.fromEntries(
      rows.map((row) => [
        row.querySelector('.name > span').textContent.trim(),
        row.querySelector('.points').textContent,
      ]),
    ),
  );
}

for (const width of WIDTHS) {
  describe(`at ${width} px`, () => {
    it('W18: a Swiss is opened, entered by link, played, and live in every tab', async () => {
      const ann = await house.person({ width, permissions: ['clipboard-read', 'clipboard-write'] });
      await call(ann, 'POST', '/account', { name: `ann${width}`, password: PASSWORD });
      await ann.goto('/');
      await ann.getByRole('link', { name: 'Tournaments' }).first().click();
      await ann.getByLabel('Name').fill('Class 7b');
      await ann.getByLabel('Game', { exact: true }).selectOption('tic-tac-toe');
      await ann.getByLabel('Rounds').fill('2');
      await button(ann, 'Create the tournament').click();
      await ann.getByRole('heading', { level: 1, name: 'Class 7b' }).waitFor();
      assert.ok(await button(ann, 'Start').isDisabled(), 'there are no players yet');
      await button(ann, 'Share the link').click();
      const address = await ann.evaluate(() => navigator.clipboard.readText());
      const id = address.split('/').at(-1);

      const bob = await house.person({ width });
      await bob.goto(address);
      const name = await nameOf(bob);
      await bob.getByText(`You will play as ${name}.`).waitFor();
      await button(bob, 'Join').click();
      await bob.getByText('You are in. The organiser will start the tournament.').waitFor();
      const others = await scripted(3);
      for (const other of others) await call(other, 'POST', `/tournaments/${id}`, { enter: {} });
      await bob.getByText('4 players have joined.').waitFor();
      const second = await bob.context().newPage();
      await second.goto(address);

      await button(ann, 'Start').click();
      const play = bob.locator('.next').getByRole('link', { name: 'Play', exact: true });
      await play.waitFor();
      await bob.getByText('You are', { exact: false }).first().waitFor();
      assert.equal(await play.getAttribute('href'), `/g/${await tableOf(bob, id)}`);
      await second.getByText('2 in progress').waitFor();

      // The game of others ends first, then Bob resigns.
      for (const other of others) {
        const table = await tableOf(other, id);
        const own = await tableOf(bob, id);
        if (table !== own) await call(other, 'POST', `/tables/${table}/resign`).catch(() => {});
      }
      for (const page of [bob, second]) await page.getByText('1 in progress').waitFor();
      await play.click();
      await bob.getByRole('grid').waitFor();
      await call(bob, 'POST', `/tables/${await tableOf(bob, id)}/resign`);
      await bob.getByRole('link', { name: 'Back to the tournament' }).click();
      await bob.getByText('round 1', { exact: false }).first().waitFor();
      for (const page of [ann, bob, second]) await page.getByText('Now').waitFor();
      for (const page of [ann, bob, second])
        assert.deepEqual(Object.values(await points(page)).toSorted(), ['0', '0', '1', '1']);
      assert.equal((await points(second))[name], '0');

      // The organiser decides what is left.
      for (const game of [2, 3]) {
        await ann.getByLabel('Decide a game').selectOption(String(game));
        await ann.getByLabel('Decision').selectOption('draw');
        await button(ann, 'Decide').click();
        await ann.waitForFunction((count) => document.querySelectorAll('.ended li').length === count, game + 1);
      }
      for (const page of [bob, second]) await page.getByText('The tournament is over').waitFor();
      assert.deepEqual(Object.values(await points(bob)).toSorted(), ['1½', '1½', '½', '½']);
      assert.match(await bob.locator('.next .big').innerText(), /^You finished [34] of 4$/);
      // Everyone sees what the organiser has changed.
      const heading = bob.getByRole('heading', { name: 'Changes by the organiser' });
      const changes = bob.locator('section', { has: heading }).locator('li');
      await changes.nth(1).waitFor();
      assert.equal(await changes.count(), 2);
      for (const page of [ann, bob]) {
        assert.deepEqual(await faults(page), []);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${wide} px too wide`);
      }
      await ann.goto('/tournaments');
      await ann.getByRole('link', { name: /Class 7b.*4 players/ }).waitFor();
    });

    it('a tournament of programs is shown with ratings, cross-table and games to replay', async () => {
      writeFileSync(
        join(cups, 'cup.toml'),
        "name = 'Programs'\ngame = 'connect-four'\nplayers = ['random', 'greedy', 'Third=smart:1']\npairs = 10\n",
      );
      execFileSync(binary, ['tournament', join(cups, 'cup.toml')], { stdio: 'ignore' });
      const page = await house.person({ width });
      await page.goto('/tournaments');
      await page.getByRole('link', { name: /Programs.*3 programs/ }).click();
      await page.waitForURL('**/t/cup');
      await page.reload();
      await page.getByRole('heading', { level: 1, name: 'Programs' }).waitFor();
      await settle(page);
      await page.getByText('10 pairs of games for each two players', { exact: false }).waitFor();
      for (const [part, count] of [
        ['.standings tbody tr', 3],
        ['.ended li', 50],
      ])
        await page.waitForFunction(([part, count]) => document.querySelectorAll(part).length === count, [part, count]);
      assert.match(await page.locator('.standings tbody tr').first().innerText(), /±/);
      assert.equal(await page.getByRole('region', { name: 'Head to head' }).locator('td').count(), 9);
      await button(page, 'Earlier games').click();
      await page.waitForFunction(() => document.querySelectorAll('.ended li').length === 60);
      assert.equal(await button(page, 'Earlier games').count(), 0);
      assert.deepEqual(await faults(page), []);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${wide} px too wide`);
      await page.locator('.ended a').first().click();
      await page.getByRole('grid').waitFor();
      assert.match(page.url(), /\/analysis\/connect-four%3A6x7x4\?m=/);

      // On a phone the report in one file shows the whole plot, with its axis.
      await page.setViewportSize({ width: 390, height: 800 });
      const path = join(cups, 'cup.results/report.html');
      await page.route('**/report.html', (route) => route.fulfill({ path, contentType: 'text/html' }));
      await page.goto('/report.html');
      const plots = await page
        .locator('.plot')
        .evaluateAll((plots) =>
          plots.map((plot) => [plot.getBoundingClientRect().right, plot.scrollWidth - plot.clientWidth]),
        );
      assert.ok(plots.length > 0 && plots.every(([right, hidden]) => right <= 390 && hidden <= 0), `${plots}`);
    });

    atOne(width)('axe finds nothing on a running tournament in any theme, and it speaks all languages', async () => {
      const [ann, bob] = await scripted(2);
      await call(ann, 'POST', '/account', { name: 'axel', password: PASSWORD });
      const format = { kind: 'arena', minutes: 30 };
      const { id } = await call(ann, 'POST', '/tournaments', {
        name: 'Arena',
        game: 'connect-four',
        format,
        guests: true,
      });
      for (const player of [ann, bob]) await call(player, 'POST', `/tournaments/${id}`, { enter: {} });
      await call(ann, 'POST', `/tournaments/${id}`, { start: {} });
      await ann.goto(`/t/${id}`);
      await ann.locator('.wall svg').first().waitFor();
      await settle(ann);
      for (const theme of THEMES) {
        await ann.evaluate((theme) => (document.documentElement.dataset.theme = theme), theme);
        assert.deepEqual(await faults(ann), [], theme);
      }
      await ann.goto('/tournaments');
      await settle(ann);
      assert.deepEqual(await faults(ann), []);
      for (const [language, words] of some(
        Object.entries({
          es: 'Clasificación',
          'pt-PT': 'Classificação',
          'pt-BR': 'Classificação',
          ca: 'Classificació',
        }),
      )) {
        const page = await house.person({ language });
        await page.goto(`/t/${id}`);
        await page.getByRole('heading', { name: words }).waitFor();
        assert.doesNotMatch(await page.locator('main').innerText(), /tournament\.|\{\w+\}/, language);
      }
    });
  });
}

it('a message of the host is shown at once, and to those who come later', async () => {
  const admin = (...args) =>
    execFileSync(binary, ['admin', '--data', join(house.server.folder, 'e2e.db'), ...args], { stdio: 'ignore' });
  const page = await house.person();
  await call(page, 'GET', '/me');
  const { table } = await call(page, 'POST', '/tables', {
    game: 'tic-tac-toe',
    opponent: { kind: 'link' },
    side: 'first',
  });
  await page.goto(`/g/${table}`);
  await page.getByRole('grid').waitFor();
  const text = 'The server restarts at eight.';
  admin('announce', text);
  await page.getByText(text).first().waitFor();
  const later = await house.person();
  await later.goto('/');
  await later.getByText(text).first().waitFor();
  admin('announce', '');
});

// Openings: the choice before a game, Swap2 between two people and against a program, the pie rule, by mouse and keys.

import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';

import { button, call, cell, movesOf, openTable, result, shows, tableOf, useHouse, visit, WIDTHS } from './harness.mjs';

const house = useHouse(['--grace', '1']);
afterEach(() => house.leave());

const choice = (page, name) => page.getByRole('radio', { name: new RegExp(`^${name}`) });
const gold = (page, name) => page.locator('.choose button.main', { hasText: name });
const steps = (page) => page.locator('.steps li[aria-current=step]');

/** Places stones on one screen and waits until they are on both. */
async function place([page, ...others], stones, count) {
  for (const stone of stones) {
    await cell(page, stone).click();
    count++;
    for (const screen of [page, ...others]) await shows(screen, count);
  }
}

for (const width of WIDTHS) {
  describe(`at ${width} px`, () => {
    it('X32: a rated game with Swap2 between two people, with all three choices', async () => {
      const [marta, joan] = [await house.person({ width }), await house.person({ width })];
      for (const [who, name] of [
        [marta, 'Marta'],
        [joan, 'Joan'],
      ])
        await call(who, 'POST', '/account', { name: name + width, password: 'correct horse battery' });
      const clock = { kind: 'game', initial_ms: 600_000, increment_ms: 0 };
      const rated = { game: 'gomoku:15x15x5:swap2', opponent: { kind: 'link' }, clock, rated: true, take_back: false };
      const id = await openTable(marta, rated);
      await joan.goto(`/g/${id}`);
      await button(joan, 'Play').click();
      await marta.getByText('Next stone: Solid').waitFor();
      await place([marta], ['h8'], 0);
      await marta.getByText('Next stone: Outline').waitFor();
      await place([marta, joan], ['i9', 'j7'], 1);

      // The second player reads what was placed, marks, and confirms.
      await joan.getByText('Choose your side.').first().waitFor();
      assert.match(await steps(joan).textContent(), /Choose/);
      await marta.getByText(`Joan${width} chooses a side.`).waitFor();
      assert.equal(await choice(joan, 'Keep your stones').getAttribute('aria-checked'), 'true');
      await joan.keyboard.press('3');
      assert.equal(await choice(joan, 'Add two stones').getAttribute('aria-checked'), 'true');
      await gold(joan, 'Add two stones').click();
      await joan.getByText('Next stone: Outline').waitFor();
      await place([joan, marta], ['a1', 'a15'], 4);

      await choice(marta, 'Swap the stones').click();
      await gold(marta, 'Swap the stones').click();
      await marta.locator('.status', { hasText: 'Your turn' }).waitFor();
      // All stones have changed colour, and both keep their seats.
      assert.match(await cell(marta, 'h8').getAttribute('aria-label'), /^h8, Outline/);
      assert.match(await cell(joan, 'i9').getAttribute('aria-label'), /^i9, Solid/);
      await place([marta, joan], ['h7'], 7);
      assert.deepEqual(await movesOf(marta, id), ['h8', 'i9', 'j7', 'add', 'a1', 'a15', 'swap', 'h7']);

      await call(joan, 'POST', `/tables/${id}/resign`);
      await result(marta).waitFor();
      const ended = await tableOf(marta, id);
      assert.deepEqual([ended.result.winner, ended.settings.rated, ended.result.ratings?.length], ['first', true, 2]);
    });

    it('the opening is chosen before the game, and preset for rated games', async () => {
      const page = await house.person({ width });
      await call(page, 'POST', '/account', { name: `Anna${width}`, password: 'correct horse battery' });
      await visit(page, '/play/gomoku');
      const isChosen = (name) => page.locator(`button[aria-pressed=true]:text-is("${name}")`);
      await isChosen('Free').waitFor();
      await button(page, 'Pie rule').click();
      await page.getByText('After the first move, the other player may take it over.').waitFor();
      await button(page, 'Standard').click();
      await button(page, 'Friend').click();
      await page.getByRole('switch', { name: 'Rated' }).check();
      await isChosen('Swap2').waitFor();
      await isChosen('Freestyle').waitFor();
    });

    it('X32: Swap2 against a level, by keys', async () => {
      const page = await house.person({ width });
      const level = { kind: 'program', name: 'level:1' };
      const id = await openTable(page, { game: 'gomoku:swap2', opponent: level, side: 'second' });
      // The level places three stones; the reader chooses.
      await page.getByText('Choose your side.').first().waitFor();
      await shows(page, 3);
      await page.keyboard.press('2');
      assert.equal(await choice(page, 'Swap the stones').getAttribute('aria-checked'), 'true');
      await page.keyboard.press('1');
      await page.keyboard.press('Enter');
      await page.locator('.status', { hasText: 'Your turn' }).waitFor();
      const taken = await movesOf(page, id);
      assert.equal(taken[3], 'stay');
      await cell(page, taken.includes('o15') ? 'a15' : 'o15').click();
      // The level answers.
      await shows(page, 6);
    });

    it('the pie rule: a swap instead of the second move', async () => {
      const page = await house.person({ width });
      const id = await openTable(page, { game: 'connect-four:pie' }, '4');
      await choice(page, 'Swap the stones').click();
      await gold(page, 'Swap the stones').click();
      await page.locator(`[role=gridcell][aria-label^="d1, Outline"]`).waitFor({ state: 'attached' });
      assert.deepEqual(await movesOf(page, id), ['4', 'swap']);
      await cell(page, 'd6').click();
      await shows(page, 3);
      assert.match(await cell(page, 'd2').getAttribute('aria-label'), /^d2, Solid/);
    });
  });
}

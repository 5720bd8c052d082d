// After a loss: what decided the game, the way back to it, and the next try. A game of two people is decided by known moves,
// so that no luck of a program is needed.

import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';

import {
  board,
  call,
  cell,
  hears,
  makeTable,
  result,
  settle,
  some,
  stand,
  tableOf,
  told,
  useHouse,
  visit,
} from './harness.mjs';

const house = useHouse();
afterEach(() => house.leave());

/** Solid could stop the column and does not: its third move decides. */
const LOST = '3 5 4 5 2 5 7 5';

/** A page that shows a game that its reader has lost; the winner's page too, if it is wanted. */
async function lost(more, moves = LOST, game = 'connect-four') {
  const [loser, winner] = [await house.person(more), await house.person(more)];
  const id = await makeTable(loser, { game, opponent: { kind: 'link' } });
  await call(winner, 'POST', `/tables/${id}/sit`, {});
  for (const [ply, move] of moves.split(' ').entries())
    await call(ply % 2 ? winner : loser, 'POST', `/tables/${id}/make-move`, { ply: ply + 1, move });
  await loser.goto(`/g/${id}`);
  await loser.locator('.result').waitFor();
  return { loser, winner, id };
}

const tab = (page, name) => page.getByRole('group', { name: 'Show' }).getByRole('button', { name, exact: true });

describe('after a loss', () => {
  for (const [game, moves] of [
    ['connect-four', LOST],
    ['tic-tac-toe', 'b1 b3 a2 a1 c2 b2 a3 c3'],
    ['simplexity', '1r 5s 1r 3s 2r 3s 2r 2s 7s 1s 7s 7r 6s 4s'],
    ['gomoku', 'a1 h8 a2 i9 a3 j10 a5 k11 b7 l12'],
    ['gomoku:25x25x5', 'a1 h8 a2 i9 a3 j10 a5 k11 b7 l12'],
  ])
    it(`X1: all of the end is on the first screen of a phone, in ${game}`, async () => {
      const height = 844;
      const { loser: page } = await lost({ width: 390, height, hasTouch: true, isMobile: true }, moves, game);
      await tab(page, 'The moment').waitFor();
      const wanted = [
        result(page).getByRole('heading'),
        result(page).getByText(/was the move$/),
        result(page).getByRole('button', { name: /^Try it/ }),
        result(page).getByRole('button', { name: 'Play again' }),
        result(page).getByRole('link', { name: 'Analyse' }),
        result(page).getByRole('button', { name: 'Share' }),
      ];
      for (const part of wanted) {
        const { y, height: high } = await part.boundingBox();
        assert.ok(y >= 0 && y + high <= height, `${await part.textContent()}: ${y} to ${y + high}`);
      }
    });

  for (const language of some(['ca', 'es', 'pt', 'pt-BR', 'en']))
    it(`X1: where the loss takes two lines to tell, too, in ${language}`, async () => {
      const phone = { width: 390, height: 844, hasTouch: true, isMobile: true, language };
      const { loser: page } = await lost(phone, '1 2 7 3 1 6 7 3 1 1 7 7 1 5 7 4');
      await page.locator('.result .moment').waitFor();
      const { y, height } = await page.locator('.result .next').boundingBox();
      assert.ok(y + height <= 844, `to ${y + height}`);
    });

  it('X2: the moment is the position before the mistake, with one right move; the end is one press away', async () => {
    const { loser: page } = await lost({ width: 1440, height: 900 });
    await tab(page, 'The moment').click();
    await page.locator('.board .right').waitFor({ state: 'attached' });
    // Of eight moves five were made when the sixth of all, the third of Solid's, went wrong or a later one.
    const shown = await page.locator('.board [data-cell]').count();
    assert.ok(shown < 8 && shown % 2 === 0, `${shown} pieces`);
    assert.equal(await page.locator('.board .right .tick').count(), 1);
    assert.equal(await page.locator('.board .wrong').count(), 1);
    await hears(page, /^Before your \d\w\w move\. You played column \d\. Better: column \d\. /);
    assert.match(await result(page).getByRole('heading').textContent(), /^Your \d\w\w move$/);
    await tab(page, 'The end').click();
    await page.locator('.board .thread').waitFor({ state: 'attached' });
    assert.equal(await page.locator('.board [data-cell]').count(), 8);
    // By keys as well.
    await cell(page, 'a1').focus();
    await page.keyboard.press('m');
    await page.locator('.board .right').waitFor({ state: 'attached' });
    await page.keyboard.press('Escape');
    await page.locator('.board .thread').waitFor({ state: 'attached' });
  });

  it('what happened and what was better are pictures, which show their moves on the board; arrows play them on', async () => {
    const { loser: page } = await lost({ width: 1440, height: 900 });
    await tab(page, 'The moment').click();
    await page.locator('.board .right').waitFor({ state: 'attached' });
    const ways = result(page).getByRole('listitem').getByRole('button');
    assert.deepEqual(
      (await ways.locator('b').allTextContents()).map((text) => text.replace(/\d/, 'n')),
      ['What happened', 'With column n'],
    );
    assert.equal(await ways.locator('svg').count(), 2);
    for (const at of [0, 1]) {
      await ways.nth(at).focus();
      await page.locator('.board .follow.played').first().waitFor({ state: 'attached' });
      // The moment itself gives way to the moves.
      assert.equal(await page.locator('.board .right').count(), 0);
      const played = () => page.locator('.board .follow.played').count();
      assert.equal(await played(), 1);
      if (at === 0) {
        await page.keyboard.press('ArrowRight');
        assert.equal(await played(), 2);
        await hears(page, /^column 5$/);
        await page.keyboard.press('ArrowLeft');
        assert.equal(await played(), 1);
      }
      await page.keyboard.press('Escape');
      await page.locator('.board .right').waitFor({ state: 'attached' });
      assert.equal(await page.locator('.board .follow').count(), 0);
    }
  });

  it('X3: Try it begins where it went wrong, with you to move, and knows the way back', async () => {
    const { loser: page, id } = await lost({ width: 1440, height: 900 });
    await tab(page, 'The moment').click();
    await page.locator('.board .right').waitFor({ state: 'attached' });
    const shown = await page.locator('.board [data-cell]').count();
    const [, column] = /Better: column (\d)/.exec(await result(page).locator('.legend').textContent());
    const wanted = `${'abcdefg'[column - 1]}6`;
    await result(page).getByRole('button', { name: 'Try it against the computer' }).click();
    await page.waitForURL((url) => !url.href.endsWith(id) && url.pathname.startsWith('/g/'));
    await page.locator('.status', { hasText: 'Your turn' }).waitFor();
    await stand(page, shown);
    const { settings, you } = await tableOf(page);
    assert.deepEqual([settings.rated, settings.clock.kind, you], [false, 'none', ['first']]);
    await page.getByText(/^From your \d\w\w move$/).waitFor();
    // The right move is praised, and the praise stays.
    await cell(page, wanted).click();
    await hears(page, 'Yes, that is the move.');
    await page.getByText('Yes, that is the move.').first().waitFor();
    await page.getByRole('link', { name: 'Back to that game' }).click();
    await page.waitForURL(`**/g/${id}`);
    await board(page).waitFor();
  });

  it('a missed block is named, by who lost and by who comes back', async () => {
    // Outline's column stands open at Solid's fifth move, and again at the last one.
    const { loser: page } = await lost({ width: 390, height: 844 }, '1 1 3 2 1 2 7 2 6 3 4 2');
    const said = async () => {
      await result(page).getByText('Column 2 was the move').waitFor();
      return result(page).innerText();
    };
    const first = await said();
    for (const sentence of ['It blocks the column.', 'At the end you could still block: column 2.'])
      assert.ok(first.includes(sentence), first);
    // It is looked for once, and kept.
    const reviews = () => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/api/review'));
    assert.equal(await page.evaluate(`(${reviews})().length`), 1);
    const asked = [];
    page.on('request', (request) => /\/api\/(review|analysis)/.test(request.url()) && asked.push(request.url()));
    await page.reload();
    assert.equal(await said(), first);
    assert.deepEqual(asked, []);
  });

  it('X4: the cards stand close, and the list shows five moves with the decisive one marked', async () => {
    const { loser: page } = await lost({ width: 1440, height: 900 }, `6 1 6 1 ${LOST}`);
    await page.locator('.turn.wrong').waitFor();
    await settle(page);
    const { gaps, rows } = await page.evaluate(() => {
      const box = (part) => document.querySelector(part).getBoundingClientRect();
      const list = box('.moves');
      return {
        gaps: box('.tab-moves').top - box('.result').bottom,
        rows: [...document.querySelectorAll('.moves li')].filter((row) => {
          const { top, bottom } = row.getBoundingClientRect();
          return top >= list.top - 1 && bottom <= list.bottom + 1;
        }).length,
      };
    });
    assert.ok(gaps >= 0 && gaps <= 24, `a gap of ${gaps} px`);
    assert.ok(rows >= 5, `${rows} moves`);
  });

  for (const [width, height] of [
    [1440, 900],
    [1366, 657],
  ])
    it(`X4, X6: with the eye on nothing is cut or covered at ${width} × ${height}, and nothing thinks at the end`, async () => {
      const { loser: page } = await lost({ width, height, chosen: { evaluate: true } }, `6 1 6 1 6 1 ${LOST}`);
      await tab(page, 'The moment').waitFor();
      for (const look of ['The end', 'The moment', undefined]) {
        if (look) await tab(page, look).click();
        else await page.locator('.moves li button').nth(2).click();
        await settle(page);
        if (look) assert.equal(await page.getByText('Thinking…').count(), 0);
        const faults = await page.evaluate(() => {
          const box = (part) => document.querySelector(part).getBoundingClientRect();
          const [list, nav, bar, moves] = ['.tab-moves', '.tab-moves .nav', '.bar.bottom', '.tab-moves .moves'].map(
            box,
          );
          const rows = [...document.querySelectorAll('.tab-moves .moves li')].map((row) => row.getBoundingClientRect());
          const half = rows.filter(({ top, bottom }) => top < moves.top - 1 && bottom > moves.top + 1).length;
          const isUnder = moves.top < nav.bottom - 1 && nav.top < moves.bottom - 1;
          const apart = list.bottom <= bar.top + 1 || list.left >= bar.right;
          const results = document.querySelectorAll('.board .columns i');
          return { isWhole: nav.bottom <= list.bottom + 1, apart, half, isUnder, results: results.length };
        });
        assert.deepEqual(
          faults,
          { isWhole: true, apart: true, half: 0, isUnder: false, results: 0 },
          look ?? 'another move',
        );
      }
    });

  it('X5: the result is said once, with names', async () => {
    const page = await house.person();
    const id = await makeTable(page, { game: 'connect-four' }, LOST.slice(0, -2));
    await page.goto(`/g/${id}`);
    await cell(page, 'e6').click();
    await result(page).waitFor();
    await hears(page, /Outline has 4 in a line/);
    assert.doesNotMatch(await told(page), /[Ll]oses in/);
    assert.doesNotMatch(await page.locator('main').innerText(), /(^|\n)Loses in \d+/);
    // Elsewhere it is news no more.
    await visit(page, '/');
    assert.equal(await told(page), '');
  });
});

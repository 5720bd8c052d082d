// Playing at one screen: every way to move, every way to win, and what the page says about it.

import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';

import {
  action,
  atOne,
  board,
  button,
  call,
  cell,
  dialog,
  GAMES,
  hand,
  hears,
  movesOf,
  openTable,
  pieces,
  result,
  shows,
  stand,
  tableOf,
  told,
  useHouse,
  visit,
  WIDTHS,
} from './harness.mjs';

const house = useHouse();
afterEach(() => house.leave());
/** Where movement is not the point, nothing has to be waited for. */
const STILL = { reducedMotion: 'reduce' };

for (const width of WIDTHS) {
  describe(`at ${width} px`, () => {
    const once = atOne(width);
    it('W1: two clicks from home to a game against a program, in every game', async () => {
      const page = await house.person({ width });
      for (const at of GAMES.keys()) {
        await visit(page, '/');
        await page.getByRole('group', { name: 'Game' }).getByRole('button').nth(at).click();
        await page.getByRole('button', { name: /^Play the computer/ }).click();
        await page.waitForURL(/\/g\//);
        await board(page).waitFor();
        await page.locator('.status', { hasText: 'Your turn' }).waitFor();
      }
    });

    it('W2: drops by mouse, keys and typing', async () => {
      const page = await house.person({ width });
      const id = await openTable(page, { game: 'connect-four' });
      await cell(page, 'd4').click();
      await shows(page, 1);
      await page.keyboard.press('2');
      await shows(page, 2);
      await page.keyboard.press('Home');
      await page.keyboard.press('Enter');
      await shows(page, 3);
      await page.getByLabel('Type a move').fill('7');
      await page.keyboard.press('Enter');
      await shows(page, 4);
      assert.deepEqual(await movesOf(page, id), ['4', '2', '1', '7']);
    });

    it('W2: drops by touch', async () => {
      const page = await house.person({ width, hasTouch: true });
      const id = await openTable(page, { game: 'connect-four' });
      await cell(page, 'c5').tap();
      await shows(page, 1);
      assert.deepEqual(await movesOf(page, id), ['3']);
    });

    it('W2: places stones on a large board by mouse, keys and typing, against a program', async () => {
      const page = await house.person({ width });
      const id = await openTable(page, { game: 'gomoku', opponent: { kind: 'program', name: 'level:1' } });
      await cell(page, 'h8').click();
      await stand(page, 2);
      await cell(page, 'h8').focus();
      const taken = await movesOf(page, id);
      const [keys, free] = taken.includes('h9') ? [['ArrowDown'], 'h7'] : [['ArrowUp'], 'h9'];
      for (const key of [...keys, 'Enter']) await page.keyboard.press(key);
      await shows(page, 4);
      await stand(page, 4);
      const typed = (await movesOf(page, id)).includes('o15') ? 'n14' : 'o15';
      await page.getByLabel('Type a move').fill(typed);
      await page.keyboard.press('Enter');
      await shows(page, 6);
      const moves = await movesOf(page, id);
      assert.deepEqual([moves[0], moves[2], moves[4]], ['h8', free, typed]);
      assert.equal(await page.locator('.last:not(.case)').count(), 1);
      await page
        .locator(`[role=gridcell][aria-label^="${moves[5]},"][aria-label*="last move"]`)
        .waitFor({ state: 'attached' });
    });

    it('W3: the ghost lands where the piece lands, and is gone after the end', async () => {
      const page = await house.person({ width, ...STILL });
      for (const [game, moves, target, lands] of [
        ['connect-four', '4 4 5 5 6 6', 'c6', 'c1'],
        ['simplexity', '1r 1s 2s 2s 3r 3s', 'd6', 'd1'],
        ['chess-five', 'R@a R@a N@b R@b B@c N@c Q@d N@d', 'e8', 'e1'],
        ['tic-tac-toe', 'a1 a2 b1 b2', 'c1', 'c1'],
        ['gomoku', 'h8 a1 i9 a2 j10 a3 k11 a4', 'l12', 'l12'],
      ]) {
        await openTable(page, { game }, moves);
        await cell(page, target).hover();
        const ghost = page.locator('.ghost');
        await ghost.locator('> *').waitFor();
        const place = await ghost.getAttribute('transform');
        await cell(page, target).click();
        await result(page).waitFor();
        const landed = await page
          .locator(`[data-cell=${lands}]`)
          .evaluate((piece) => piece.closest('.at').getAttribute('transform'));
        assert.equal(landed, place, game);
        await cell(page, 'a1').hover();
        await ghost.waitFor({ state: 'hidden' });
      }
    });

    const WINS = {
      'tic-tac-toe': [
        ['a1 a2 b1 b2', ['c1'], 'X has 3 in a line along a row, a1 to c1.'],
        ['a1 b1 a2 b2', ['a3'], 'X has 3 in a line up a column, a1 to a3.'],
        ['a1 b1 b2 c2', ['c3'], 'X has 3 in a line along a rising diagonal, a1 to c3.'],
        ['a3 b1 b2 c2', ['c1'], 'X has 3 in a line along a falling diagonal, a3 to c1.'],
      ],
      'connect-four': [
        ['4 4 5 5 6 6', ['c1'], 'Solid has 4 in a line along a row, column 3 (row 1) to column 6 (row 1).'],
        ['4 5 4 5 4 5', ['d4'], 'Solid has 4 in a line up a column, column 4 (row 1) to column 4 (row 4).'],
        [
          '1 2 2 3 3 4 3 4 4 6',
          ['d4'],
          'Solid has 4 in a line along a rising diagonal, column 1 (row 1) to column 4 (row 4).',
        ],
        [
          '7 6 6 5 5 4 5 4 4 2',
          ['d4'],
          'Solid has 4 in a line along a falling diagonal, column 4 (row 4) to column 7 (row 1).',
        ],
      ],
      simplexity: [
        [
          '1r 1s 2s 2s 3r 3s',
          ['square', 'd1'],
          'Solid has 4 in a line by colour along a row, column 1 (row 1) to column 4 (row 1).',
        ],
        [
          '1r 2s 1s 3r 1r 5s',
          ['square', 'a4'],
          'Solid has 4 in a line by colour up a column, column 1 (row 1) to column 1 (row 4).',
        ],
        [
          '1r 2s 2s 3r 3r 4s 3r 4r 4s 6s',
          ['square', 'd4'],
          'Solid has 4 in a line by colour along a rising diagonal, column 1 (row 1) to column 4 (row 4).',
        ],
        [
          '7r 6s 6s 5r 5r 4s 5r 4r 4s 2s',
          ['square', 'd4'],
          'Solid has 4 in a line by colour along a falling diagonal, column 4 (row 4) to column 7 (row 1).',
        ],
      ],
      'chess-five': [
        ['R@a R@a N@b R@b B@c N@c Q@d N@d', ['king', 'e5'], 'Solid has 5 in a line along a row, a1 to e1.'],
        ['R@a R@b R@a R@c N@a N@e N@a N@f', ['bishop', 'a8'], 'Solid has 5 in a line up a column, a1 to a5.'],
        [
          'nb2qk1r/8/2N5/8/3Q4/2K5/1B6/R7[] w',
          ['c6', 'e5'],
          'Solid has 5 in a line along a rising diagonal, a1 to e5.',
        ],
        [
          'nb2qk1r/8/8/R7/1B6/2K2N2/3Q4/8[] w',
          ['f3', 'e1'],
          'Solid has 5 in a line along a falling diagonal, a5 to e1.',
        ],
      ],
      gomoku: [
        ['f8 a1 g8 a2 h8 a3 i8 a4', ['j8'], 'Solid has 5 in a line along a row, f8 to j8.'],
        ['o11 a1 o12 a2 o13 a3 o14 a4', ['o15'], 'Solid has 5 in a line up a column, o11 to o15.'],
        ['a1 a8 b2 b8 c3 e8 d4 f8', ['e5'], 'Solid has 5 in a line along a rising diagonal, a1 to e5.'],
        ['k5 a1 l4 a2 m3 a3 n2 a4', ['o1'], 'Solid has 5 in a line along a falling diagonal, k5 to o1.'],
      ],
      popout: [
        [
          '7/7/7/3x3/xxxo3/oxox2o w',
          ['d1', 'd1'],
          'Solid has 4 in a line along a row, column 1 (row 2) to column 4 (row 2).',
        ],
        ['4 5 4 5 4 5', ['d6'], 'Solid has 4 in a line up a column, column 4 (row 1) to column 4 (row 4).'],
      ],
      dummy: [['a1 a2 b1 b2', ['c1'], 'Solid has 3 in a line along a row, a1 to c1.']],
    };
    for (const game of GAMES) {
      (game === GAMES[1] ? it : once)(
        `W5: ${game} won in every direction: the line, the result, the words`,
        async () => {
          assert.ok(WINS[game], `WINS lacks ${game}`);
          const won = async (page, [before, steps, how]) => {
            if (before.includes('/')) await openTable(page, { game, position: before });
            else await openTable(page, { game }, before);
            for (const step of steps) await (/\d/.test(step) ? cell(page, step) : hand(page, step)).click();
            await result(page).getByText(how).waitFor();
            await hears(page, how);
            const count = Number(/\d/.exec(how)[0]);
            assert.equal(await page.locator('.winners .at.winning').count(), count);
            assert.equal(await page.locator('.thread .cord').count(), 1);
            assert.equal(await page.locator('[role=gridcell][aria-label*="winning line"]').count(), count);
            // The line is whole, its pieces too, and the result stands beside or below the board, never over it.
            const [end, field, ...line] = await page.evaluate(() => {
              const box = (part) =>
                (({ left, top, right, bottom }) => ({ left, top, right, bottom }))(part.getBoundingClientRect());
              return [
                ...document.querySelectorAll('.result'),
                ...document.querySelectorAll('.board'),
                ...document.querySelectorAll('.thread .cord, .winners [data-cell]'),
              ].map(box);
            });
            assert.ok(end.top >= field.bottom || end.left >= field.right, 'the result covers the board');
            assert.equal(line.length, count + 1);
            for (const { left, top, right, bottom } of line)
              assert.ok(
                left >= field.left && right <= field.right && top >= field.top && bottom <= field.bottom,
                `${how} is cut: ${JSON.stringify([line, field])}`,
              );
          };
          // Two screens at a time: most of it is waiting for the end to be told.
          const half = async (wins) => {
            const page = await house.person({ width, ...STILL });
            for (const win of wins) await won(page, win);
          };
          await Promise.all([half(WINS[game].slice(0, 2)), half(WINS[game].slice(2))]);
        },
      );
    }

    once('W6: Simplexity by colour, by shape, and lost by the own move', async () => {
      const page = await house.person({ width, ...STILL });
      await openTable(page, { game: 'simplexity' }, '1r 1s 2s 2s 3r 3s');
      await hand(page, 'square').click();
      await cell(page, 'd1').click();
      await result(page).waitFor();
      assert.match(await result(page).textContent(), /Solid has 4 in a line by colour/);

      await openTable(page, { game: 'simplexity' }, '1r 2r 7s 3r');
      await hand(page, 'round').click();
      await cell(page, 'd3').click();
      await result(page).waitFor();
      assert.match(await result(page).textContent(), /Solid has 4 in a line by shape \(round\)/);

      await openTable(page, { game: 'simplexity' }, '1r 7s 2s 6s 3r 5s');
      await hand(page, 'square').click();
      await cell(page, 'd1').click();
      await dialog(page).getByText('completes a line for your opponent').waitFor();
      await button(page, 'Play it').click();
      await result(page).getByText('Solid completed 4 in a line by shape (square) for Outline').waitFor();
    });

    once('W7: ChessFive drops, then moves; dots are the legal moves; both phases can be won', async () => {
      const page = await house.person({ width, ...STILL });
      await openTable(page, { game: 'chess-five' }, 'R@a R@a N@b R@b B@c N@c Q@d N@d');
      await page.locator('li[aria-current=step]', { hasText: 'Drop 8/16' }).waitFor();
      assert.equal(await page.locator('circle.dot').count(), 0);
      await hand(page, 'king').click();
      await cell(page, 'e5').click();
      await result(page).getByText('Solid has 5 in a line along a row, a1 to e1').waitFor();
      const id = await openTable(page, { game: 'chess-five', position: 'nb2qk1r/8/8/8/8/2N5/8/RBK1Q3[] w' });
      await page.locator('li[aria-current=step]', { hasText: 'Move' }).waitFor();
      const { legal } = await tableOf(page, id);
      for (const own of ['c3', 'b1', 'c1', 'e1', 'a1']) {
        await cell(page, own).click();
        await page.locator(`[role=gridcell][aria-selected=true][aria-label^="${own},"]`).waitFor();
        const wanted = legal
          .filter(({ from }) => from === own)
          .map(({ to }) => to)
          .sort();
        const dots = await page
          .locator('[role=gridcell][aria-label*="legal move"]')
          .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('aria-label').split(',')[0]).sort());
        assert.deepEqual(dots, wanted, own);
        assert.equal(await page.locator('circle.dot').count(), wanted.length);
      }
      await cell(page, 'c3').click();
      await cell(page, 'd1').click();
      await result(page).getByText('Solid has 5 in a line along a row, a1 to e1').waitFor();
    });

    it('W14: the list of moves leads through the game, and a live move does not steal the view', async () => {
      const page = await house.person({ width, ...STILL });
      const id = await openTable(page, { game: 'connect-four' }, '4 4 5 5');
      // On small screens the list is a sheet.
      if (width < 500) await action(page, 'Moves');
      // The second step does not wait for the boards that the first asks for.
      let release;
      const held = new Promise((done) => (release = done));
      await page.route('**/api/position', (route) => held.then(() => route.continue()));
      await button(page, 'Back').click();
      await button(page, 'Back').click();
      release();
      if (width < 500) await page.locator('.side .close').click();
      await stand(page, 2);
      await call(page, 'POST', `/tables/${id}/make-move`, { ply: 5, move: '1' });
      await shows(page, 5);
      assert.equal(await pieces(page).count(), 2);
      await page.getByRole('button', { name: /Back to the game/ }).click();
      await stand(page, 5);
      await cell(page, 'a1').focus();
      await page.keyboard.press('{');
      await stand(page, 0);
      await page.keyboard.press(']');
      await stand(page, 1);
    });

    it('W9: a reload in the middle goes on where it was', async () => {
      const page = await house.person({ width });
      await openTable(page, { game: 'connect-four' }, '4 4 5');
      await page.reload();
      await shows(page, 3);
      await cell(page, 'a1').click();
      await shows(page, 4);
      await page.goto('/');
      await page.getByRole('link', { name: /^Continue/ }).click();
      await shows(page, 4);
    });

    it('W8: takes back, hints twice, resigns, plays again', async () => {
      const page = await house.person({ width });
      await openTable(page, { game: 'connect-four', opponent: { kind: 'program', name: 'random' } }, '');
      await cell(page, 'd1').click();
      await shows(page, 2);
      await button(page, 'Take back').click();
      await shows(page, 0);
      await button(page, 'Hint').click();
      await page.locator('.lit').first().waitFor();
      await button(page, 'Hint').click();
      await page.locator('path.arrow').waitFor();
      await cell(page, 'd1').click();
      await shows(page, 2);
      await action(page, 'Resign');
      await dialog(page).getByText('Your opponent will win.').waitFor();
      await dialog(page).getByRole('button', { name: 'Resign' }).click();
      await result(page).getByRole('heading', { name: 'You resigned.' }).waitFor();
      await hears(page, /wins\. You resigned\./);
      const before = page.url();
      await result(page).getByRole('button', { name: 'Play again' }).click();
      await page.waitForURL((url) => url.href !== before && url.pathname.startsWith('/g/'));
      await page.locator('.status', { hasText: /to move|Your turn/ }).waitFor();
    });

    once(
      'the rule set of Gomoku is chosen before the game; forbidden cells are marked, named and refused',
      async () => {
        const page = await house.person({ width, ...STILL });
        await visit(page, '/play/gomoku');
        await button(page, 'Same screen').click();
        await button(page, 'Renju').click();
        await page.getByText('The first player wins with exactly five').waitFor();
        await page.locator('form button.main').click();
        await page.waitForURL(/\/g\//);
        await page.getByText('Gomoku, Renju').first().waitFor({ state: 'attached' });

        await openTable(page, { game: 'gomoku:15x15x5:renju' }, 'h9 a1 h10 a3 f8 a5 g8 a7');
        await cell(page, 'h8').click();
        await hears(page, 'h8 is forbidden: it would make two open threes at once.');
        await shows(page, 8);
        assert.match(await cell(page, 'h8').getAttribute('aria-label'), /^h8, forbidden: two open threes at once/);
        assert.equal(await page.locator('.board .forbidden').count(), 1);
        await cell(page, 'h11').click();
        await shows(page, 9);
        await page.locator('.board .forbidden').waitFor({ state: 'detached' });
      },
    );

    once('PopOut: a piece at the bottom is chosen and pressed again to leave, or another cell drops', async () => {
      const page = await house.person({ width, ...STILL });
      const id = await openTable(page, { game: 'popout' }, '4 5 4 5');
      await page.locator('.status', { hasText: 'choose a column, or one of your discs at the bottom.' }).waitFor();
      await cell(page, 'd1').click();
      await hears(page, 'Solid at the bottom: press it again to take it out.');
      await cell(page, 'd6').click();
      await shows(page, 5);
      await cell(page, 'e1').click();
      await cell(page, 'e1').click();
      await shows(page, 6);
      assert.deepEqual(await movesOf(page, id), ['4', '5', '4', '5', '4', '5p']);
      assert.match(await cell(page, 'e1').getAttribute('aria-label'), /^e1, Outline/);
      assert.match(await cell(page, 'e2').getAttribute('aria-label'), /^e2, empty/);
      await page.keyboard.press('4');
      await shows(page, 7);
      await result(page).waitFor();
    });

    once('the analysis names the rules of Gomoku, and keeps them with another size', async () => {
      const page = await house.person({ width, ...STILL });
      await visit(page, '/analysis/gomoku:15x15x5:renju?m=h8');
      const rules = page.getByLabel('Rules');
      assert.equal(await rules.inputValue(), 'renju');
      await page.locator('.sizes summary').click();
      await page.locator('.sizes button', { hasText: '19' }).click();
      await page.waitForURL(/gomoku(:|%3A)19x19x5(:|%3A)renju/);
      await rules.selectOption('standard');
      await page.waitForURL(/gomoku(:|%3A)19x19x5(:|%3A)standard/);
    });

    it('W29: boards of 3×3 to 25×25 fit or scroll', async () => {
      const page = await house.person({ width, ...STILL });
      const games = [
        'gomoku:15x15x5',
        'gomoku:25x25x5',
        ...['7x6x4', '3x3x3', '12x10x4', '16x16x5'].map((size) => `connect-four:${size}`),
      ];
      for (const game of games) {
        await openTable(page, { game });
        const size = game.split(':')[1];
        const [rows, cols] = size.split('x').map(Number);
        assert.equal(await page.getByRole('gridcell').count(), rows * cols);
        const smallest = await page
          .getByRole('gridcell')
          .first()
          .evaluate((cell) => Math.min(cell.getBoundingClientRect().width, cell.getBoundingClientRect().height));
        assert.ok(smallest >= 23.9, `${size}: cells of ${smallest} px`);
        assert.ok(
          await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
          `${size} scrolls sideways`,
        );
        const names = await page
          .locator('.board text.name')
          .evaluateAll((names) => names.map((name) => name.getBoundingClientRect().height));
        assert.ok(
          names.every((height) => height >= 9),
          `${size}: names of ${Math.min(...names)} px`,
        );
        await cell(page, 'c1').click();
        await shows(page, 1);
      }
      // The last one has more than nine columns: two digits, or typed.
      for (const digit of '12') await page.keyboard.press(digit);
      await shows(page, 2);
      await page.keyboard.press('/');
      await page.keyboard.type('16');
      await page.keyboard.press('Enter');
      await shows(page, 3);
      assert.deepEqual(await movesOf(page, page.url().split('/').at(-1)), ['3', '12', '16']);
      // The columns stay over their cells when the board scrolls.
      const shift = await page.evaluate(() => {
        document.querySelector('.board').scrollLeft = 50;
        const [name, last] = ['.columns span:last-child', '[role=row]:last-child [role=gridcell]:last-child'].map(
          (part) => document.querySelector(part).getBoundingClientRect(),
        );
        return Math.abs(name.x - last.x);
      });
      assert.ok(shift < 2, `the names of columns are ${shift} px off`);
    });
  });
}

// The same at any width.

it('W2: chooses what to drop by keys, in the letters of the language', async () => {
  const page = await house.person();
  let id = await openTable(page, { game: 'simplexity' });
  await cell(page, 'd1').focus();
  for (const key of ['s', '4']) await page.keyboard.press(key);
  await shows(page, 1);
  for (const key of ['s', '2']) await page.keyboard.press(key);
  await shows(page, 2);
  assert.deepEqual(await movesOf(page, id), ['4s', '2r']);
  const catalan = await house.person({ language: 'ca' });
  id = await openTable(catalan, { game: 'chess-five' });
  // The letters of the language come with the other words, after the board.
  await button(catalan, 'Pista').waitFor();
  await cell(catalan, 'd1').focus();
  for (const key of ['r', '3']) await catalan.keyboard.press(key);
  await shows(catalan, 1);
  assert.deepEqual(await movesOf(catalan, id), ['K@c']);
});

it('W3: the ghost goes with the keys too', async () => {
  const page = await house.person();
  await openTable(page, { game: 'connect-four' }, '4 4 5');
  await cell(page, 'd6').focus();
  await page.keyboard.press('ArrowRight');
  const place = await page.locator('.ghost').getAttribute('transform');
  assert.ok(await page.locator('.ghost > *').isVisible());
  await page.keyboard.press('Enter');
  await shows(page, 4);
  assert.equal(
    await page.locator('[data-cell=e2]').evaluate((piece) => piece.closest('.at').getAttribute('transform')),
    place,
  );
  assert.ok(await page.locator('.ghost').isHidden());
});

it('W4: a full column is refused in words, and nothing is sent', async () => {
  const page = await house.person();
  const id = await openTable(page, { game: 'connect-four' }, '1 1 1 1 1 1');
  await cell(page, 'a3').click();
  await page.locator('.status', { hasText: 'Column 1 is full.' }).waitFor();
  assert.equal((await told(page)).trim(), 'Column 1 is full.');
  assert.equal((await movesOf(page, id)).length, 6);
  await cell(page, 'b1').click();
  await shows(page, 7);
});

it('W30: two tabs with the same game agree', async () => {
  const page = await house.person();
  const id = await openTable(page, { game: 'tic-tac-toe' });
  const other = await page.context().newPage();
  await other.goto(`/g/${id}`);
  await cell(page, 'b2').click();
  await shows(other, 1);
  await cell(other, 'a1').click();
  await shows(page, 2);
  assert.deepEqual(await movesOf(page, id), ['b2', 'a1']);
});

it('W7: the last of sixteen drops begins the moves', async () => {
  const page = await house.person({ ...STILL });
  await openTable(page, { game: 'chess-five' }, 'R@a N@b R@c N@d N@e R@f N@g R@h B@a B@b B@c B@d Q@e Q@f K@g');
  await page.locator('li[aria-current=step]', { hasText: 'Drop 15/16' }).waitFor();
  await cell(page, 'h8').click();
  await shows(page, 16);
  await page.locator('li[aria-current=step]', { hasText: 'Move' }).waitFor();
  await page.locator('.status', { hasText: 'choose a piece' }).waitFor();
  await hears(page, /All pieces are on the board\. From now on, they move\. Solid to move\./);
});

// Understanding and watching: why, evaluation, analysis, review, programs among themselves, lessons.

import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';

import {
  action,
  atOne,
  board,
  button,
  call,
  cell,
  hand,
  movesOf,
  openTable,
  pieces,
  result,
  shows,
  stand,
  useHouse,
  visit,
  WIDTHS,
} from './harness.mjs';

const house = useHouse();
afterEach(() => house.leave());

const showTab = async (page, name) => {
  if (!(await page.locator('.side').isVisible())) await action(page, name);
};

for (const width of WIDTHS) {
  describe(`at ${width} px`, () => {
    const once = atOne(width);
    it('W15: after the move of a program the page says why', async () => {
      const page = await house.person({ width });
      await openTable(page, { game: 'connect-four', opponent: { kind: 'program', name: 'smart:4' } });
      await cell(page, 'd1').click();
      await shows(page, 2);
      await showTab(page, 'Why');
      await page.getByText(/Why did Smart 4 play \d\?/).waitFor();
      await page
        .getByRole('listitem')
        .getByText(/It expects this: \d, then \d/)
        .waitFor();
    });

    once('W15: the choice index stands on dials on the cells of tic-tac-toe', async () => {
      const page = await house.person({ width });
      await openTable(page, { game: 'tic-tac-toe', opponent: { kind: 'program', name: 'choice-index:hard' } });
      await cell(page, 'b2').click();
      await shows(page, 2);
      await page.locator('text.note').first().waitFor();
      // Each cell that was free, the chosen one among them; zero is muted and has no arc.
      const dials = await page.locator('.dial').evaluateAll((dials) =>
        dials.map((dial) => ({
          index: Number(dial.querySelector('.note').textContent),
          arc: dial.querySelector('.arc')?.getAttribute('stroke-dasharray'),
          kind: dial
            .getAttribute('class')
            .split(' ')
            .filter((name) => ['zero', 'chosen'].includes(name))
            .join(),
        })),
      );
      assert.equal(dials.length, 8);
      assert.equal(dials.filter(({ kind }) => kind.includes('chosen')).length, 1);
      for (const { index, arc, kind } of dials)
        assert.deepEqual([arc, kind.includes('zero')], [index > 0 ? `${index} 20` : undefined, index <= 0]);
    });

    once('W15: the terms of the evaluation of ChessFive are shown', async () => {
      const page = await house.person({ width });
      await openTable(page, { game: 'chess-five', opponent: { kind: 'program', name: 'chess-five:medium' } });
      await cell(page, 'd1').click();
      await shows(page, 2);
      await showTab(page, 'Why');
      await page.locator('summary', { hasText: 'Details' }).click();
      await page.getByRole('rowheader', { name: 'centre' }).waitFor();
    });

    it('W15: analysis has a bar, lines, reasons, verdicts of columns; the address reproduces it', async () => {
      const page = await house.person({ width });
      // A small board, which is solved at once on any machine.
      await page.goto('/analysis/connect-four:4x6x4?m=3+1+4+1');
      await page.locator('.lines li').first().waitFor();
      await page.getByRole('meter', { name: 'Evaluation' }).waitFor();
      await page.getByText(/^Why \d\?$/).waitFor();
      await page.locator('.columns .win').first().waitFor();
      await page.locator('path.arrow').waitFor();
      // A reason shows the cells it speaks of.
      const reason = page.locator('.reasons button').first();
      await reason.focus();
      await page.locator('.board .faded').first().waitFor({ state: 'attached' });
      await reason.blur();
      await page.locator('.board .faded').first().waitFor({ state: 'detached' });
      // A line shows its moves on the board; the arrows play it on, Escape leaves it.
      const line = page.locator('.lines button').first();
      await line.locator('.thumb .follow').nth(2).waitFor();
      await line.focus();
      await page.locator('.board .follow').nth(2).waitFor({ state: 'attached' });
      assert.equal(await page.locator('.board .follow.played').count(), 1);
      await page.keyboard.press('ArrowRight');
      assert.equal(await page.locator('.board .follow.played').count(), 2);
      await page.keyboard.press('Escape');
      await page.locator('.board .follow').first().waitFor({ state: 'detached' });
      await cell(page, 'e1').click();
      await shows(page, 5);
      const address = page.url();
      assert.match(decodeURIComponent(address), /m=3\+1\+4\+1\+5/);
      const other = await house.person({ width });
      await other.goto(address);
      await shows(other, 5);
      await stand(other, 5);
      const named = (page) =>
        page.getByRole('gridcell').evaluateAll((cells) => cells.map((cell) => cell.getAttribute('aria-label')));
      assert.deepEqual(await named(other), await named(page));
      await button(other, 'To the start').click();
      await stand(other, 0);
    });

    once('W15: a game is imported, reviewed, and its course drawn', async () => {
      const page = await house.person({ width });
      await page.goto('/analysis/connect-four');
      await board(page).waitFor();
      await button(page, 'Import…').click();
      await page.getByLabel(/A game as text/).fill('[Game "connect-four:6x7x4"]\n\n1. 4 4 2. 5 1 3. 3 1 4. 6 1-0');
      await button(page, 'Import').click();
      await shows(page, 7);
      await button(page, 'Review the game').click();
      await page.locator('figure polyline').waitFor({ timeout: 60_000 });
      await page.locator('.moves .mark').first().waitFor();
      await page.locator('figure circle.mark').first().waitFor();
      // The graph leads through the game, by keys too.
      const slider = page.getByRole('slider', { name: 'Move' });
      await slider.focus();
      await page.keyboard.press('Home');
      await stand(page, 0);
      await page.keyboard.press('ArrowRight');
      await stand(page, 1);
    });

    once('W15: a position is exported and imported', async () => {
      const page = await house.person({ width, permissions: ['clipboard-read', 'clipboard-write'] });
      await page.goto('/analysis/chess-five?m=R@a+N@b+Q@c');
      await stand(page, 3);
      await button(page, 'Copy position').click();
      await page.getByText('Copied.').first().waitFor();
      const position = await page.evaluate(() => navigator.clipboard.readText());
      await page.goto('/analysis/chess-five');
      await button(page, 'Import…').click();
      await page.getByLabel(/A game as text/).fill(position);
      await button(page, 'Import').click();
      await stand(page, 3);
      assert.equal(new URL(page.url()).searchParams.get('p'), position);
    });

    it('W16: two programs play: pause, step, speed, and back to the present', async () => {
      const page = await house.person({ width });
      await page.goto('/watch');
      // A game that is not over before the pause, however busy the machine is.
      await button(page, 'Gomoku').click();
      for (const id of ['#first', '#second']) await page.locator(id).selectOption('random');
      await button(page, 'Watch them play').click();
      await board(page).waitFor();
      await button(page, 'Pause').click();
      await button(page, 'Resume').waitFor();
      const id = page.url().split('/').at(-1);
      const before = (await movesOf(page, id)).length;
      await button(page, 'Step').click();
      // A move that was thought of before the pause may still come.
      await page.waitForFunction((count) => document.querySelectorAll('.moves li button').length > count, before);
      for (const speed of ['½×', '1×', '2×', '4×']) {
        await button(page, speed).click();
        await page.locator('.pace button[aria-pressed=true]', { hasText: speed }).waitFor();
      }
      await button(page, 'Resume').click();
      await page.waitForFunction((count) => document.querySelectorAll('.moves li button').length > count, before + 2);
      // Who looks back stays there while the game goes on, and is led back.
      await cell(page, 'a1').focus();
      await page.keyboard.press('{');
      const back = page.getByRole('button', { name: /Back to the game/ });
      await back.waitFor();
      const seen = (await movesOf(page, id)).length;
      await page.waitForFunction((count) => document.querySelectorAll('.moves li button').length > count, seen);
      assert.equal(await pieces(page).count(), 0);
      await back.click();
      await page.waitForFunction((count) => document.querySelectorAll('.board [data-cell]').length > count, seen);
    });

    once('teaches every game in steps that can be played', async () => {
      const page = await house.person({ width, reducedMotion: 'reduce' });
      const { LESSONS } = await lessons();
      for (const [game, steps] of Object.entries(LESSONS)) {
        await visit(page, `/learn/${game}`);
        for (const [number, step] of steps.entries()) {
          await page.getByRole('button', { name: `Step ${number + 1} of ${steps.length}` }).click();
          await page.locator('.page[aria-busy=false]').waitFor();
          const move = await rightMove(page, step);
          if (move.from) await cell(page, move.from).click();
          if (await hand(page, move.kind).count()) await hand(page, move.kind).click();
          await cell(page, move.to).click();
          await page.locator('.status.right').waitFor();
        }
        // X31: the end names the one thing to remember, and leads to a game and to the next lesson.
        await page.getByRole('heading', { name: /^You know / }).waitFor();
        await page.getByText('Remember:').waitFor();
        await button(page, 'Play it against Dot').waitFor();
        await page.getByRole('link', { name: /Next to learn/ }).waitFor();
      }
      const all = Object.keys(LESSONS).length;
      await page.getByRole('link', { name: `${all} of ${all} games` }).waitFor();
      await button(page, 'Play it against Dot').click();
      await page.locator('.status', { hasText: /Your turn|to move/ }).waitFor();
    });
  });
}

it('a step of a lesson is played on its own position, never on that of the step before', async () => {
  const page = await house.person();
  const ready = page.locator('.page[aria-busy=false]');
  const { LESSONS } = await lessons();
  await visit(page, '/learn/tic-tac-toe');
  await ready.waitFor();
  const before = await rightMove(page, LESSONS['tic-tac-toe'][0]);
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await page.route('**/api/position', (route) => held.then(() => route.continue()));
  await page.getByRole('button', { name: /^Step 2 of/ }).click();
  await page.locator('.page[aria-busy=true]').waitFor();
  await cell(page, before.to).click({ force: true });
  release();
  await ready.waitFor();
  assert.equal(await page.locator('.status').textContent(), '');
});

it('X11: a first game has no clock and no verdict; the eye is offered once, after the first loss', async () => {
  const page = await house.person({ prepared: true });
  await page.addInitScript(() => {
    if (!localStorage.getItem('alinea.settings')?.includes('eyeOffered'))
      localStorage.setItem('alinea.settings', JSON.stringify({ theme: 'neon', sound: false, pace: 'instant' }));
  });
  await page.goto('/');
  await page.getByRole('button', { name: /^Play the computer/ }).click();
  await page.waitForURL(/\/g\//);
  await board(page).waitFor();
  await page.locator('.status', { hasText: 'Your turn' }).waitFor();
  assert.equal(await page.locator('[role=timer]').count(), 0);
  assert.equal(await page.locator('[role=meter], .beads, .columns .win, .columns .draw, .columns .loss').count(), 0);
  assert.equal(
    await page.locator('.facts').getByRole('button', { name: 'Evaluate' }).getAttribute('aria-pressed'),
    'false',
  );
  // A game that is lost, and another one.
  const lose = async () => {
    await openTable(page, { game: 'connect-four', opponent: { kind: 'program', name: 'level:1' } });
    // A game of fewer moves has no result.
    await cell(page, 'd1').click();
    await shows(page, 2);
    await call(page, 'POST', `/tables/${page.url().split('/').at(-1)}/resign`);
    await result(page).waitFor();
    await result(page).getByRole('button', { name: 'Play again' }).click();
  };
  await lose();
  await result(page).getByText('Want to see who is winning?').waitFor();
  // A reader who has not answered is asked again.
  await page.reload();
  await result(page).getByRole('button', { name: 'Play again' }).click();
  await result(page).getByText('Want to see who is winning?').waitFor();
  const before = page.url();
  await button(page, 'Keep it off').click();
  await page.waitForURL((url) => url.href !== before);
  await lose();
  await result(page).waitFor({ state: 'detached' });
  assert.equal(await page.getByText('Want to see who is winning?').count(), 0);
});

it('where Why has nothing to say, an evaluation can be asked for', async () => {
  const page = await house.person({ width: 390, height: 844, hasTouch: true, isMobile: true });
  await openTable(page, { game: 'connect-four' }, '4 4 4 4 4');
  await button(page, 'Why').click();
  await page.getByText(/^Ask for an evaluation/).waitFor();
  await button(page, 'Evaluate this position').click();
  await page.locator('.tab-analysis li').first().waitFor();
});

it('a threat is linked from piece to piece, the missing cell dashed, and the card says what to block', async () => {
  const page = await house.person({ chosen: { evaluate: true } });
  // Four pieces of the program stand in the last row, and its rook can join them on e8.
  const position = 'nbrq4/8/8/8/8/2N1r3/7B/R5KN[] w';
  const asked = [];
  // The best line asks for its positions, which begin with this one.
  page.on('request', (request) => {
    if (request.url().endsWith('/api/position') && request.postDataJSON().position !== position)
      asked.push(request.postData());
  });
  await openTable(page, {
    game: 'chess-five',
    position,
    opponent: { kind: 'program', name: 'random' },
  });
  await page.locator('.now').getByText('Block e8 now').waitFor();
  await page.locator('.board .missing').waitFor();
  assert.equal(await page.locator('.threat').count(), 1);
  assert.equal(await page.locator('.threat.dotted').count(), 1);
  assert.deepEqual(asked, [], 'the reason itself tells the line');
  // Where the piece in hand would land is dashed, too.
  await openTable(page, { game: 'chess-five' });
  await cell(page, 'c8').hover();
  assert.equal(await page.locator('.landing').count(), 1);
  assert.equal(
    await page.locator('.landing').getAttribute('transform'),
    await page.locator('.ghost').getAttribute('transform'),
  );
});

/** The lessons are data without words, so that they can be read here. */
async function lessons() {
  const { readFileSync } = await import('node:fs');
  const source = readFileSync(new URL('../src/game/lessons.ts', import.meta.url), 'utf8');
  const data = source.slice(source.indexOf('> = {') + 4).replace(/;\s*$/, '');
  return { LESSONS: new Function(`return ${data}`)() };
}

/** A move that does what a step wants. */
async function rightMove(page, { game, position, moves = '', goal }) {
  const { plies } = await call(page, 'POST', '/position', { game, position: position ?? null, moves });
  const { legal, view } = plies.at(-1);
  if (goal.only) return legal.find(({ move }) => move === goal.only[0]);
  if (goal.any) return legal[0];
  for (const choice of legal) {
    const after = await call(page, 'POST', '/position', {
      game,
      position: position ?? null,
      moves: `${moves} ${choice.move}`,
    });
    if (after.plies.at(-1).view.outcome === view.turn) return choice;
  }
  throw new Error(`nothing wins in ${moves}`);
}

// The feel of a game: its rhythm, its end, phones, moves chosen ahead, and what must never shift.

import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';

import jsQR from 'jsqr';

import {
  board,
  button,
  call,
  cell,
  hears,
  movesOf,
  openTable,
  pieces,
  result,
  shows,
  some,
  stand,
  tableOf,
  useHouse,
} from './harness.mjs';

const house = useHouse(['--grace', '1']);
afterEach(() => house.leave());

/** Writes down, by the clock of the page, when pieces begin to move and rest, and when things appear. */
async function record(page, settings = {}) {
  await page.addInitScript((settings) => {
    localStorage.setItem('alinea.settings', JSON.stringify({ theme: 'neon', sound: false, ...settings }));
    globalThis.log = [];
    const note = (what) => globalThis.log.push([what, performance.now()]);
    const { animate } = Element.prototype;
    Element.prototype.animate = function (...how) {
      const animation = animate.apply(this, how);
      const { cell } = this.dataset ?? {};
      if (cell) {
        note(`moves ${cell}`);
        animation.finished.then(
          () => note(`rests ${cell}`),
          () => {},
        );
      }
      return animation;
    };
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) {
        for (const node of addedNodes) {
          for (const part of node.querySelectorAll ? [node, ...node.querySelectorAll('*')] : []) {
            if (part.dataset?.cell && !part.closest('.winners')) note(`appears ${part.dataset.cell}`);
            if (part.classList?.contains('thread')) note('thread');
            if (part.classList?.contains('result')) note('result');
            if (part.classList?.contains('thinking')) note('thinking');
          }
        }
      }
    }).observe(document, { childList: true, subtree: true });
  }, settings);
}
const recorded = (page) => page.evaluate(() => globalThis.log);
const at = (log, what, from = 0) =>
  log.find(([name, time]) => time >= from && (what instanceof RegExp ? what.test(name) : name === what))?.[1];

describe('the rhythm of a move', () => {
  const PROGRAM = { game: 'connect-four', opponent: { kind: 'program', name: 'random' } };

  it('a reply begins only after the own piece rests and a beat', async () => {
    const page = await house.person();
    await record(page);
    await openTable(page, PROGRAM);
    await cell(page, 'd1').click();
    await stand(page, 2);
    const log = await recorded(page);
    const rests = at(log, 'rests d1');
    const reply = at(log, /^moves (?!d1$)/);
    assert.ok(at(log, 'moves d1') < rests && rests < reply, JSON.stringify(log));
    assert.ok(reply - rests >= 445, `the reply began ${reply - rests} ms after the piece came to rest`);
  });

  it('slow waits longer, instant keeps the order', async () => {
    for (const [pace, least] of [
      ['slow', 895],
      ['instant', 0],
    ]) {
      const page = await house.person();
      await record(page, { pace });
      await openTable(page, PROGRAM);
      await cell(page, 'd1').click();
      await stand(page, 2);
      const log = await recorded(page);
      const wait = at(log, /^moves (?!d1$)/) - at(log, 'rests d1');
      assert.ok(wait >= least, `${pace}: ${wait} ms`);
    }
  });

  it('without movement the order and the pause stay', async () => {
    const page = await house.person({ reducedMotion: 'reduce' });
    await record(page);
    await openTable(page, PROGRAM);
    await cell(page, 'd1').click();
    await stand(page, 2);
    const log = await recorded(page);
    assert.equal(at(log, /^moves/), undefined);
    const wait = at(log, /^appears (?!d1$)/) - at(log, 'appears d1');
    assert.ok(wait >= 445, `${wait} ms`);
  });

  it('a program that thinks shows it: its piece drifts in the rail', async () => {
    const page = await house.person();
    await record(page, { pace: 'slow' });
    await openTable(page, PROGRAM);
    await cell(page, 'd1').click();
    await stand(page, 2);
    await page.locator('.thinking').waitFor({ state: 'detached' });
    const log = await recorded(page);
    assert.ok(at(log, 'thinking') - at(log, 'rests d1') >= 245, JSON.stringify(log));
    assert.ok(at(log, 'thinking') < at(log, /^moves (?!d1$)/), JSON.stringify(log));
  });
});

describe('a program that thinks for long', () => {
  it('shows its piece after a quarter of a second, says so after three, and counts the seconds after ten', async () => {
    const page = await house.person({ reducedMotion: 'reduce' });
    // The clock of the page is wound by hand, and the reply waits here.
    await page.clock.install();
    const held = [];
    let isHeld = true;
    await page.routeWebSocket(/socket\.io/, (near) => {
      const far = near.connectToServer();
      near.onMessage((message) => far.send(message));
      far.onMessage((message) => {
        // The connection must not be thought dead because the clock is ahead.
        const send = () => near.send(String(message).replace(/"pingInterval":\d+/, '"pingInterval":3600000'));
        if (isHeld && /"ply":2\b/.test(message)) held.push(send);
        else send();
      });
    });
    await openTable(page, { game: 'connect-four', opponent: { kind: 'program', name: 'random' } });
    await page.locator('[data-link=online]').waitFor();
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000);
    await cell(page, 'd1').click();
    await pieces(page).first().waitFor();
    const sign = page.locator('.thinking');
    const detail = page.locator('.bar.top .detail');
    const words = async () => /thinking.*/.exec((await detail.innerText()).trim())?.[0];
    await page.clock.runFor(249);
    assert.equal(await sign.count(), 0);
    await page.clock.runFor(1);
    assert.equal(await sign.count(), 1);
    await page.clock.runFor(2_749);
    assert.equal(await words(), undefined);
    await page.clock.runFor(1);
    assert.equal(await words(), 'thinking');
    await page.clock.runFor(6_999);
    assert.equal(await words(), 'thinking');
    await page.clock.runFor(1);
    assert.equal(await words(), 'thinking · 10 s');
    await page.clock.runFor(2_000);
    assert.equal(await words(), 'thinking · 12 s');
    isHeld = false;
    for (const release of held) release();
    await pieces(page).nth(1).waitFor();
    assert.equal(await sign.count(), 0);
    assert.equal(await words(), undefined);
  });
});

describe('the end is a moment', () => {
  /** Ends a game of two people so that the first page wins, and answers what each of them saw. */
  async function endings() {
    const [winner, loser] = [await house.person(), await house.person()];
    for (const page of [winner, loser]) await record(page);
    const id = await openTable(winner, { game: 'connect-four', opponent: { kind: 'link' } });
    await loser.goto(`/g/${id}`);
    await button(loser, 'Play').click();
    await winner.locator('.status', { hasText: 'Your turn' }).waitFor();
    for (const [ply, move] of ['4', '5', '4', '5', '4', '5'].entries())
      await call(ply % 2 ? loser : winner, 'POST', `/tables/${id}/make-move`, { ply: ply + 1, move });
    await stand(winner, 6);
    await cell(winner, 'd4').click();
    for (const page of [winner, loser]) await result(page).waitFor();
    return [winner, loser];
  }

  it('the piece rests, the thread is drawn, then the result is told; a win is unlike a loss', async () => {
    const [winner, loser] = await endings();
    const log = await recorded(winner);
    const [rests, thread, told] = [at(log, 'rests d4'), at(log, 'thread'), at(log, 'result')];
    assert.ok(thread - rests >= 175, JSON.stringify(log));
    assert.ok(told - rests >= 890, `the result came ${told - rests} ms after the piece came to rest`);
    const looks = (page) =>
      page.evaluate(() => ({
        title: document.querySelector('.result h2').textContent,
        thread: document.querySelector('.thread').classList.contains('win'),
        lifted: getComputedStyle(document.querySelector('.winners .lift')).transform !== 'none',
        dim: Number(getComputedStyle(document.querySelector('.dimmed .at')).opacity) < 0.5,
        // Behind the winning pieces.
        behind: Boolean(
          document.querySelector('.thread').compareDocumentPosition(document.querySelector('.winners')) &
          Node.DOCUMENT_POSITION_FOLLOWING,
        ),
      }));
    await winner.waitForFunction(() => document.getAnimations().every(({ playState }) => playState === 'finished'));
    assert.deepEqual(await looks(winner), { title: 'You win.', thread: true, lifted: true, dim: true, behind: true });
    const lost = await looks(loser);
    assert.match(lost.title, /^(So close\.|One move decided it\.|.+ saw it first\.)$/);
    assert.deepEqual([lost.thread, lost.lifted], [false, false]);
    await hears(winner, /^You win\. You have 4 in a line up a column, column 4 \(row 1\) to column 4 \(row 4\)\./);
    await hears(loser, / wins\. /);
  });

  it('a draw has no thread and the board stays lit', async () => {
    const page = await house.person();
    await openTable(page, { game: 'tic-tac-toe' }, 'a1 b2 c3 b1 b3 a3 c1 c2');
    await cell(page, 'a2').click();
    await result(page).getByText('A draw.').waitFor();
    assert.equal(await page.locator('.thread').count(), 0);
    assert.equal(await page.locator('.dimmed').count(), 0);
  });

  it('a game that ended earlier is shown as it stands, without waiting', async () => {
    const page = await house.person();
    await openTable(page, { game: 'connect-four' }, '4 5 4 5 4 5 4');
    await result(page).waitFor();
    assert.equal(await page.locator('.thread.moves').count(), 0);
  });
});

describe('phones', () => {
  const CLOCK = { clock: { kind: 'game', initial_ms: 300_000, increment_ms: 3_000 } };
  for (const [width, height] of some([
    [390, 844],
    [320, 568],
    [844, 390],
  ])) {
    it(`both players, both clocks and the actions are on a screen of ${width} × ${height}`, async () => {
      const page = await house.person({ width, height, hasTouch: true, isMobile: true });
      await openTable(page, { game: 'connect-four', opponent: { kind: 'program', name: 'level:1' }, ...CLOCK });
      await page.locator('.actions').waitFor();
      const places = await page.evaluate(() => {
        const box = (part) => document.querySelector(part).getBoundingClientRect().toJSON();
        return {
          top: box('.bar.top'),
          bottom: box('.bar.bottom'),
          board: box('.board'),
          actions: box('.actions'),
          clocks: [...document.querySelectorAll('[role=timer]')].map((clock) => clock.getBoundingClientRect().toJSON()),
        };
      });
      for (const part of [places.top, places.bottom, places.board, ...places.clocks]) {
        assert.ok(
          part.top >= 0 && part.bottom <= height + 1 && part.left >= 0 && part.right <= width + 1,
          JSON.stringify(part),
        );
      }
      assert.equal(places.clocks.length, 2);
      assert.ok(places.actions.bottom <= height + 1);
      if (width < height) {
        assert.ok(
          places.board.top - places.top.bottom < 2 && places.bottom.top - places.board.bottom < 2,
          'the bars touch the board',
        );
        assert.ok(places.actions.bottom > height - 20, 'the actions are at the thumb');
      } else assert.ok(places.board.height > height * 0.85, 'the board is as high as the screen');
      assert.equal(await page.getByLabel('Type a move').isVisible(), false);
      await button(page, 'More').click();
      assert.equal(await button(page, 'Keys').isVisible(), false);
    });
  }

  it('the analysis shows keys and the box for moves only where there is a keyboard', async () => {
    for (const [hasTouch, isMobile] of [
      [true, true],
      [false, false],
    ]) {
      const page = await house.person({ width: 390, height: 844, hasTouch, isMobile });
      await page.goto('/analysis/connect-four');
      await board(page).waitFor();
      assert.equal(await page.getByLabel('Type a move').isVisible(), !isMobile);
      assert.equal(await button(page, 'Keys').isVisible(), !isMobile);
    }
  });

  it('cells of a board of 8 × 8 have 36 px at 320 px', async () => {
    const page = await house.person({ width: 320, height: 568, hasTouch: true, isMobile: true });
    await openTable(page, { game: 'chess-five' });
    const { width } = await cell(page, 'a1').boundingBox();
    assert.ok(width >= 36, `${width} px`);
  });

  it('a stone on a large board is zoomed under the finger, then confirmed', async () => {
    const page = await house.person({ width: 390, height: 844, hasTouch: true, isMobile: true });
    const id = await openTable(page, { game: 'gomoku' });
    const { x, y, width, height } = await cell(page, 'h8').boundingBox();
    const touch = await page.context().newCDPSession(page);
    const points = [{ x: x + width / 2, y: y + height / 2 }];
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: points });
    await page.locator('.loupe').waitFor();
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await page.locator('.loupe').waitFor({ state: 'detached' });
    assert.deepEqual(await movesOf(page, id), []);
    await button(page, 'Play h8').click();
    await shows(page, 1);
    assert.deepEqual(await movesOf(page, id), ['h8']);
  });
});

/** Two people at a table; the first is to move. */
async function two(game, more = {}) {
  const [marta, joan] = [await house.person(more), await house.person(more)];
  const id = await openTable(marta, { game, opponent: { kind: 'link' } });
  await joan.goto(`/g/${id}`);
  await button(joan, 'Play').click();
  await marta.locator('.status', { hasText: 'Your turn' }).waitFor();
  return [marta, joan, id];
}

describe('W13: one move is chosen ahead', () => {
  it('is hatched, and played when its turn comes', async () => {
    const [marta, joan, id] = await two('connect-four');
    await cell(marta, 'd1').click();
    await stand(marta, 1);
    await cell(marta, 'c1').click();
    await marta.locator('.premove').waitFor();
    await cell(joan, 'd1').click();
    await shows(joan, 3);
    assert.deepEqual(await movesOf(joan, id), ['4', '4', '3']);
    await marta.locator('.premove').waitFor({ state: 'detached' });
  });

  it('is cancelled by Escape', async () => {
    const [marta, joan, id] = await two('connect-four');
    await cell(marta, 'd1').click();
    await stand(marta, 1);
    await cell(marta, 'c1').click();
    await marta.locator('.premove').waitFor();
    await cell(marta, 'c1').focus();
    await marta.keyboard.press('Escape');
    await marta.locator('.premove').waitFor({ state: 'detached' });
    await cell(joan, 'd1').click();
    await stand(marta, 2);
    await marta.locator('.status', { hasText: 'Your turn' }).waitFor();
    assert.deepEqual(await movesOf(joan, id), ['4', '4']);
  });

  it('is dropped if it cannot be played any more', async () => {
    const [marta, joan, id] = await two('tic-tac-toe');
    await cell(marta, 'b2').click();
    await stand(marta, 1);
    await cell(marta, 'a1').click();
    await marta.locator('.premove').waitFor();
    await cell(joan, 'a1').click();
    await marta.locator('.status', { hasText: 'no longer possible' }).waitFor();
    assert.deepEqual(await movesOf(joan, id), ['b2', 'a1']);
  });
});

/** Writes down every shift of the layout that no click caused, from now on. */
const watchShifts = (page) =>
  page.evaluate(() => {
    globalThis.shifts = [];
    const name = (node) =>
      node?.nodeType === Node.TEXT_NODE
        ? `“${node.textContent}” in ${node.parentElement?.className}`
        : `${node?.nodeName} ${node?.className?.baseVal ?? node?.className}`;
    globalThis.shiftObserver = new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries()) {
        if (!hadRecentInput)
          globalThis.shifts.push(
            `${value}: ${sources.map(({ node, previousRect, currentRect }) => `${name(node)} ${previousRect.x},${previousRect.y} → ${currentRect.x},${currentRect.y}`).join('; ')}`,
          );
      }
    });
    globalThis.shiftObserver.observe({ type: 'layout-shift' });
  });
/** What shifted, once two frames have passed. */
const shiftsOf = (page) =>
  page.evaluate(
    () =>
      new Promise((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(globalThis.shifts)))),
      ),
  );

describe('nothing shifts', () => {
  for (const [width, height] of some([
    [1440, 900],
    [390, 844],
  ])) {
    it(`a game with an offer, an absence and its end at ${width} px`, async () => {
      const [marta, joan, id] = await two('connect-four', { width, height });
      const field = () =>
        marta.evaluate(() => JSON.stringify(document.querySelector('.board').getBoundingClientRect()));
      const before = await field();
      await watchShifts(marta);
      // Without a click on this page: what a click moves is not counted.
      await call(marta, 'POST', `/tables/${id}/make-move`, { ply: 1, move: '4' });
      await stand(marta, 1);
      await cell(joan, 'd1').click();
      await stand(marta, 2);
      await button(joan, 'Offer draw').click();
      await button(marta, 'Decline').waitFor();
      assert.equal(await field(), before, 'an offer moves the board');
      await call(marta, 'POST', `/tables/${id}/decline-draw`);
      await call(joan, 'POST', `/tables/${id}/chat`, { text: 'train tunnel, back in a moment' });
      await joan.context().close();
      await marta.getByText('has not come back').waitFor();
      assert.equal(await field(), before, 'an absence moves the board');
      await call(marta, 'POST', `/tables/${id}/claim`, { result: 'win' });
      await result(marta).waitFor();
      assert.equal(await field(), before, 'the end moves the board');
      assert.deepEqual(await shiftsOf(marta), []);
    });

    it(`a game against a program with verdicts and reasons, lost, at ${width} px`, async () => {
      const page = await house.person({ width, height, chosen: { evaluate: true, pace: 'instant' } });
      const id = await openTable(page, { game: 'connect-four:4x5x4', opponent: { kind: 'program', name: 'level:8' } });
      await page.locator('.now .measure').waitFor();
      await page.locator('.side .lines li').first().waitFor({ state: 'attached' });
      await watchShifts(page);
      for (let ply = 1; ; ply += 2) {
        const { legal, status } = await tableOf(page, id);
        if (status === 'ended') break;
        await call(page, 'POST', `/tables/${id}/make-move`, { ply, move: legal.at(-1).move });
        await page.waitForFunction(
          (ply) => document.querySelector('.result') || document.querySelectorAll('.board [data-cell]').length > ply,
          ply,
        );
      }
      await result(page).waitFor();
      assert.deepEqual(await shiftsOf(page), []);
    });
  }
});

it('X7: when the last piece is dropped, the tray goes and the board takes its height', async () => {
  const [marta, joan, id] = await two('chess-five', { width: 1440, height: 900 });
  const drops = 'R@a N@b R@c N@d N@e R@f N@g R@h B@a B@b B@c B@d Q@e Q@f K@g K@h'.split(' ');
  for (const [at, move] of drops.entries())
    await call(at % 2 ? joan : marta, 'POST', `/tables/${id}/make-move`, { ply: at + 1, move });
  await stand(marta, 16);
  await marta.locator('.status', { hasText: 'choose a piece' }).waitFor();
  assert.equal(await marta.locator('.tray').count(), 0);
  const { width } = await marta.locator('.board svg').first().boundingBox();
  assert.ok(width >= 660, `${width} px`);
});

it('a board wider than its place shows the last move', async () => {
  const page = await house.person({ width: 1440, height: 900 });
  const id = await openTable(page, { game: 'simplexity:9x37x4' });
  for (const [ply, move] of ['37r', '1s', '37s'].entries()) {
    await call(page, 'POST', `/tables/${id}/make-move`, { ply: ply + 1, move });
    await stand(page, ply + 1);
    const inSight = await page.evaluate(() => {
      const [board, ring] = ['.board', '.last:not(.case)'].map((part) =>
        document.querySelector(part).getBoundingClientRect(),
      );
      return ring.left >= board.left - 1 && ring.right <= board.right + 1;
    });
    assert.ok(inSight, move);
  }
});

it('an open link has a QR code and can be cancelled', async () => {
  const page = await house.person({ width: 390, height: 844 });
  const id = await openTable(page, { game: 'connect-four', opponent: { kind: 'link' } });
  const code = page.getByRole('img', { name: 'QR code for the link' });
  await code.waitFor();
  // As a camera sees it.
  const read = await page.evaluate(
    async (bytes) => {
      const image = await createImageBitmap(new Blob([Uint8Array.from(bytes)], { type: 'image/png' }));
      const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
      canvas.drawImage(image, 0, 0);
      return {
        data: [...canvas.getImageData(0, 0, image.width, image.height).data],
        width: image.width,
        height: image.height,
      };
    },
    [...(await code.screenshot())],
  );
  assert.equal(
    jsQR.default(Uint8ClampedArray.from(read.data), read.width, read.height)?.data,
    `${house.server.address}/g/${id}`,
  );
  await button(page, 'Cancel the game').click();
  await result(page).waitFor();
  assert.equal((await tableOf(page, id)).status, 'ended');
});

it('messages not read yet are counted, and reactions are read in the own language', async () => {
  const marta = await house.person({ width: 390, height: 844, language: 'es' });
  const joan = await house.person({ width: 390, height: 844 });
  const id = await openTable(marta, { game: 'connect-four', opponent: { kind: 'link' } });
  await joan.goto(`/g/${id}`);
  await button(joan, 'Play').click();
  await button(joan, 'React').click();
  await button(joan, 'Nice move').click();
  await marta.locator('.actions .badge', { hasText: '1' }).waitFor();
  await marta
    .locator('.actions')
    .getByRole('button', { name: /^Charla|^Chat/ })
    .click();
  await marta.locator('.tab-chat').getByText('Buena jugada').first().waitFor();
  await marta.locator('.actions .badge').waitFor({ state: 'detached' });
});

// Where things stand: beside the board of a desk and of a laptop, on phones with the chat open, and whether any text is cut.

import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';

import {
  action,
  board,
  button,
  call,
  cell,
  dialog,
  hears,
  makeTable,
  movesOf,
  openTable,
  result,
  settle,
  some,
  stand,
  useHouse,
  visit,
} from './harness.mjs';

const house = useHouse();
afterEach(() => house.leave());

/** Texts of which a box that hides what is too large shows only a part. An ellipsis is there on purpose. */
const clipped = (page) =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      const parent = text.parentElement;
      if (!text.data.trim() || parent.closest('.hidden, svg, option, script') || !parent.checkVisibility()) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const { left, right, top, bottom } = range.getBoundingClientRect();
      for (let box = parent; box && box !== document.body; box = box.parentElement) {
        const { overflowX, overflowY, textOverflow, position } = getComputedStyle(box);
        if (textOverflow === 'ellipsis' || position === 'fixed') break;
        const [hidesX, hidesY] = [overflowX, overflowY].map((one) => one === 'hidden' || one === 'clip');
        const room = box.getBoundingClientRect();
        // What only screen readers see.
        if (room.width < 3 || room.height < 3) break;
        const isCut =
          (hidesX && (left < room.left - 1 || right > room.right + 1)) ||
          (hidesY && (top < room.top - 2 || bottom > room.bottom + 2));
        if (isCut) found.push(`“${text.data.trim().slice(0, 40)}” in ${box.tagName}.${box.className}`);
      }
    }
    return found;
  });

/** Cards beside the board that cut what is in them, and the column itself where it would scroll. */
const cut = (page) =>
  page.evaluate(() => {
    const parts = ['.game > .now', '.game > .told .result', '.tab-moves', '.tab-analysis', '.actions', '.watching'];
    const found = parts.flatMap((name) => {
      const part = document.querySelector(name);
      if (!part || !part.offsetParent) return [];
      const high = part.scrollHeight - part.clientHeight;
      const box = part.getBoundingClientRect();
      return high > 1 || box.bottom > innerHeight + 1 ? [`${name}: ${high} px cut, ends at ${box.bottom}`] : [];
    });
    for (const word of document.querySelectorAll('.actions .act > span'))
      if (word.scrollWidth > word.clientWidth + 1) found.push(`“${word.textContent}” among the actions`);
    const { scrollHeight } = document.documentElement;
    return scrollHeight > innerHeight + 1 ? [...found, `the page is ${scrollHeight} px high`] : found;
  });

const SIZES = [
  [1440, 900, 640],
  [1366, 657, 555],
  [1280, 600, 0],
];
const PEOPLE = { opponent: { kind: 'link' }, clock: { kind: 'game', initial_ms: 300_000, increment_ms: 3_000 } };

async function friends(more) {
  const [marta, joan] = [await house.person(more), await house.person(more)];
  const id = await openTable(marta, { game: 'connect-four', ...PEOPLE });
  await joan.goto(`/g/${id}`);
  await button(joan, 'Play').click();
  await marta.locator('.status', { hasText: 'Your turn' }).waitFor();
  return [marta, joan, id];
}

describe('beside the board', () => {
  for (const [width, height, least] of SIZES) {
    it(`X6, X7: no card cuts what is in it at ${width} × ${height}`, async () => {
      const size = { width, height };
      const page = await house.person({ ...size, chosen: { evaluate: undefined } });
      // Against the computer.
      await openTable(page, { game: 'connect-four', opponent: { kind: 'program', name: 'level:3' } });
      await cell(page, 'd1').click();
      await stand(page, 2);
      await page.locator('.tab-moves').waitFor();
      await settle(page);
      assert.deepEqual(await cut(page), [], 'against the computer');
      const { width: wide } = await page.locator('.board svg').first().boundingBox();
      assert.ok(wide >= least, `the board is ${wide} px wide`);
      // A friend is awaited.
      await openTable(page, { game: 'connect-four', ...PEOPLE });
      await page.getByRole('img', { name: 'QR code for the link' }).waitFor();
      assert.equal(await page.locator('.tab-moves, .tab-chat').count(), 0);
      assert.deepEqual(await cut(page), [], 'a friend is awaited');
      // Programs play each other.
      const demo = await makeTable(page, {
        game: 'connect-four',
        opponent: { kind: 'demo', first: 'level:1', second: 'level:2' },
      });
      await visit(page, `/watch/${demo}`);
      await page.getByRole('group', { name: 'Speed' }).waitFor();
      await page.locator('.tab-moves').waitFor();
      assert.deepEqual(await cut(page), [], 'programs');
      assert.equal(
        await page
          .locator('.tab-chat')
          .isVisible()
          .catch(() => false),
        false,
      );
      // With a friend, and the end.
      const [marta, joan, id] = await friends(size);
      await marta.locator('.tab-moves').waitFor();
      await settle(marta);
      assert.deepEqual(await cut(marta), [], 'with a friend');
      for (const [ply, move] of '3 5 4 5 2 5 7 5'.split(' ').entries())
        await call(ply % 2 ? joan : marta, 'POST', `/tables/${id}/make-move`, { ply: ply + 1, move });
      await result(marta)
        .getByRole('button', { name: /^Try it/ })
        .waitFor();
      await settle(marta);
      assert.deepEqual(await cut(marta), [], 'the end');
    });
  }

  it('X8: at 657 px at least five moves are readable', async () => {
    const page = await house.person({ width: 1366, height: 657 });
    await openTable(page, { game: 'connect-four' }, '1 2 1 2 3 4 3 4 5 6 5 6');
    await page.locator('.tab-moves').waitFor();
    await settle(page);
    const rows = await page.evaluate(() => {
      const list = document.querySelector('.moves').getBoundingClientRect();
      return [...document.querySelectorAll('.moves li')].filter((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return top >= list.top - 1 && bottom <= list.bottom + 1;
      }).length;
    });
    assert.ok(rows >= 5, `${rows} moves`);
  });
});

describe('reasons are pictures', () => {
  it('X9, X10, X12: they name or light cells, say nothing of the search, and show themselves on the board', async () => {
    const page = await house.person({ width: 1440, height: 900, chosen: { evaluate: undefined, pace: 'instant' } });
    // The program has to stop three in the first row.
    await openTable(page, { game: 'connect-four', opponent: { kind: 'program', name: 'level:6' } });
    let ply = 1;
    for (const move of ['d1', 'e1']) {
      await cell(page, move).click();
      await stand(page, 2 * ply++);
    }
    const reason = page.locator('.now .reasons button').first();
    await reason.waitFor();
    const text = await page.locator('.now').innerText();
    assert.doesNotMatch(text, /\d \d \d|%|positions|moves ahead/);
    assert.equal(await reason.locator('svg').count(), 1);
    await reason.hover();
    await page.locator('.board .faded').first().waitFor({ state: 'attached', timeout: 1000 });
    await page.mouse.move(5, 5);
    await page.waitForFunction(() => !document.querySelector('.board .faded'));
  });

  it('X13: the hint of Gomoku lights at most nine crossings', async () => {
    const page = await house.person({ width: 1440, height: 900 });
    await openTable(page, { game: 'gomoku:9x9x5', opponent: { kind: 'program', name: 'level:1' } });
    await page.locator('.status', { hasText: 'Your turn' }).waitFor();
    await button(page, 'Hint').click();
    await hears(page, 'Look here.');
    const lit = await page.locator('.board rect.lit').count();
    assert.ok(lit >= 1 && lit <= 9, `${lit} crossings`);
  });
});

describe('on phones', () => {
  const PHONE = { width: 390, height: 844, hasTouch: true, isMobile: true };

  it('X22, X24: an offer, its buttons and the whole board stay in sight while the chat is open; Escape closes it', async () => {
    const [marta, joan, id] = await friends(PHONE);
    await action(marta, 'Chat');
    const field = marta.locator('#chat-text');
    await field.waitFor();
    await marta.waitForFunction(() => document.activeElement?.id === 'chat-text');
    await call(joan, 'POST', `/tables/${id}/offer-draw`);
    for (const name of ['Accept', 'Decline']) {
      const one = marta.locator('.tab-chat').getByRole('button', { name, exact: true });
      await one.waitFor();
      await one.click({ trial: true });
    }
    assert.equal(await marta.evaluate(() => document.activeElement.id), 'chat-text');
    const [sheet, face] = [await marta.locator('.side').boundingBox(), await board(marta).boundingBox()];
    assert.ok(
      face.y + face.height <= sheet.y + 1,
      `the board ends at ${face.y + face.height}, the chat begins at ${sheet.y}`,
    );
    assert.ok(sheet.height <= 0.45 * 844);
    await marta.keyboard.press('Escape');
    await field.waitFor({ state: 'hidden' });
    await marta.waitForFunction(() => document.activeElement?.id === 'open-chat');
  });

  it('X23: a reaction takes no press and does not lie over the last piece', async () => {
    const [marta, joan, id] = await friends(PHONE);
    await call(marta, 'POST', `/tables/${id}/make-move`, { ply: 1, move: '1' });
    await stand(marta, 1);
    await call(joan, 'POST', `/tables/${id}/chat`, { text: ':wow:' });
    const fly = marta.locator('.fly');
    await fly.waitFor();
    const [over, last] = [await fly.boundingBox(), await marta.locator('[data-cell=a1]').boundingBox()];
    const apart =
      over.x > last.x + last.width ||
      over.x + over.width < last.x ||
      over.y > last.y + last.height ||
      over.y + over.height < last.y;
    assert.ok(apart, JSON.stringify([over, last]));
    assert.equal(await fly.evaluate((part) => getComputedStyle(part).pointerEvents), 'none');
    await hears(marta, /: Wow$/);
    await fly.waitFor({ state: 'detached' });
  });

  it('X25: to keep playing is the gold button of the question whether to resign', async () => {
    const page = await house.person(PHONE);
    await openTable(page, { game: 'connect-four' }, '4 4');
    await action(page, 'Resign');
    assert.equal(await dialog(page).locator('.main').innerText(), 'Keep playing');
  });
});

describe('large boards on phones', () => {
  const phone = () => house.person({ width: 390, height: 844, hasTouch: true, isMobile: true });
  const boxOf = (page, part) => page.locator(part).evaluate((element) => element.getBoundingClientRect().toJSON());

  it('X33: bars, map and Play stay visible, and only the loupe lies over the board', async () => {
    const page = await phone();
    const id = await openTable(page, { game: 'gomoku:25x25x5' }, 'm13 n14');
    await page.locator('.map i').waitFor();
    const inSight = async (part) => {
      const { top, bottom, left, right } = await boxOf(page, part);
      assert.ok(top >= 0 && left >= 0 && bottom <= 844 && right <= 390, `${part}: ${top}–${bottom}`);
      return { top, bottom };
    };
    const board = await inSight('.board');
    for (const part of ['.bar.top', '.bar.bottom', '.map', '.actions']) {
      const { top, bottom } = await inSight(part);
      assert.ok(bottom <= board.top + 1 || top >= board.bottom - 1, `${part} lies over the board`);
    }
    const touch = await page.context().newCDPSession(page);
    const press = async (type, name) => {
      const { x, y, width, height } = name ? await cell(page, name).boundingBox() : {};
      const touchPoints = name ? [{ x: x + width / 2, y: y + height / 2 }] : [];
      await touch.send('Input.dispatchTouchEvent', { type, touchPoints });
    };
    await press('touchStart', 'k12');
    await page.locator('.loupe', { hasText: 'k12' }).waitFor();
    await press('touchMove', 'l12');
    await page.locator('.loupe', { hasText: 'l12' }).waitFor();
    const { left, right } = await boxOf(page, '.loupe');
    assert.ok(left >= 0 && right <= 390 && Math.round(right - left) === 148, 'the loupe is whole');
    await press('touchEnd');
    await page.locator('.loupe').waitFor({ state: 'detached' });
    assert.deepEqual(await movesOf(page, id), ['m13', 'n14']);
    await inSight('.actions .sure');
    await button(page, 'Play l12').click();
    await stand(page, 3);
    // The window goes where the map is pressed, and to the last move.
    const before = await boxOf(page, '.map i');
    await page.locator('.map .picture').click({ position: { x: 88, y: 4 } });
    await page.waitForFunction(
      (left) => document.querySelector('.map i').getBoundingClientRect().left > left,
      before.left,
    );
    await inSight('[role=gridcell][aria-label^="x24,"]');
    await call(page, 'POST', `/tables/${id}/make-move`, { ply: 4, move: 'b2' });
    await stand(page, 4);
    await page.waitForFunction(() => {
      const [shown, last] = ['.board', '[role=gridcell][aria-label^="b2,"]'].map((part) =>
        document.querySelector(part).getBoundingClientRect(),
      );
      return last.left >= shown.left && last.bottom <= shown.bottom;
    });
  });

  it('X34: coordinates are at least 10 px', async () => {
    const page = await phone();
    for (const game of ['gomoku', 'gomoku:25x25x5', 'chess-five', 'connect-four', 'simplexity']) {
      await openTable(page, { game });
      await page.locator('.board text.name, .board .rows b').first().waitFor();
      const smallest = await page.evaluate(() =>
        Math.min(
          ...[...document.querySelectorAll('.board text.name, .board :is(.rows, .cols) b')].map((name) => {
            const size = Number.parseFloat(getComputedStyle(name).fontSize);
            return name.ownerSVGElement ? size * name.getScreenCTM().a : size;
          }),
        ),
      );
      assert.ok(smallest >= 10, `${game}: ${smallest} px`);
    }
  });
});

describe('X15: no text is cut', () => {
  const ROUTES = [
    '/',
    '/play/connect-four',
    '/watch',
    '/analysis/connect-four?m=4+4+5&eval=1',
    '/puzzles',
    '/puzzles/daily',
    '/puzzles/rush?game=tic-tac-toe',
    '/learn',
    '/learn/simplexity',
    '/settings',
    '/account',
    '/rank/connect-four',
    '/games',
    '/about',
    '/tournaments',
  ];
  const PASSWORD = 'correct horse battery';
  const PHONES = [320, 360, 390];
  for (const language of some(['ca', 'en', 'es', 'pt-BR', 'pt-PT'])) {
    it(`in ${language} at ${PHONES.join(', ')} px`, async () => {
      const page = await house.person({ width: PHONES[0], height: 844, language, hasTouch: true, isMobile: true });
      const isWhole = async (what, also = async () => {}) => {
        for (const width of PHONES) {
          await page.setViewportSize({ width, height: 844 });
          await settle(page);
          assert.deepEqual(await clipped(page), [], `${what} at ${width} px`);
          await also(width);
        }
      };
      for (const route of ROUTES) {
        await visit(page, route);
        await isWhole(route);
      }
      await visit(page, '/');
      await page.locator('.tip').waitFor();
      await isWhole('the first page', async (width) => {
        const { x, width: wide } = await page.locator('.tip span').boundingBox();
        assert.ok(x >= 0 && x + wide <= width, `the tip lies from ${x} to ${x + wide} of ${width}`);
        const cutNames = await page.evaluate(() =>
          [...document.querySelectorAll('.stage .tabs span')]
            .filter((name) => name.scrollWidth > name.clientWidth + 1)
            .map((name) => name.textContent),
        );
        assert.deepEqual(cutNames, [], `at ${width} px`);
      });
      await openTable(page, { game: 'connect-four', opponent: { kind: 'program', name: 'level:1' } });
      await isWhole('a game');
      await call(page, 'POST', `/tables/${page.url().split('/').at(-1)}/resign`);
      await page.locator('.result h2').waitFor();
      await isWhole('the end of a game');
      const other = await house.person({ width: 1280 });
      await call(other, 'GET', '/me');
      await visit(page, `/g/${await makeTable(other, { game: 'gomoku', opponent: { kind: 'link' } })}`);
      await page.locator('.invitation h2').waitFor();
      await isWhole('an invitation');

      // Rated games of two accounts, and a tournament of theirs.
      const names = ['IndigoKingfisher', 'TealHeron'].map((name) => `${name}${language.replace('-', '')}`);
      for (const [at, who] of [page, other].entries())
        await call(who, 'POST', '/account', { name: names[at], password: PASSWORD });
      for (const game of ['connect-four', 'chess-five']) {
        const id = await makeTable(page, { game, ...PEOPLE, rated: true, take_back: false });
        await call(other, 'POST', `/tables/${id}/sit`, {});
        for (const [at, move] of (game === 'chess-five' ? 'R@a N@b' : '4 4').split(' ').entries())
          await call(at ? other : page, 'POST', `/tables/${id}/make-move`, { ply: at + 1, move });
        await call(page, 'POST', `/tables/${id}/resign`);
      }
      for (const name of names) {
        await visit(page, `/u/${name}`);
        await page.getByRole('heading', { level: 1, name }).waitFor();
        await page.locator('.last .thumb').nth(1).waitFor();
        await isWhole(`the profile of ${name}`);
      }
      await page.goto('/tournaments');
      await page.locator('form').waitFor();
      for (const format of await page.locator('form .choices:has(+ .how) button').all()) {
        await format.click();
        await isWhole(`the form of a tournament, ${await format.innerText()}`);
      }
      const { id } = await call(page, 'POST', '/tournaments', {
        name: 'Winter cup of the chess club',
        game: 'simplexity',
        format: { kind: 'swiss', rounds: 3 },
        clock: PEOPLE.clock,
        guests: true,
        listed: true,
      });
      for (const who of [page, other]) await call(who, 'POST', `/tournaments/${id}`, { enter: {} });
      await visit(page, `/t/${id}`);
      await page.locator('.standings tbody tr').nth(1).waitFor();
      await isWhole('a tournament that can be entered');
      await call(page, 'POST', `/tournaments/${id}`, { start: {} });
      await page.locator('.wall svg').first().waitFor();
      await isWhole('a running tournament');
      await visit(page, '/tournaments');
      await page.locator('.lists a').first().waitFor();
      await isWhole('the list of tournaments');
      const [{ table }] = (await call(page, 'GET', `/tournaments/${id}`)).games;
      await call(page, 'POST', `/tables/${table}/resign`);
      await visit(page, `/t/${id}`);
      await page.locator('.own li').waitFor();
      await isWhole('a tournament with results');
    });
  }
});

/**
 * The edge of a hole, seen from its middle in some directions: how far away its darkest point is, in cells, and its contrast
 * to the inside. `clip` is one cell.
 */
async function edgeOf(page, clip, directions) {
  const picture = await page.screenshot({ clip });
  return page.evaluate(
    async ([bytes, directions]) => {
      const image = await createImageBitmap(new Blob([Uint8Array.from(bytes)], { type: 'image/png' }));
      const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
      canvas.drawImage(image, 0, 0);
      const light = (x, y) => {
        const { data } = canvas.getImageData(Math.round(x), Math.round(y), 1, 1);
        const [r, g, b] = [...data].slice(0, 3).map((part) => {
          const share = part / 255;
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const [x, y] = [image.width / 2, image.height / 2];
      const inside = light(x, y);
      return Array.from({ length: directions }, (_, at) => {
        const turn = (2 * Math.PI * at) / directions;
        const ray = Array.from({ length: 60 }, (_, step) => {
          const far = (0.34 + step * 0.0025) * image.width;
          return { far: far / image.width, light: light(x + far * Math.sin(turn), y - far * Math.cos(turn)) };
        });
        const dark = ray.reduce((least, point) => (point.light < least.light ? point : least));
        return { far: dark.far, ratio: (inside + 0.05) / (dark.light + 0.05) };
      });
    },
    [[...picture], directions],
  );
}

describe('the light board', () => {
  it('X18: has holes whose edges are dark all round', async () => {
    const page = await house.person({ width: 1440, height: 900, theme: 'light' });
    await openTable(page, { game: 'connect-four' });
    await page.mouse.move(2, 2);
    const edge = await edgeOf(page, await cell(page, 'd4').boundingBox(), 4);
    for (const { ratio } of edge) assert.ok(ratio >= 3, `${edge.map(({ ratio }) => ratio.toFixed(1))}`);
  });

  it('X19: has round holes on phones and in small pictures', async () => {
    const page = await house.person({ width: 390, height: 844, theme: 'light', deviceScaleFactor: 4 });
    await openTable(page, { game: 'connect-four' }, '4');
    /**
     * The hole is as wide in all directions, as far as its edge's own width allows, and has an edge in each. Its middle may be
     * half a pixel beside that of the picture.
     */
    const isRound = (edge, what, least) => {
      const far = edge.map(({ far }, at) => (far + edge[(at + edge.length / 2) % edge.length].far) / 2);
      assert.ok(Math.max(...far) - Math.min(...far) <= 0.05, `${what}: ${far.map((far) => far.toFixed(3))}`);
      for (const { ratio } of edge) assert.ok(ratio >= least, `${what}: ${ratio.toFixed(2)}`);
    };
    isRound(await edgeOf(page, await cell(page, 'd4').boundingBox(), 16), 'the board', 3);
    await visit(page, '/');
    const thumb = page.locator('.continue svg');
    await thumb.scrollIntoViewIfNeeded();
    // The cell over the only piece.
    const clip = await thumb.evaluate((svg) => {
      const size = 100 * svg.getScreenCTM().a;
      const { left, top, width, height } = svg.querySelector(':scope > g[transform] circle').getBoundingClientRect();
      return { x: left + (width - size) / 2, y: top + (height - size) / 2 - size, width: size, height: size };
    });
    isRound(await edgeOf(page, clip, 16), 'a small picture', 1.5);
  });
});

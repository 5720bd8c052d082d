// People, words and places: guests and levels by name, home, setup, one's own games, watching, study, languages.

import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';

import {
  board,
  button,
  call,
  cell,
  makeTable,
  movesOf,
  nameOf,
  openTable,
  settle,
  shows,
  some,
  stand,
  tableOf,
  told,
  useHouse,
  visit,
  WIDTHS,
} from './harness.mjs';

const house = useHouse();
afterEach(() => house.leave());

describe('people', () => {
  it('a guest has a name of two words in the language of the reader and a mark, and may change the name', async () => {
    const page = await house.person();
    await page.goto('/account');
    const { name } = await call(page, 'GET', '/me');
    const [colour, animal] = name.split('.');
    const { first, second } = await call(page, 'GET', '/guest-names');
    await page.getByRole('heading', { name: `${first[colour]} ${second[animal]}` }).waitFor();
    const mark = await page.locator('header .who svg path').getAttribute('d');
    const other = first.findIndex((_, number) => String(number) !== colour);
    await page.getByLabel('Colour').selectOption(first[other]);
    await button(page, 'Use this name').click();
    await page.getByText(`Your name is now ${first[other]} ${second[animal]}.`).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: `${first[other]} ${second[animal]}` }).waitFor();
    assert.equal(await page.locator('header .who svg path').getAttribute('d'), mark, 'the mark belongs to the id');
    await call(page, 'PUT', '/me', { name: '37.20' });
    for (const [language, shown] of [
      ['es', 'Garza Turquesa'],
      ['ca', 'Martinet Turquesa'],
      ['en', 'Teal Heron'],
    ]) {
      await page.goto(`/account?lang=${language}`);
      await page.getByRole('heading', { name: shown }).waitFor();
    }
  });

  it('finding 4: your own offer is yours, the other is named', async () => {
    const [ann, bob] = [await house.person(), await house.person()];
    await ann.goto('/');
    await bob.goto('/');
    const id = await makeTable(ann, { game: 'connect-four', opponent: { kind: 'link' } });
    await call(bob, 'POST', `/tables/${id}/sit`);
    const name = await nameOf(ann);
    for (const page of [ann, bob]) await page.goto(`/g/${id}`);
    await board(bob).waitFor();
    await board(ann).waitFor();
    await call(ann, 'POST', `/tables/${id}/make-move`, { ply: 1, move: '4' });
    await call(ann, 'POST', `/tables/${id}/offer-draw`);
    await bob.getByText(`${name} offers a draw.`).first().waitFor();
    await ann.waitForFunction(() =>
      document.querySelector('[role=status][aria-live=polite]').textContent.includes('You offered a draw'),
    );
    assert.ok(!(await told(ann)).includes(name));
    assert.ok(!(await ann.locator('body').innerText()).includes('Guest'));
  });

  it('levels have names; tic-tac-toe has three', async () => {
    const page = await house.person();
    await page.goto('/');
    const ladder = page.getByRole('group', { name: 'Level' });
    await ladder.getByRole('button').nth(7).waitFor();
    assert.deepEqual(await ladder.getByRole('button').allInnerTexts(), [
      'Dot',
      'Dash',
      'Tally',
      'Zigzag',
      'Arrow',
      'Compass',
      'Constellation',
      'Horizon',
    ]);
    await button(page, 'Tic-tac-toe').click();
    await page.waitForFunction(() => document.querySelectorAll('.ladder button').length === 3);
    assert.deepEqual(await ladder.getByRole('button').allInnerTexts(), ['Dot', 'Dash', 'Horizon']);
  });
});

for (const width of WIDTHS) {
  describe(`at ${width} px`, () => {
    it('home: the first piece dropped on the board starts a game', async () => {
      const page = await house.person({ width });
      await page.goto('/');
      await board(page).waitFor();
      await cell(page, 'd1').click();
      await page.waitForURL(/\/g\//);
      const id = page.url().split('/').at(-1);
      const { seats } = await tableOf(page, id);
      assert.deepEqual([seats[0].kind, seats[1].name], ['person', 'level:1']);
      assert.equal((await movesOf(page, id))[0], '4');
    });

    it('finding 6: after watching programs, play means playing', async () => {
      const page = await house.person({ width });
      await page.goto('/watch');
      await button(page, 'Watch them play').click();
      await page.waitForURL(/\/watch\/./);
      await page.goto('/');
      await page.getByRole('button', { name: /^Play the computer/ }).click();
      await page.waitForURL(/\/g\//);
      const { seats } = await tableOf(page);
      assert.deepEqual(
        seats.map(({ kind }) => kind),
        ['person', 'program'],
      );
    });

    it('setup: the sheet begins what it shows', async () => {
      const page = await house.person({ width });
      await page.goto('/play/connect-four');
      await page.getByText('No clock: take your time.').waitFor();
      await page.getByRole('button', { name: /^Zigzag/ }).click();
      await button(page, 'Second').click();
      await button(page, '8 × 7').click();
      await button(page, '3 + 2').click();
      if (width > 1139) {
        await page.locator('.table .who b', { hasText: 'Zigzag' }).waitFor();
        await page.locator('.table .clock', { hasText: '3:00' }).first().waitFor();
      }
      await button(page, 'Play').click();
      await page.waitForURL(/\/g\//);
      const { seats, settings } = await tableOf(page);
      assert.equal(seats[0].name, 'level:4');
      assert.equal(settings.game, 'connect-four:7x8x4');
      assert.deepEqual(settings.clock, { kind: 'game', initial_ms: 180_000, increment_ms: 2_000 });
      await page.goto('/play/connect-four');
      await button(page, 'Friend').click();
      await button(page, 'Create the link').waitFor();
      assert.equal(await page.getByRole('button', { name: /^Zigzag/ }).count(), 0, 'a friend has no level');
    });

    it('my games: your turn comes first, and a search finds an opponent', async () => {
      const page = await house.person({ width });
      await page.goto('/');
      const waiting = await makeTable(page, { game: 'connect-four', opponent: { kind: 'program', name: 'level:2' } });
      await makeTable(page, { game: 'tic-tac-toe', opponent: { kind: 'link' } });
      await page.goto('/games');
      const turn = page.locator('.panel', { has: page.getByRole('heading', { name: 'Your turn' }) });
      await turn.locator(`a[href="/g/${waiting}"]`).waitFor();
      await turn.getByText('You – Dash').waitFor();
      await page.getByLabel('Opponent or game').fill('tic');
      await turn.waitFor({ state: 'detached' });
      await page.getByText('Tic-tac-toe').last().waitFor();
      await page.getByLabel('Opponent or game').fill('dash');
      await turn.locator(`a[href="/g/${waiting}"]`).waitFor();
    });

    it('watch: live games as boards, the last moved in large', async () => {
      const page = await house.person({ width });
      await page.goto('/');
      for (const game of ['connect-four', 'tic-tac-toe', 'gomoku'])
        await makeTable(page, { game }, { 'connect-four': '4 4', 'tic-tac-toe': 'b2', gomoku: 'h8' }[game]);
      await page.goto('/watch');
      await page.locator('a.table').waitFor();
      await page.locator('.wall a').nth(1).waitFor();
      await button(page, 'Tic-tac-toe').click();
      await page.locator('a.table .move', { hasText: 'Tic-tac-toe' }).waitFor();
    });

    it('watch: clocks and spectators of live games', async () => {
      const [page, fan] = [await house.person({ width }), await house.person({ width })];
      await page.goto('/');
      const clock = { kind: 'game', initial_ms: 300_000, increment_ms: 3_000 };
      const tables = [
        await makeTable(page, { game: 'simplexity', clock }, '4r 4s 3r'),
        await makeTable(page, { game: 'simplexity', clock }, '4r 4s 3r'),
      ];
      await fan.goto(`/watch/${tables[0]}`);
      await fan.locator('[data-link=online]').waitFor();
      await board(fan).waitFor();
      const listed = (await call(page, 'GET', '/tables?live=true')).tables.filter(({ table }) =>
        tables.includes(table),
      );
      assert.deepEqual(
        listed.map(({ table, watching }) => [table, watching]).sort(),
        tables.map((table, at) => [table, at ? 0 : 1]).sort(),
      );
      await page.goto('/watch');
      await button(page, 'Simplexity').click();
      // One of them in large, the other in small; the running clock is set off.
      const [large, small] = [page.locator('a.table'), page.locator('.wall a').first()];
      await small.waitFor();
      const href = await large.getAttribute('href');
      const watched = String(href.endsWith(tables[0]) ? 1 : 0);
      assert.ok((await large.locator('.foot').innerText()).startsWith(watched));
      for (const [part, clocks] of [
        [large, '[role=timer]'],
        [small, 'time'],
      ]) {
        assert.match((await part.locator(clocks).allInnerTexts()).join(' '), /^[45]:\d\d [45]:\d\d$/);
        assert.equal(await part.locator(`.turn ${clocks}`).count(), 1);
      }
    });

    it('review: key moments in sentences, jumps, and the better move as an exercise', async () => {
      const page = await house.person({ width });
      // The second player overlooks a line of four.
      await page.goto('/analysis/connect-four:4x6x4?m=3+1+4+1+5+1+2&you=second');
      await shows(page, 7);
      const moments = page.locator('.panel', { has: page.getByRole('heading', { name: /^Key moments/ }) });
      await moments
        .getByRole('button', { name: /You (throw|give|let)/ })
        .first()
        .waitFor({ timeout: 60_000 });
      await moments
        .getByRole('button', { name: /You (throw|give|let)/ })
        .first()
        .click();
      await page.locator('.truth .sentence', { hasText: /^You / }).waitFor();
      await button(page, 'Find the better moves').click();
      await page.locator('.truth .sentence', { hasText: 'find a better move than' }).waitFor();
      assert.equal(await page.locator('path.arrow').count(), 0, 'nothing is given away');
      const answered = async (name, sentence) => {
        await cell(page, name).click();
        await page.locator('.truth .sentence', { hasText: sentence }).waitFor();
      };
      await answered('b1', 'Not 2. Try again.');
      await button(page, 'Show it').click();
      await page.locator('.truth .sentence', { hasText: 'was best' }).waitFor();
      await button(page, 'Next').click();
      // Three columns keep the draw, and the review names one of them.
      await answered('d2', 'Not 4. Try again.');
      await answered('f1', 'Right: 6.');
      await button(page, 'Back to the review').click();
    });

    it('analysis: any size, a position set up by hand, checked by the server', async () => {
      const page = await house.person({ width, expect: [/400/] });
      await page.goto('/analysis/connect-four');
      await board(page).waitFor();
      await page.locator('.sizes summary').click();
      await page.locator('.sizes').getByRole('spinbutton', { name: 'Rows' }).fill('5');
      await page.locator('.sizes').getByRole('spinbutton', { name: 'Columns' }).fill('6');
      await page.locator('.sizes form').getByRole('button').click();
      await page.waitForURL(/connect-four%3A5x6x4/);
      await button(page, 'Set up a position').click();
      const editor = page.getByRole('region', { name: 'Position editor' });
      await editor.getByRole('button', { name: 'c3, empty' }).click();
      await editor.getByRole('button', { name: 'Outline to move.' }).click();
      await button(page, 'Use this position').click();
      await editor.getByRole('alert').waitFor();
      await editor.getByRole('button', { name: /^c3, / }).click();
      await editor.getByRole('button', { name: 'c1, empty' }).click();
      await button(page, 'Use this position').click();
      await page.waitForURL(/p=/);
      await stand(page, 1);
    });
  });
}

describe('the page of the account', () => {
  it('says what is wrong beside the button, and no message covers a button', async () => {
    const page = await house.person({ width: 390, height: 844, expect: [/401/] });
    await visit(page, '/account');
    await page.getByLabel('Name', { exact: true }).fill('nobody');
    await page.getByLabel('Password', { exact: true }).fill('not this one');
    const enter = page.locator('form button.main');
    await enter.click();
    const wrong = page.getByText('Wrong name or password.').first();
    await wrong.waitFor();
    const [told, pressed] = [await wrong.boundingBox(), await enter.boundingBox()];
    const gap = pressed.y - (told.y + told.height);
    assert.ok(gap >= 0 && gap <= 24, `${gap} px between the message and the button`);
    await page.getByRole('group', { name: 'Account' }).getByRole('button', { name: 'Create an account' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Nobody-at-all');
    await page.getByLabel('Password', { exact: true }).fill('a password of mine');
    await enter.click();
    const toast = page.locator('.toasts p');
    await toast.waitFor();
    const box = await toast.boundingBox();
    const covered = await page.locator('main :is(button, a.button, input)').evaluateAll(
      (parts, box) =>
        parts
          .filter((part) => {
            const { left, right, top, bottom } = part.getBoundingClientRect();
            return right > box.x && left < box.x + box.width && bottom > box.y && top < box.y + box.height;
          })
          .map((part) => part.textContent),
      box,
    );
    assert.deepEqual(covered, []);
  });
});

describe('sharing', () => {
  it('a link has a preview with a picture, made by the server', async () => {
    const page = await house.person();
    await page.goto('/');
    const id = await makeTable(page, { game: 'connect-four', opponent: { kind: 'program', name: 'level:3' } }, '');
    const name = await nameOf(page);
    for (const [path, title] of [
      [`/g/${id}`, `${name} – Tally`],
      ['/analysis/connect-four?m=4+4+5', 'Connect Four'],
    ]) {
      const html = await (await page.request.get(path)).text();
      assert.ok(html.includes(`<meta property="og:title" content="${title}" />`), html.slice(0, 2000));
      const picture = /property="og:image" content="([^"]+)"/.exec(html)[1].replaceAll('&amp;', '&');
      const response = await page.request.get(picture);
      assert.equal(response.headers()['content-type'], 'image/png');
      assert.deepEqual([...(await response.body()).subarray(1, 4)], [...Buffer.from('PNG')]);
    }
    const plain = await (await page.request.get('/g/unknown')).text();
    assert.ok(!plain.includes('og:image'));
    const svg = await page.request.get('/api/picture.svg?game=chess-five&moves=R@a');
    assert.equal(svg.headers()['content-type'], 'image/svg+xml');
  });
});

describe('an invitation', () => {
  const clock = { kind: 'game', initial_ms: 300_000, increment_ms: 3_000 };
  for (const [width, height] of some([
    [390, 844],
    [1366, 657],
  ]))
    it(`X20, X21: says who, what, how long and which side, and one press plays, at ${width} px`, async () => {
      const [marta, joan, late] = [
        await house.person(),
        await house.person({ width, height }),
        await house.person({ width, height }),
      ];
      await call(marta, 'GET', '/me');
      await call(marta, 'PUT', '/me', { name: '37.20' });
      const id = await makeTable(marta, { game: 'connect-four', opponent: { kind: 'link' }, clock, side: 'second' });
      const [name, own] = [await nameOf(marta), await nameOf(joan)];
      for (const page of [joan, late]) {
        await page.goto(`/g/${id}`);
        await button(page, 'Play').waitFor();
      }
      const told = joan.locator('.invitation');
      for (const words of [
        `${name} wants to play you`,
        'Connect Four',
        '5 minutes each, plus 3 seconds per move.',
        'You start',
        'Not rated',
        `${name} is away.`,
        'Play',
        `Your name will be ${own}.`,
      ]) {
        const { y, height: high } = await told.getByText(words).first().boundingBox();
        assert.ok(y >= 0 && y + high <= height, `${words}: ${y} to ${y + high}`);
      }
      // The link says the same.
      const html = await (await joan.request.get(`/g/${id}`)).text();
      const tag = (what) => new RegExp(`property="og:${what}" content="([^"]+)"`).exec(html)[1];
      assert.equal(await joan.title(), `${tag('title')} – Alinea`);
      assert.equal(tag('description'), 'Connect Four · 5+3 · You start');
      const spanish = await joan.request.get(`/g/${id}`, { headers: { 'accept-language': 'es-ES,es;q=0.9' } });
      assert.ok((await spanish.text()).includes('Garza Turquesa quiere jugar contigo'));
      await button(joan, 'Play').click();
      await board(joan).waitFor();
      await joan.waitForFunction(() => document.activeElement.getAttribute('role') === 'gridcell');
      // Who comes too late can watch, or play another game.
      await late.getByText('This game has both players.').waitFor();
      await late.getByRole('link', { name: 'New game' }).waitFor();
      await button(late, 'Watch').click();
      await board(late).waitFor();
    });
});

describe('words', () => {
  it('finding 7: errors are said in the language of the page, never in that of the server', async () => {
    const page = await house.person({ language: 'es', expect: [/40[0149]/, /422/, /503/, /wasm/] });
    // Without the core the browser asks the server, for a game too; a core that was loaded before may be kept.
    await page.route('**/*.wasm', (route) => route.abort());
    await page.goto('/account');
    await button(page, 'Crear una cuenta').click();
    await page.getByLabel('Nombre', { exact: true }).fill('a b');
    await page.getByLabel('Contraseña').fill('correct horse');
    await page.locator('form button.main').click();
    await page.locator('main').getByRole('alert').getByText('Usa de 3 a 20 letras').waitFor();
    await page.goto('/analysis/connect-four?m=4+4+99');
    await page.locator('main').getByRole('alert').getByText('Las reglas').waitFor();
    assert.doesNotMatch(await page.locator('main').innerText(), /is not a move|expected/);
    // What the server could not store may have been done.
    await page.goto('/');
    await board(page).waitFor();
    // The words of errors come with the others, after the board.
    await settle(page);
    await page.route('**/api/tables', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 503, json: { ok: false, code: 'unavailable', message: 'the store is away' } })
        : route.continue(),
    );
    await page.getByRole('button', { name: /^Juega contra el ordenador/ }).click();
    await page.getByText('Puede que tu acción se haya guardado o no').waitFor();
    assert.ok(!(await page.locator('body').innerText()).includes('the store is away'));
  });

  it('the language of the system is chosen, with its country', async () => {
    for (const [locale, language, words] of some([
      ['pt-BR', 'pt-BR', 'Faça linha antes dos outros.'],
      ['pt-PT', 'pt-PT', 'Faz linha antes dos outros.'],
      ['ca-ES', 'ca', 'Fes línia abans que ningú.'],
      ['es-MX', 'es', 'Haz línea antes que nadie.'],
      ['de-CH', 'en', 'Line them up before they do.'],
    ])) {
      const page = await house.person({ language: '', locale });
      await page.goto('/');
      await page.getByRole('heading', { name: words }).waitFor();
      assert.equal(await page.evaluate(() => document.documentElement.lang), language);
    }
  });

  it('adjectives agree with the piece', async () => {
    for (const [language, rook, knight] of some([
      ['es', 'torre sólida', 'caballo sólido'],
      ['ca', 'torre sòlida', 'cavall sòlid'],
      ['pt-PT', 'torre sólida', 'cavalo sólido'],
    ])) {
      const page = await house.person({ language });
      await page.goto('/');
      await openTable(page, { game: 'chess-five' }, 'R@a R@b N@c');
      await settle(page);
      await page.locator(`[role=gridcell][aria-label^="a1, ${rook}"]`).waitFor();
      await page.locator(`[role=gridcell][aria-label^="c1, ${knight}"]`).waitFor();
    }
  });
});

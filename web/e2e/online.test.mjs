// People over the net: links, chat, spectators, lost connections, pairing, ratings, accounts.

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
  movesOf,
  nameOf,
  openTable,
  result,
  settle,
  shows,
  startProxy,
  startServer,
  tableOf,
  told,
  useHouse,
  WIDTHS,
} from './harness.mjs';

const house = useHouse(['--grace', '1']);
afterEach(() => house.leave());

const LOST = [/WebSocket|ERR_|Failed to load resource|no-answer/];
const say = async (page, text) => {
  const box = page.getByLabel('Write a message');
  if (!(await box.isVisible())) await action(page, 'Chat');
  await box.fill(text);
  await page.keyboard.press('Enter');
  const close = page.locator('.side.open .close');
  if (await close.isVisible()) await close.click();
};

/** Two people at a table by link, the first of them to move. */
async function two(width, game, { address, expect } = {}) {
  const [marta, joan] = [await house.person({ width, address, expect }), await house.person({ width })];
  const id = await openTable(marta, { game, opponent: { kind: 'link' } });
  await joan.goto(`/g/${id}`);
  await button(joan, 'Play').click();
  await marta.locator('.status', { hasText: 'Your turn' }).waitFor();
  return [marta, joan, id];
}

/** Plays a move on one screen and waits until it is on both. */
async function play([page, other], at, count) {
  await cell(page, at).click();
  for (const screen of [page, other]) await shows(screen, count);
}

async function signUp(page, name) {
  await page.goto('/account');
  await button(page, 'Create an account').click();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill('correct horse battery');
  await page.locator('form').getByRole('button', { name: 'Create an account' }).click();
  await page.getByRole('heading', { name }).waitFor();
}

for (const width of WIDTHS) {
  describe(`at ${width} px`, () => {
    const once = atOne(width);
    it('W10: two people by link, with chat and a spectator; no help to any of them before the end', async () => {
      const [marta, joan, anna] = [
        await house.person({ width, chosen: { evaluate: true } }),
        await house.person({ width }),
        await house.person({ width, chosen: { evaluate: true } }),
      ];
      const asked = [];
      for (const page of [marta, anna])
        page.on('request', (request) => /api\/(analysis|review)/.test(request.url()) && asked.push(request.url()));
      const id = await openTable(marta, { game: 'tic-tac-toe', opponent: { kind: 'link' } });
      await marta.getByText('Send this link to a friend').waitFor();
      const link = await marta.getByLabel('Link to this game').inputValue();
      await joan.goto(link);
      await button(joan, 'Play').click();
      await joan.locator('.status', { hasText: 'to move' }).waitFor();
      await anna.goto(`/watch/${id}`);
      await board(anna).waitFor();
      await cell(marta, 'b2').click();
      for (const page of [joan, anna]) await shows(page, 1);
      await cell(joan, 'a1').click();
      for (const page of [marta, anna]) await shows(page, 2);
      const said = '<b>hello</b> & good luck';
      await say(joan, said);
      await marta.getByText(said).first().waitFor({ state: 'attached' });
      await anna.getByText(said).first().waitFor({ state: 'attached' });
      await cell(anna, 'c3').click();
      await anna.locator('.status', { hasText: 'It is not your turn.' }).waitFor();
      assert.deepEqual(await movesOf(marta, id), ['b2', 'a1']);
      for (const page of [marta, anna]) {
        for (const name of ['Hint', 'Evaluate']) assert.equal(await button(page, name).count(), 0, name);
        await button(page, 'More').click();
        for (const name of ['Evaluate', 'Analyse']) assert.equal(await dialog(page).getByText(name).count(), 0, name);
        await dialog(page).getByRole('button', { name: 'Close' }).click();
        await cell(page, 'c3').focus();
        await page.keyboard.press('e');
        await page.locator('.status', { hasText: 'No help in games between people.' }).waitFor();
      }
      assert.deepEqual(asked, []);
      await call(marta, 'POST', `/tables/${id}/resign`);
      await result(anna).waitFor();
      await anna.locator('.lines li').first().waitFor({ state: 'attached' });
    });

    once('W8: a draw is offered, declined, offered again and accepted', async () => {
      const [marta, joan] = await two(width, 'connect-four');
      await play([marta, joan], 'd1', 1);
      await play([joan, marta], 'd1', 2);
      // The sentence about a move comes when its piece rests, and would take the place of the next.
      await marta.locator('.status', { hasText: 'played column 4' }).waitFor();
      await button(marta, 'Offer draw').click();
      await button(joan, 'Decline').click();
      await marta.locator('.status', { hasText: 'declined the draw' }).waitFor();
      await play([marta, joan], 'c1', 3);
      await button(joan, 'Offer draw').click();
      await button(marta, 'Accept').click();
      for (const page of [marta, joan]) await result(page).getByText('Both agreed to a draw.').waitFor();
      const before = joan.url();
      await result(marta).getByRole('button', { name: 'Play again' }).click();
      await result(joan).getByRole('button', { name: 'Accept the rematch' }).click();
      for (const page of [marta, joan])
        await page.waitForURL((url) => url.href !== before && url.pathname.startsWith('/g/'));
      assert.equal(marta.url(), joan.url());
      // The score goes along.
      for (const page of [marta, joan]) {
        const score = page.locator('.bar .score [aria-hidden]');
        // It comes with the new table, after its address.
        await score.nth(1).waitFor();
        assert.deepEqual(await score.allInnerTexts(), ['½', '½']);
      }
    });

    once('W8: taking back is asked for, refused and granted', async () => {
      const [marta, joan] = await two(width, 'tic-tac-toe');
      await play([marta, joan], 'b2', 1);
      await button(marta, 'Take back').click();
      await button(joan, 'Decline').click();
      await marta.locator('.status', { hasText: 'does not agree to the takeback' }).waitFor();
      for (const page of [marta, joan]) await shows(page, 1);
      await button(marta, 'Take back').click();
      await button(joan, 'Accept').click();
      for (const page of [marta, joan]) await shows(page, 0);
      await play([marta, joan], 'a1', 1);
    });

    once('W9: a reload in the middle of an online game keeps the seat', async () => {
      const [marta, joan] = await two(width, 'tic-tac-toe');
      await play([marta, joan], 'b2', 1);
      await joan.reload();
      await shows(joan, 1);
      await play([joan, marta], 'a1', 2);
    });

    it('W11: the connection is lost and comes back: a banner, no lost and no doubled move', async () => {
      const proxy = await startProxy(house.server.address);
      try {
        const [marta, joan, id] = await two(width, 'connect-four', { address: proxy.address, expect: LOST });
        await play([marta, joan], 'd1', 1);
        proxy.cut();
        const cutAt = performance.now();
        await marta.getByText('Connection lost.').waitFor();
        await joan
          .getByText(/has disconnected/)
          .first()
          .waitFor();
        await cell(joan, 'd1').click();
        await shows(joan, 2);
        // On small screens longer than the first attempts to reconnect.
        if (width < 500) await joan.waitForTimeout(Math.max(0, 10_000 - (performance.now() - cutAt)));
        proxy.mend();
        await shows(marta, 2);
        await marta.getByText('Connection lost.').waitFor({ state: 'detached' });
        await marta.locator('.status', { hasText: 'Your turn' }).waitFor();
        // A move made while disconnected is sent after reconnecting.
        proxy.cut();
        await marta.getByText('Connection lost.').waitFor();
        await cell(marta, 'c1').click();
        proxy.mend();
        await shows(joan, 3);
        assert.deepEqual(await movesOf(joan, id), ['4', '4', '3']);
      } finally {
        proxy.stop();
      }
    });

    it('W11: the win can be claimed from a player who stays away', async () => {
      const [marta, joan] = await two(width, 'connect-four');
      await play([marta, joan], 'd1', 1);
      await play([joan, marta], 'd1', 2);
      await joan.context().close();
      await button(marta, 'Claim the win').click();
      await result(marta).getByText('left and did not come back').waitFor();
    });

    once('W12: two accounts are paired, and the rating changes', async () => {
      const [marta, joan] = [await house.person({ width }), await house.person({ width })];
      const people = [
        [marta, `marta${width}`],
        [joan, `joan${width}`],
      ];
      for (const [page, name] of people) await signUp(page, name);
      for (const [page] of people) {
        await page.goto('/play/connect-four');
        await button(page, 'Anyone').click();
        await button(page, '3 + 2').click();
        await page.getByLabel('Rated').check();
        await button(page, 'Find an opponent').click();
      }
      for (const [page] of people) await page.waitForURL(/\/g\//);
      await board(marta).waitFor();
      const id = marta.url().split('/').at(-1);
      const { seats } = await tableOf(marta, id);
      const first = seats[0].name === `marta${width}` ? marta : joan;
      const second = first === marta ? joan : marta;
      let made = 0;
      for (const column of ['d', 'a', 'd', 'a', 'd', 'a', 'd']) {
        await cell(made % 2 ? second : first, `${column}6`).click();
        made += 1;
        for (const page of [first, second]) await shows(page, made);
      }
      for (const page of [first, second]) await result(page).getByText(/→/).first().waitFor();
      await result(first).getByText('You win.').waitFor();
      await marta.goto('/rank/connect-four?kind=slow');
      await marta.getByRole('heading', { name: 'Ranking' }).waitFor();
      await marta.goto(`/u/joan${width}`);
      await marta.locator('svg polyline + circle').waitFor();
      await marta.getByText(/1 (win|loss)/).waitFor();
    });

    once('signs out and in, lists and ends sessions', async () => {
      const [here, there] = [
        await house.person({ width, expect: [/40[13]/] }),
        await house.person({ width, expect: [/40[13]/] }),
      ];
      const name = `pere${width}`;
      await signUp(here, name);
      await there.goto('/account');
      await there.getByLabel('Name').fill(name);
      await there.getByLabel('Password').fill('wrong horse battery');
      await there.locator('form').getByRole('button', { name: 'Sign in' }).click();
      await there.getByText('Wrong name or password.').first().waitFor();
      await there.getByLabel('Password').fill('correct horse battery');
      await there.locator('form').getByRole('button', { name: 'Sign in' }).click();
      await there.getByRole('heading', { name }).waitFor();
      await here.reload();
      await here.getByRole('button', { name: /^Sign out: / }).click();
      await here.waitForFunction(() => document.querySelectorAll('.session').length === 1);
      await button(here, 'Sign out').click();
      await here.getByText('You are playing as a guest.').waitFor();
    });

    once('makes a token for a program, which plays as a bot until it is revoked', async () => {
      const page = await house.person({ width });
      const name = `robot${width}`;
      await signUp(page, name);
      await page.getByLabel('Label').fill('my bot');
      await button(page, 'Create a token').click();
      assert.ok(
        await page.locator('input[type=checkbox]').evaluate((box) => box.validity.valueMissing),
        'asked whether it is a bot’s account',
      );
      await page.getByLabel('This account is for a program.').check();
      await button(page, 'Create a token').click();
      const token = await page.locator('code').innerText();
      const ask = () => fetch(`${house.server.address}/api/me`, { headers: { authorization: `Bearer ${token}` } });
      assert.equal((await (await ask()).json()).name, name);
      assert.equal((await call(page, 'GET', `/players/${name}`)).bot, true);
      await page.reload();
      await page.getByText('my bot').waitFor();
      assert.ok(!(await page.locator('main').innerText()).includes(token), 'shown once');
      await button(page, 'Revoke: my bot').click();
      await page.getByText('my bot').waitFor({ state: 'detached' });
      assert.equal((await ask()).status, 401);
    });
  });
}

it('a player is reported, and blocked: nothing they say is seen', async () => {
  const [marta, joan, id] = await two(1280, 'tic-tac-toe');
  const name = await nameOf(joan);
  await button(marta, 'Report or block').click();
  const dialog = marta.getByRole('dialog', { name: `Report ${name}` });
  await dialog.getByLabel('Insults or harassment').check();
  await dialog.getByLabel('Details (optional)').fill('rude');
  const sent = marta.waitForRequest('**/api/reports');
  await button(marta, 'Send report').click();
  assert.deepEqual((await sent).postDataJSON(), { table: id, side: 'second', reason: 'abuse', text: 'rude' });
  await marta.getByText('have received your report').first().waitFor();
  await say(joan, 'before');
  await marta.locator('.tab-chat').getByText('before').waitFor();
  await button(marta, 'Report or block').click();
  await button(marta, 'Block').click();
  await marta.getByText(`${name} is blocked.`).first().waitFor();
  await marta.locator('.tab-chat').getByText('1 message from a blocked player is hidden.').waitFor();
  await say(joan, 'after');
  await marta.locator('.tab-chat').getByText('2 messages').waitFor();
  assert.doesNotMatch(await marta.locator('main').innerText(), /before|after/);
  assert.doesNotMatch(await told(marta), /after/);
  await marta.reload();
  await marta.locator('.tab-chat').getByText('2 messages').waitFor();
  await button(marta, 'Report or block').click();
  await button(marta, 'Unblock').click();
  await marta.locator('.tab-chat').getByText('after').waitFor();
});

it('W11: the server restarts, and the game continues', async () => {
  let server = await startServer();
  const proxy = await startProxy(server.address);
  try {
    const page = await house.person({ address: proxy.address, expect: LOST });
    const id = await openTable(page, { game: 'connect-four' }, '4 4');
    await page.locator('[data-link=online]').waitFor();
    // The code of the notice comes after the board, and not from a server that has stopped.
    await settle(page);
    // The notice is soon replaced by that of the lost connection, so the test waits for it in the meantime.
    await Promise.all([page.getByText('The server is restarting.').waitFor(), server.end()]);
    server = await startServer([], server.folder);
    proxy.lead(server.address);
    await page.getByText('The server is restarting.').waitFor({ state: 'detached' });
    await cell(page, 'c1').click();
    await shows(page, 3);
    assert.deepEqual(await movesOf(page, id), ['4', '4', '3']);
  } finally {
    proxy.stop();
    await server.stop();
  }
});

// After one visit, without a network: what needs no server works, and a new version is offered.

import assert from 'node:assert/strict';
import http from 'node:http';
import { after, afterEach, it } from 'node:test';

import { board, button, cell, GAMES, shows, stand, tableOf, useHouse } from './harness.mjs';

const house = useHouse();
afterEach(() => house.leave());
const fronts = [];
after(() => fronts.forEach((front) => front.close()));

/** What a browser says when there is no network. */
const NO_NETWORK = /ERR_|WebSocket|Failed to (fetch|load)/;

/** A server before the server, which can be cut off, and which can have another service worker. */
async function startFront(address) {
  const front = { isCut: false, worker: (text) => text };
  const server = http.createServer(async (request, response) => {
    if (front.isCut) return response.destroy();
    const answer = await fetch(address + request.url, { headers: { cookie: request.headers.cookie ?? '' } });
    const headers = Object.fromEntries(
      [...answer.headers].filter(
        ([name]) => !['content-encoding', 'content-length', 'transfer-encoding'].includes(name),
      ),
    );
    const body = Buffer.from(await answer.arrayBuffer());
    response.writeHead(answer.status, headers);
    response.end(request.url === '/sw.js' ? front.worker(body.toString()) : body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  front.address = `http://127.0.0.1:${server.address().port}`;
  front.close = () => (server.closeAllConnections(), server.close());
  fronts.push(front);
  return front;
}

/** A visitor for whom the page is kept. */
async function visitor() {
  const front = await startFront(house.server.address);
  const page = await house.person({
    address: front.address,
    serviceWorkers: 'allow',
    prepared: true,
    expect: [NO_NETWORK, /405/],
  });
  await page.goto('/');
  await page.evaluate(() => navigator.serviceWorker.ready);
  return { page, front };
}

it('W26: without a network each game against a level, two people, analysis and review', async () => {
  const { page, front } = await visitor();
  front.isCut = true;
  for (const game of GAMES) {
    await page.goto(`/play/${game}`);
    await button(page, 'Play').click();
    await page.waitForURL(/\/g\/here-/);
    await board(page).waitFor();
    const { legal } = await tableOf(page);
    await page.locator(`[role=gridcell][aria-label^="${legal[0].to},"]`).click();
    await shows(page, 2);
    await page.reload();
    await shows(page, 2);
  }
  await page.goto('/');
  await page.locator('a[href^="/g/here-"]').first().waitFor();
  // Without a name, the reader is “You” once; what needs the server says what works without it.
  await page.goto('/play/connect-four');
  await button(page, 'Play').click();
  await board(page).waitFor();
  assert.equal((await page.locator('.bar.bottom').innerText()).match(/You\b/g).length, 1);
  await page.goto('/rank');
  await page.getByText('Games against the computer, puzzles and the analysis work without it.').waitFor();
  assert.equal(await page.getByText('Nobody is ranked').count(), 0);
  // Two people at one screen.
  await page.goto('/play/connect-four');
  await button(page, 'Same screen').click();
  await button(page, 'Play').click();
  await page.waitForURL(/\/g\/here-/);
  for (const [name, count] of [
    ['d1', 1],
    ['d2', 2],
    ['c1', 3],
  ]) {
    await cell(page, name).click();
    await shows(page, count);
  }
  await page.goto('/analysis/connect-four?m=4+4+5');
  await shows(page, 3);
  await button(page, 'Review the game').click();
  await page.locator('.moves .mark').first().waitFor();
});

it('a new version is offered in the middle of a game, and loaded when the reader wants it', async () => {
  const { page, front } = await visitor();
  await page.goto('/play/connect-four');
  await button(page, 'Play').click();
  await page.waitForURL(/\/g\/here-/);
  await cell(page, 'd1').click();
  await shows(page, 2);
  // The server is updated: its service worker has changed by a byte.
  front.worker = (text) => text.replace("VERSION = '", "VERSION = '0");
  await page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()));
  const offer = page.getByText('A new version is ready.');
  await offer.waitFor();
  // The game goes on meanwhile.
  await cell(page, 'a1').click();
  await shows(page, 4);
  await Promise.all([page.waitForEvent('load'), button(page, 'Update now').click()]);
  await shows(page, 4);
  assert.equal(await offer.count(), 0);
  await stand(page, 4);
});

// One way through the page in Firefox, driven over WebDriver BiDi: the first game by keys and clicks, its end, the analysis,
// a friend's link. The other tests run in Chromium.

import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';

import { inAll, startServer } from './harness.mjs';

describe('in Firefox', () => {
  let server;
  let browser;
  const complaints = [];
  before(async () => {
    if (!process.env.ALINEA_TEST_ALL) return;
    const { launch } = await import('puppeteer-core');
    server = await startServer();
    browser = await launch({
      browser: 'firefox',
      protocol: 'webDriverBiDi',
      executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
      headless: true,
      extraPrefsFirefox: { 'intl.accept_languages': 'en' },
    });
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  async function open(path, { width, height, theme }) {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    await page.setViewport({ width, height });
    await page.evaluateOnNewDocument((theme) => {
      // The first page of a tab is empty and has no storage.
      if (location.protocol === 'http:')
        localStorage.setItem('alinea.settings', JSON.stringify({ theme, sound: false, pace: 'instant' }));
    }, theme);
    await page.goto(server.address + path);
    return page;
  }
  const pieces = (page, count) =>
    page.waitForFunction((count) => document.querySelectorAll('.board [data-cell]').length >= count, {}, count);
  const text = (page, of, words) =>
    page.waitForFunction(
      (of, words) => [...document.querySelectorAll(of)].some((part) => part.textContent.includes(words)),
      {},
      of,
      words,
    );
  const press = (page, name) => page.locator(`::-p-aria([name="${name}"][role="button"])`).click();

  for (const [width, height, theme] of [
    [1366, 657, 'light'],
    [390, 844, 'neon'],
  ])
    inAll(`a first game, its end, the analysis and a friend's link at ${width} px`, async () => {
      complaints.length = 0;
      const page = await open('/', { width, height, theme });
      await page.waitForSelector('[role=grid]');
      // The first piece by a key; the program answers; the next one by a click.
      await page.focus('[role=gridcell][tabindex="0"]');
      await page.keyboard.press('4');
      await page.waitForFunction(() => location.pathname.startsWith('/g/'));
      await pieces(page, 2);
      await page.locator('[data-spot="4,5"]').click();
      await pieces(page, 4);
      // Nothing beside the board scrolls, so no scrollbar lies over a corner of a card.
      const scrolls = await page.evaluate(() =>
        [...document.querySelectorAll('.side, .game > *')]
          .filter(
            (part) => /auto|scroll/.test(getComputedStyle(part).overflowY) && part.offsetWidth > part.clientWidth + 2,
          )
          .map((part) => part.className),
      );
      assert.deepEqual(scrolls, []);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      await press(page, 'More');
      await press(page, 'Resign');
      await text(page, 'dialog button', 'Keep playing');
      await page.evaluate(() =>
        [...document.querySelectorAll('dialog button')].find((part) => part.textContent.trim() === 'Resign').click(),
      );
      await text(page, '.result h2', 'You resigned.');
      await page.locator('::-p-aria([name="Analyse"][role="link"])').click();
      await page.waitForFunction(() => location.pathname.startsWith('/analysis/'));
      await pieces(page, 4);
      // A friend's link.
      const marta = await open('/play/tic-tac-toe', { width, height, theme });
      await marta.waitForSelector('main h1');
      const id = await marta.evaluate(async () => {
        const table = {
          game: 'tic-tac-toe',
          opponent: { kind: 'link' },
          side: 'first',
          clock: { kind: 'none' },
          rated: false,
          take_back: false,
          listed: false,
        };
        const response = await fetch('/api/tables', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(table),
        });
        return (await response.json()).table;
      });
      await marta.goto(`${server.address}/g/${id}`);
      await marta.waitForSelector('svg.qr');
      await page.goto(`${server.address}/g/${id}`);
      await text(page, 'h2', 'wants to play you');
      await press(page, 'Play');
      await text(marta, '.status', 'Your turn');
      await marta.locator('[data-spot="1,1"]').click();
      await pieces(page, 1);
      assert.deepEqual(complaints, []);
    });
});

// Figures of the page, not asserted anywhere: how soon it shows on a slow phone, how soon a move is seen.

import { chromium } from 'playwright-core';

import { board, openTable, shows, startServer } from './harness.mjs';

const server = await startServer();
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

const page = await (await browser.newContext({ baseURL: server.address, viewport: { width: 390, height: 800 } })).newPage();
const id = await openTable(page, { game: 'chess-five' });
const slow = await page.context().newCDPSession(page);
await slow.send('Network.emulateNetworkConditions', { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 100_000 });
await slow.send('Emulation.setCPUThrottlingRate', { rate: 4 });
await slow.send('Network.setCacheDisabled', { cacheDisabled: true });
const shown = [];
for (let i = 0; i < 5; i++) {
  await page.goto(`/g/${id}`);
  await board(page).waitFor();
  shown.push(await page.evaluate(() => new Promise((resolve) => new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime)).observe({ type: 'largest-contentful-paint', buffered: true }))));
}
console.log(`largest paint, 1.6 Mb/s, 150 ms, CPU ÷ 4: ${Math.round(median(shown))} ms`);

await slow.detach();
await openTable(page, { game: 'connect-four' });
const seen = [];
for (let i = 0; i < 21; i++) {
  await page.evaluate(() => {
    globalThis.painted = new Promise((resolve) => {
      const start = performance.now();
      new MutationObserver((_, observer) => {
        observer.disconnect();
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - start)));
      }).observe(document.querySelector('.board svg'), { childList: true, subtree: true });
    });
    document.querySelector(`[role=gridcell][data-spot="${document.querySelectorAll('.moves li button').length % 7},5"]`).click();
  });
  seen.push(await page.evaluate(() => globalThis.painted));
  await shows(page, i + 1);
}
const layout = await page.evaluate(() => new Promise((resolve) => new PerformanceObserver((list) => resolve(list.getEntries().reduce((sum, { value }) => sum + value, 0))).observe({ type: 'layout-shift', buffered: true }) ?? setTimeout(() => resolve(0), 300)));
console.log(`a click is seen after ${Math.round(median(seen))} ms; layout shift ${layout.toFixed(3)}`);
await browser.close();
await server.stop();

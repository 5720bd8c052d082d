// A page of another site uses the server: the example of docs/how-to/host-a-server.md, with these addresses.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { test } from 'node:test';

import { openBrowser, startServer } from './harness.mjs';

const document = readFileSync(new URL('../../docs/how-to/host-a-server.md', import.meta.url), 'utf8');
const client = readFileSync(new URL('../node_modules/socket.io-client/dist/socket.io.esm.min.js', import.meta.url));
const example = document.match(/```html\n([\s\S]*?)```/)[1];

/** A site with the example as its only page. `localhost` is another site than the server's `127.0.0.1`. */
async function startSite() {
  const site = createServer((request, response) => {
    const isScript = request.url.endsWith('.js');
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? client : site.page);
  });
  await new Promise((resolve) => site.listen(0, '127.0.0.1', resolve));
  return Object.assign(site, { address: `http://localhost:${site.address().port}` });
}

for (const transports of [['websocket'], ['polling']]) {
  test(`a page of an allowed site plays over ${transports[0]}, one of another site cannot`, async () => {
    const [site, other] = [await startSite(), await startSite()];
    const server = await startServer(['--origin', site.address]);
    const browser = await openBrowser();
    try {
      for (const each of [site, other]) {
        each.page = example
          .replaceAll('https://blog.example', each.address)
          .replaceAll('https://alinea.example', server.address)
          .replace('withCredentials: true', `withCredentials: true, transports: ${JSON.stringify(transports)}`);
      }
      const page = await browser.newPage();
      const answered = page.waitForEvent(
        'console',
        (message) => message.type() === 'log' && message.text().startsWith('2 '),
      );
      await page.goto(site.address);
      assert.match((await answered).text(), /^2 [1-7]$/);
      const blocked = await browser.newPage();
      const refused = blocked.waitForEvent('console', (message) => /blocked by CORS policy/.test(message.text()));
      await blocked.goto(other.address);
      await refused;
    } finally {
      await browser.close();
      await server.stop();
      for (const each of [site, other]) {
        each.closeAllConnections();
        each.close();
      }
    }
  });
}

// The fixture of the browser tests: a server, a browser, and helpers for what players do.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';

import { chromium } from 'playwright-core';

const root = new URL('../..', import.meta.url).pathname;
export const binary =
  process.env.ALINEA ?? ['release', 'debug'].map((profile) => join(root, 'target', profile, 'alinea')).find(existsSync);

/** `make test-all` goes every way at every width, in every theme and language; `make test` goes it once. */
const isAll = Boolean(process.env.ALINEA_TEST_ALL);
/** Of several ways to do the same, all or the first. */
export const some = (ways) => (isAll ? ways : ways.slice(0, 1));
/** A test that runs in `make test-all` only. */
export const inAll = (name, run) => it(name, { skip: !isAll && 'runs in `make test-all`' }, run);

export const WIDTHS = some([1280, 320]);
/** For tests of what does not depend on the width: at the first one. */
export const atOne = (width) => (width === WIDTHS[0] ? it : () => {});
export const THEMES = some(['neon', 'light', 'colour-safe']);

/** Starts `alinea serve` on a free port with an empty database, or on the database of an earlier server. */
export async function startServer(options = [], folder = mkdtempSync(join(tmpdir(), 'alinea-e2e-'))) {
  assert.ok(binary, 'build the server first: cargo build --release');
  const child = spawn(
    binary,
    ['serve', '--listen', '127.0.0.1:0', '--data', join(folder, 'e2e.db'), '--limits', '0', ...options],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const address = await new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (data) => {
      text += data;
      const found = /http:\/\/[\d.]+:\d+/.exec(text);
      if (found) resolve(found[0]);
    });
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}: ${text}`)));
  });
  const end = async () => {
    if (child.exitCode !== null) return;
    const gone = new Promise((resolve) => child.on('exit', resolve));
    child.kill('SIGTERM');
    await gone;
  };
  return {
    address,
    folder,
    /** Ends it and keeps its database. */
    end,
    stop: async () => {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The ids of all games that the server offers; tests are generated from them. */
export const GAMES = await listGames();

async function listGames() {
  const server = await startServer();
  try {
    const response = await fetch(`${server.address}/api/games`);
    assert.ok(response.ok, `GET /api/games: ${response.status}`);
    return (await response.json()).map(({ id }) => id);
  } finally {
    await server.stop();
  }
}

export const openBrowser = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox'],
  });

/** A TCP proxy to the server that can be cut, to simulate a lost network. */
export async function startProxy(address) {
  let { hostname, port } = new URL(address);
  const open = new Set();
  let isCut = false;
  const server = net.createServer((near) => {
    if (isCut) return near.destroy();
    const far = net.connect(Number(port), hostname);
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => (open.delete(socket), near.destroy(), far.destroy()));
    }
    near.pipe(far).pipe(near);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${server.address().port}`,
    cut: () => {
      isCut = true;
      for (const socket of open) socket.destroy();
    },
    mend: () => (isCut = false),
    /** Forwards new connections to another server. */
    lead: (address) => ({ hostname, port } = new URL(address)),
    stop: () => {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}

/** The server is busy: the page asks again. */
const BUSY = /503 .*\/api\/(analysis|review)$/;

/** The open requests of each page, and since when. */
const waiting = new WeakMap();
/** A request that is open for longer was left by a worker that has ended: the browser says nothing more about it. */
const LEFT_MS = 10_000;
const waits = (page) => [...waiting.get(page).values()].some((since) => Date.now() - since < LEFT_MS);

/** Waits until a page has its heading, has no open request, and is drawn. */
export async function settle(page) {
  await page.locator('main h1').first().waitFor({ state: 'attached' });
  do await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  while (waits(page));
}

/**
 * A server and a browser for the tests of a file. Each person is a context of its own; what the browser
 * complains about and what it asks of other hosts fails the test that caused it.
 */
export function useHouse(options = []) {
  const house = { complaints: [] };
  const contexts = [];
  before(async () => {
    house.server = await startServer(options);
    house.browser = await openBrowser();
  });
  after(async () => {
    await house.browser?.close();
    await house.server?.stop();
  });

  house.person = async ({
    width = 1280,
    height = width < 500 ? 640 : 860,
    theme = 'neon',
    language = 'en',
    address,
    others = [],
    expect = [],
    chosen = {},
    prepared = false,
    ...more
  } = {}) => {
    const base = address ?? house.server.address;
    const context = await house.browser.newContext({
      viewport: { width, height },
      baseURL: base,
      locale: language,
      serviceWorkers: 'block',
      ...more,
    });
    contexts.push(context);
    await context.addInitScript(
      ([chosen, language]) => {
        if (localStorage.getItem('alinea.settings') === null)
          localStorage.setItem('alinea.settings', JSON.stringify(chosen));
        if (language && localStorage.getItem('alinea.language') === null)
          localStorage.setItem('alinea.language', language);
      },
      [{ theme, sound: false, evaluate: false, ...chosen }, language],
    );
    // Most tests have no game in the browser: there the core comes only when it is asked for, as where data is dear.
    if (!prepared)
      await context.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const open = new Map();
    waiting.set(page, open);
    page.on('request', (request) => open.set(request, Date.now()));
    for (const end of ['requestfinished', 'requestfailed']) page.on(end, (request) => open.delete(request));
    const complain = (text) => {
      if (![...expect, BUSY].some((pattern) => pattern.test(text))) house.complaints.push(text);
    };
    page.on(
      'console',
      (message) => message.type() === 'error' && complain(`${message.text()} at ${message.location().url}`),
    );
    page.on('pageerror', (error) => complain(String(error.stack ?? error)));
    page.on('request', (request) => {
      // A worker of the embedded board has its script inside.
      if (
        !request.url().startsWith('blob:') &&
        ![base, ...others].some((host) => new URL(host).host === new URL(request.url()).host)
      )
        complain(`asked another host: ${request.url()}`);
    });
    return page;
  };

  /** Closes all contexts and fails if a browser reported an error. */
  house.leave = async () => {
    for (const context of contexts.splice(0)) await context.close();
    const complaints = house.complaints.splice(0);
    assert.deepEqual(complaints, [], 'the browser complained');
  };
  return house;
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds wrong. The page's own policy forbids inline scripts, so axe is injected by the debugger. */
export async function faults(page, rules) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(
    (rules) =>
      axe.run(document, { resultTypes: ['violations'], ...(rules && { runOnly: { type: 'rule', values: rules } }) }),
    rules,
  );
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join('; ')}`,
  );
}

/** A table as the server or the browser has kept it; that of the page if none is named. */
export async function tableOf(page, id = page.url().split('/').at(-1)) {
  if (!id.startsWith('here-')) return call(page, 'GET', `/tables/${id}`);
  const kept = await page.evaluate(
    (id) =>
      new Promise((resolve, reject) => {
        const opened = indexedDB.open('alinea');
        opened.onerror = () => reject(opened.error);
        opened.onsuccess = () => {
          const read = opened.result.transaction('tables').objectStore('tables').get(id);
          read.onsuccess = () => resolve(read.result);
        };
      }),
    id,
  );
  return kept.snapshot;
}

/** Asks the server with the cookies of the page. */
export async function call(page, method, path, body) {
  const response = await page.request.fetch(`/api${path}`, { method, ...(body && { data: body }) });
  const text = await response.text();
  if (!response.ok()) throw new Error(`${method} ${path}: ${response.status()} ${text}`);
  return text ? JSON.parse(text) : null;
}

/** The name of the person at a page; that of a guest in English. */
export async function nameOf(page) {
  const { name } = await call(page, 'GET', '/me');
  const { first, second } = await call(page, 'GET', '/guest-names');
  const [colour, animal] = name.split('.');
  return animal === undefined ? name : `${first[colour]} ${second[animal]}`;
}

const NEW_TABLE = {
  opponent: { kind: 'here' },
  side: 'first',
  clock: { kind: 'none' },
  rated: false,
  take_back: true,
  listed: true,
};

/** Sets up a table and plays moves on it, of both sides. */
export async function makeTable(page, table, moves = '') {
  const { table: id } = await call(page, 'POST', '/tables', { ...NEW_TABLE, ...table });
  let ply = 0;
  for (const move of moves.split(' ').filter(Boolean))
    await call(page, 'POST', `/tables/${id}/make-move`, { ply: ++ply, move });
  return id;
}

/**
 * Goes to a page as a link does, without loading everything anew; the first time it is loaded. Where loading is the point,
 * a test says `page.goto`.
 */
export async function visit(page, path) {
  const from = page.url();
  // The analysis stays where it is when its game changes, and a table is the same page to players and spectators.
  const stays = () =>
    from.split('/').at(-1) === path.split('/').at(-1) || [from, path].every((address) => address.includes('/analysis'));
  if (from === 'about:blank' || stays()) return void (await page.goto(path));
  // A page that is loaded may not have drawn anything yet.
  await page.locator('main > *').first().waitFor({ state: 'attached' });
  await page.evaluate((path) => {
    globalThis.before = document.querySelector('main').firstElementChild;
    const link = Object.assign(document.createElement('a'), { href: path });
    document.body.append(link);
    link.click();
    link.remove();
  }, path);
  await page.waitForFunction(() => !globalThis.before?.isConnected);
}

/** Sets up a table, plays moves on it, and shows it. */
export async function openTable(page, table, moves = '') {
  const id = await makeTable(page, table, moves);
  await visit(page, `/g/${id}`);
  await board(page).waitFor();
  return id;
}

export const board = (page) => page.getByRole('grid');
export const cell = (page, name) => page.locator(`[role=gridcell][aria-label^="${name},"]`);
export const pieces = (page) => page.locator('.board [data-cell]');
export const status = (page) => page.locator('.status');
export const button = (page, name) => page.getByRole('button', { name, exact: true });
/** A piece in hand. */
export const hand = (page, kind) =>
  page.getByRole('group', { name: 'Pieces in hand' }).getByRole('button', { name: new RegExp(`^${kind}, `) });
/** The card that tells the result, beside the board. */
export const result = (page) => page.getByRole('region', { name: 'Result' });
/** Presses an action; on small screens some are under More. */
export async function action(page, name) {
  const shown = button(page, name).first();
  if (await shown.isVisible()) return shown.click();
  await button(page, 'More').click();
  await dialog(page).getByRole('button', { name, exact: true }).click();
}
export const dialog = (page) => page.getByRole('dialog');

/** The moves of a table as the server or the browser has kept them. */
export async function movesOf(page, id) {
  return (await tableOf(page, id)).moves.map(({ move }) => move);
}

/** Waits until a table of the page lists `count` moves. */
export async function shows(page, count) {
  await page.waitForFunction((count) => document.querySelectorAll('.moves li button').length === count, count);
}

/** Waits until the board of the page has `count` pieces. */
export async function stand(page, count) {
  await page.waitForFunction((count) => document.querySelectorAll('.board [data-cell]').length === count, count);
}

/** Waits until screen readers have been told something. */
export const hears = (page, words) =>
  page.locator('[role=status][aria-live=polite]', { hasText: words }).waitFor({ state: 'attached' });

/** What screen readers were told politely. */
export const told = (page) => page.locator('[role=status][aria-live=polite]').textContent();

// T4: a game between the terminal and the page on one server.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';

import { binary, button, cell, makeTable, result, shows, useHouse } from './harness.mjs';

const house = useHouse();
afterEach(() => house.leave());

/** The program in a terminal of 100 × 34; it ends with the test. */
function openTerminal(context, address) {
  const folder = mkdtempSync(join(tmpdir(), 'alinea-terminal-'));
  const socket = `alinea-e2e-${process.pid}`;
  const tmux = (...args) =>
    execFileSync('tmux', ['-u', '-L', socket, ...args], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    });
  tmux(
    '-f',
    '/dev/null',
    'new-session',
    '-d',
    '-x',
    '100',
    '-y',
    '34',
    '-e',
    `ALINEA_DATA=${folder}`,
    binary,
    'online',
    address,
    '--no-animation',
    '--lang',
    'en',
  );
  context.after(() => {
    tmux('kill-server');
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    press: (...keys) => tmux('send-keys', ...keys),
    type: (text) => tmux('send-keys', '-l', text),
    /** Looks at the screen until it has a text. */
    waitFor: async (text) => {
      for (let tries = 0; tries < 600; tries++) {
        const screen = tmux('capture-pane', '-p');
        if (screen.includes(text)) return screen;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      assert.fail(`waited in vain for ${text}:\n${tmux('capture-pane', '-p')}`);
    },
  };
}

describe('T4: the terminal against the page', () => {
  it('a game from the link to the result', async (context) => {
    const page = await house.person();
    const id = await makeTable(page, { game: 'connect-four', opponent: { kind: 'link' } });
    await page.goto(`/g/${id}`);
    const terminal = openTerminal(context, `${house.server.address}/g/${id}`);
    await terminal.waitFor('Take the seat and play');
    terminal.press('Enter');
    for (const [ply, [own, reply]] of [
      ['d1', '1'],
      ['d2', '1'],
      ['d3', '1'],
    ].entries()) {
      await cell(page, own).click();
      await terminal.waitFor('Your turn.');
      terminal.press('/');
      terminal.type(reply);
      terminal.press('Enter');
      await shows(page, 2 * ply + 2);
    }
    await cell(page, 'd4').click();
    await result(page).getByText('You win.').waitFor();
    await terminal.waitFor('You lost.');
    await button(page, 'Play again').click();
    await terminal.waitFor('would like to play again');
    terminal.press('n');
    // Sides are exchanged: the terminal begins.
    await terminal.waitFor('Your turn.');
    await page.waitForURL((url) => !url.pathname.endsWith(id));
  });
});

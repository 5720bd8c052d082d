// Puzzles: solved, missed, helped, by day, against the clock, from one's own games, with an account and without a network.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import http from 'node:http';
import { after, afterEach, it } from 'node:test';

import { binary, board, button, call, cell, settle, stand, useHouse, visit } from './harness.mjs';

const house = useHouse();
afterEach(() => house.leave());
const fronts = [];
after(() => fronts.forEach((front) => front.close()));

/** The collection with its solutions, by id. */
const exported = spawnSync(binary, ['puzzles', 'export'], { encoding: 'utf8', maxBuffer: 1e8 })
  .stdout.trim()
  .split('\n');
const collection = new Map(
  exported.map((line) => JSON.parse(line)).map((record) => [`${record.game.split(':')[0]}-${record.number}`, record]),
);

const heading = (page, name) => page.getByRole('region', { name: 'Result' }).getByRole('heading', { name });
const gameOf = ({ game }) => game.split(':')[0];
const some = (test) => [...collection].find(([, record]) => test(record));

/** Makes a move of tic-tac-toe or Connect Four. */
async function make(page, move) {
  await cell(page, /^\d$/.test(move) ? `${'abcdefg'[move - 1]}6` : move).click();
}

/** Plays the solution of the puzzle that the page shows. */
async function solve(page, { moves, solution }) {
  for (let at = 0; at < solution.length; at += 2) {
    await stand(page, moves.length + at);
    // The opponent's piece rests before it is one's turn.
    await page.locator('[role=grid].acts').waitFor();
    await make(page, solution[at]);
  }
}

/** Answers a puzzle with a wrong move. */
async function miss(page, { game, moves, solution }) {
  await stand(page, moves.length);
  const { legal } = (await call(page, 'POST', '/position', { game, moves: moves.join(' ') })).plies.at(-1);
  await make(page, legal.find(({ move }) => move !== solution[0]).move);
}

const shownId = (page) => page.locator('[data-puzzle]').getAttribute('data-puzzle');
/** Waits until another puzzle is shown than this one. */
const another = (page, id) =>
  page.waitForFunction((id) => {
    const shown = document.querySelector('[data-puzzle]')?.dataset.puzzle;
    return shown && shown !== id;
  }, id);

it('a puzzle is solved move by move, rated, and in the history', async () => {
  const page = await house.person();
  const [id, record] = some(
    (it) => gameOf(it) === 'connect-four' && it.solution.length >= 3 && it.solution.length % 2 === 1,
  );
  await visit(page, `/puzzles/${id}`);
  await solve(page, record);
  await heading(page, 'Solved!').waitFor();
  await page.getByText(/Your rating is about [12],\d{3} so far/).waitFor();
  await stand(page, record.moves.length + record.solution.length);
  await button(page, 'Next puzzle').click();
  await another(page, id);
  await visit(page, '/puzzles');
  await page.getByText('1 of 1 solved on the first try.').waitFor();
  await page.getByRole('link', { name: `Connect Four ${record.number}`, exact: true }).waitFor();
});

it('says what a hint costs before it is taken', async () => {
  const [id] = some((record) => gameOf(record) === 'connect-four' && record.solution.length > 1);
  const page = await house.person();
  await visit(page, `/puzzles/${id}`);
  const cost = page.getByText('With a hint, this one will not count as solved.');
  await cost.waitFor();
  await button(page, 'Hint').click();
  await cost.waitFor({ state: 'detached' });
});

it('a wrong move is refuted on the board and in words, and can be tried again', async () => {
  const page = await house.person();
  const [id, record] = some((it) => gameOf(it) === 'tic-tac-toe' && it.goal === 'win' && it.solution.length === 5);
  await visit(page, `/puzzles/${id}`);
  await board(page).waitFor();
  const { legal } = (
    await call(page, 'POST', '/position', { game: record.game, moves: record.moves.join(' ') })
  ).plies.at(-1);
  const wrong = legal.find(({ move }) => move !== record.solution[0]).move;
  await make(page, wrong);
  await heading(page, `Not ${wrong}.`).waitFor();
  await page.locator('.result', { hasText: /The win turns into a draw: |then wins (at once|in \d+): / }).waitFor();
  // The refuting line is played after the wrong move.
  await page.waitForFunction(
    (count) => document.querySelectorAll('.board [data-cell]').length > count,
    record.moves.length + 1,
  );
  await button(page, 'Try again').click();
  await stand(page, record.moves.length);
  await solve(page, record);
  await heading(page, 'Solved!').waitFor();
  await page.getByText(/Your rating is about (1,[0-4]\d\d|\d{3}) so far/).waitFor();
});

it('hints say what decides, then where; the solution is played; all by keyboard', async () => {
  const page = await house.person({ width: 320 });
  const [id, record] = some(
    (it) => gameOf(it) === 'connect-four' && it.themes[0] === 'double-threat' && it.solution.length >= 3,
  );
  await visit(page, `/puzzles/${id}`);
  await board(page).waitFor();
  await page.locator('[role=gridcell][tabindex="0"]').focus();
  await page.keyboard.press('h');
  await heading(page, 'Double threat').waitFor();
  await page.keyboard.press('h');
  await page.getByText(/^It goes to [a-g]\d\.$/).waitFor();
  await page.locator('.lit').waitFor();
  await button(page, 'Solution').click();
  await heading(page, 'The solution').waitFor();
  await stand(page, record.moves.length + record.solution.length);
  await page.locator('[role=gridcell][tabindex="0"]').focus();
  await page.keyboard.press('n');
  await another(page, id);
});

/** The puzzle of a date as the terminal says it. */
function dailyOf(date) {
  const { stdout } = spawnSync(binary, ['puzzles', 'play', '--daily', '--date', date], {
    input: 'solution\n',
    encoding: 'utf8',
  });
  const [, title, number] = /Daily puzzle, \S+: (.+) (\d+)/.exec(stdout);
  const plain = (name) => name.toLowerCase().replaceAll(/[ -]/g, '');
  const record = [...collection.values()].find(
    (it) => it.number === Number(number) && plain(gameOf(it)) === plain(title),
  );
  assert.ok(record, stdout);
  return record;
}

it('the daily puzzle is that of the terminal, changes at midnight (UTC), and counts the days', async () => {
  const page = await house.person({ timezoneId: 'America/New_York' });
  await page.clock.install({ time: '2026-11-21T23:58:00Z' });
  await visit(page, '/puzzles/daily');
  const [first, second] = ['2026-11-21', '2026-11-22'].map(dailyOf);
  await board(page).waitFor();
  const id = await shownId(page);
  assert.equal(collection.get(id), first);
  await solve(page, first);
  await heading(page, 'Solved!').waitFor();
  await page.getByText('1 day', { exact: true }).waitFor();
  await page.clock.fastForward('03:00');
  await another(page, id);
  assert.equal(collection.get(await shownId(page)), second);
  await solve(page, second);
  await heading(page, 'Solved!').waitFor();
  await page.getByText('2 days', { exact: true }).waitFor();
  await visit(page, '/puzzles');
  await page.getByRole('link', { name: 'Solved for today' }).waitFor();
  // A day without a puzzle ends the streak.
  await page.clock.fastForward('48:00:00');
  await page.getByRole('link', { name: 'Solve it' }).waitFor();
  assert.equal(await page.getByText('2 days', { exact: true }).count(), 0);
});

it('a rush counts what is solved, and ends with the third miss or with the time', async () => {
  const page = await house.person();
  await page.clock.install({ time: '2026-11-18T12:00:00Z' });
  await visit(page, '/puzzles/rush?game=tic-tac-toe');
  await button(page, 'Start').click();
  let id = null;
  for (let solved = 0; solved < 2; solved += 1) {
    await another(page, id);
    id = await shownId(page);
    await solve(page, collection.get(id));
  }
  const missed = [];
  while (missed.length < 3) {
    await another(page, id);
    id = await shownId(page);
    missed.push(id);
    await miss(page, collection.get(id));
  }
  // X30: a best one says so in words; X29: each missed one is one press away, and shows its right move.
  await page.getByRole('heading', { name: 'Your best yet' }).waitFor();
  await page.getByText('You solved 2 puzzles.').first().waitFor();
  const shown = page.locator('.end li a');
  assert.deepEqual(await shown.evaluateAll((all) => all.map((link) => link.pathname.split('/').at(-1))), missed);
  await page.locator('.end li circle.ring').nth(2).waitFor();
  assert.deepEqual(
    (await shown.allTextContents()).map((text) => text.trim()),
    missed.map((of) => collection.get(of).solution[0]),
  );
  await button(page, 'Replay the 3').click();
  for (const of of missed) {
    await page.locator(`[data-puzzle="${of}"]`).waitFor();
    await solve(page, collection.get(of));
  }
  await page.getByRole('heading', { name: 'Your best yet' }).waitFor();
  await button(page, 'New rush').click();
  await board(page).waitFor();
  await page.clock.fastForward('03:01');
  await page.getByRole('heading', { name: 'You solved 0 puzzles.' }).waitFor();
  await page.getByText('Your best: 2.').waitFor();
  assert.equal(await page.getByText('Your best yet').count(), 0);
  await page.getByRole('img', { name: '2, 0' }).waitFor();
});

it('a streak has no clock, ends with the first miss, and shows it to be tried again', async () => {
  const page = await house.person({ width: 390, height: 844 });
  await visit(page, '/puzzles/rush?game=tic-tac-toe&mode=streak');
  await button(page, 'Start').click();
  let id = null;
  for (let solved = 0; solved < 2; solved += 1) {
    await another(page, id);
    id = await shownId(page);
    assert.equal(await page.getByRole('timer').count(), 0);
    await solve(page, collection.get(id));
  }
  await another(page, id);
  const missed = await shownId(page);
  await miss(page, collection.get(missed));
  await page.getByRole('heading', { name: 'Your best yet' }).waitFor();
  await page.getByText('2 in a row').first().waitFor();
  await page.getByRole('heading', { name: 'The one that ended it' }).waitFor();
  await page.locator('.end li circle.ring').waitFor();
  await button(page, 'Try again').click();
  await page.locator(`[data-puzzle="${missed}"]`).waitFor();
  await solve(page, collection.get(missed));
  await button(page, 'New streak').waitFor();
  // A streak is not a rush.
  await visit(page, '/puzzles');
  await page.getByRole('button', { name: 'Tic-tac-toe' }).click();
  await page.getByText('until the first mistake. Your best: 2.').waitFor();
  assert.equal(await page.getByText('in three minutes. Your best').count(), 0);
});

it('a mistake in a game of one’s own becomes a puzzle', async () => {
  const page = await house.person();
  await visit(page, '/analysis/tic-tac-toe?m=c2+a1+b3+b2&you=first');
  await button(page, 'Find the better moves').click();
  await page.getByText('Added to your puzzles.').waitFor();
  await visit(page, '/puzzles');
  await page.getByRole('link', { name: 'Tic-tac-toe 1' }).click();
  await page.waitForURL(/\/puzzles\/own-1$/);
  await board(page).waitFor();
  await cell(page, 'c1').click();
  await heading(page, 'Solved!').waitFor();
  assert.equal(await page.getByText('Your rating is about').count(), 0);
});

it('the server rates an account by the moves, once for each puzzle', async () => {
  const page = await house.person();
  await visit(page, '/puzzles');
  await call(page, 'POST', '/account', { name: 'Solver', password: 'correct horse battery' });
  const [id, record] = some((it) => gameOf(it) === 'tic-tac-toe' && it.solution.length === 3);
  await page.goto(`/puzzles/${id}`);
  await solve(page, record);
  await page.getByText(/Your rating is about [12],\d{3}/).waitFor();
  const progress = await call(page, 'GET', '/puzzles/progress');
  assert.deepEqual(
    progress.tried.map(({ id, solved }) => [id, solved]),
    [[id, true]],
  );
  assert.ok(progress.ratings[0].rating > 1500);
  // Another browser of the same account knows it.
  const other = await house.person();
  await visit(other, '/puzzles');
  await call(other, 'POST', '/session', { name: 'Solver', password: 'correct horse battery' });
  await other.goto('/puzzles');
  await other.getByRole('button', { name: 'Tic-tac-toe' }).click();
  await other.getByText('1 of 1 solved on the first try.').waitFor();
  await other
    .getByText(`Your rating is ${new Intl.NumberFormat('en').format(Math.round(progress.ratings[0].rating))}.`)
    .waitFor();
});

it('what an account solves while the server does not answer is told to it later', async () => {
  const page = await house.person({ expect: [/ERR_FAILED|Failed to load/] });
  await visit(page, '/puzzles');
  await call(page, 'POST', '/account', { name: 'Wanderer', password: 'correct horse battery' });
  await page.goto('/puzzles');
  await page.waitForFunction(() => JSON.parse(localStorage.getItem('alinea.puzzles-account') ?? '""'));
  const [id, record] = some((it) => gameOf(it) === 'tic-tac-toe' && it.solution.length === 3);
  await page.route('**/api/**', (route) => route.abort());
  await page.goto(`/puzzles/${id}`);
  await solve(page, record);
  await page.getByText(/Your rating is about [12],\d{3}/).waitFor();
  await page.unroute('**/api/**');
  assert.deepEqual((await call(page, 'GET', '/puzzles/progress')).tried, []);
  // Two questions after who one is: the attempt that was missed, and what the server knows then.
  const told = page.waitForResponse(/\/puzzles\/progress$/);
  await page.goto('/puzzles');
  await told;
  const { tried } = await call(page, 'GET', '/puzzles/progress');
  assert.deepEqual(
    tried.map(({ id, solved }) => [id, solved]),
    [[id, true]],
  );
});

/** A server before the server, which can be cut off. */
async function startFront(address) {
  const front = { isCut: false };
  const server = http.createServer(async (request, response) => {
    if (front.isCut) return response.destroy();
    const answer = await fetch(address + request.url, { headers: { cookie: request.headers.cookie ?? '' } });
    const headers = Object.fromEntries(
      [...answer.headers].filter(
        ([name]) => !['content-encoding', 'content-length', 'transfer-encoding'].includes(name),
      ),
    );
    response.writeHead(answer.status, headers);
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  front.address = `http://127.0.0.1:${server.address().port}`;
  front.close = () => (server.closeAllConnections(), server.close());
  fronts.push(front);
  return front;
}

it('after one visit puzzles are solved without a network', async () => {
  const front = await startFront(house.server.address);
  const page = await house.person({
    address: front.address,
    serviceWorkers: 'allow',
    prepared: true,
    expect: [/ERR_|WebSocket|Failed to (fetch|load)/],
  });
  await page.goto('/');
  await page.evaluate(() => navigator.serviceWorker.ready);
  front.isCut = true;
  await page.goto('/puzzles');
  await page.getByRole('button', { name: 'Tic-tac-toe' }).click();
  await button(page, 'Start').click();
  await page.waitForURL(/\/puzzles\/tic-tac-toe-\d+$/);
  await board(page).waitFor();
  const record = collection.get(await shownId(page));
  await solve(page, record);
  await heading(page, 'Solved!').waitFor();
  await page.goto('/');
  await page.getByRole('heading', { name: 'Daily puzzle' }).waitFor();
  await settle(page);
});

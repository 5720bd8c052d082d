// Puzzles over HTTP: the daily one, the next one, attempts with their ratings, and the export.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, newName } from './client.js';
import { serve } from './suite.js';

const server = await serve();
const guest = new Client(server);

/** The puzzles of a query with their solutions. */
async function records(query = '') {
  const response = await fetch(`${server.url}/api/puzzles.jsonl${query}`);
  assert.equal(response.headers.get('content-type'), 'application/x-ndjson');
  return (await response.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const idOf = ({ game, number }) => `${game.split(':')[0]}-${number}`;
const ownMoves = ({ solution }) => solution.filter((_, at) => at % 2 === 0);
const [short] = (await records('?game=tic-tac-toe')).filter(({ solution }) => solution.length === 3);

test('the daily puzzle is the same for everyone and hides its solution', async () => {
  const daily = await guest.get('/api/puzzles/daily');
  assert.deepEqual(daily, await new Client(server).get('/api/puzzles/daily'));
  assert.deepEqual(daily, await guest.get(`/api/puzzles/${daily.id}`));
  assert.equal(daily.solution, undefined);
  assert.match((await guest.get('/api/puzzles/daily?game=gomoku')).id, /^gomoku-\d+$/);
});

test('the next puzzle has the wanted theme, and an account has not tried it', async () => {
  const draw = await guest.get('/api/puzzles/next?game=connect-four&theme=draw');
  assert.ok(draw.themes.includes('draw') && Math.abs(draw.rating - 1500) < 400, JSON.stringify(draw));
  const ann = await new Client(server).signUp(newName());
  const seen = new Set();
  for (let count = 0; count < 8; count += 1) {
    const { id } = await ann.get('/api/puzzles/next?game=tic-tac-toe');
    assert.ok(!seen.has(id), id);
    seen.add(id);
    await ann.post(`/api/puzzles/${id}/attempt`, { help: true });
  }
  const { tried, ratings } = await ann.get('/api/puzzles/progress');
  assert.deepEqual(new Set(tried.map(({ id }) => id)), seen);
  assert.ok(tried.every(({ solved, themes }) => !solved && themes.length > 0));
  assert.deepEqual(
    ratings.map(({ game, puzzles }) => [game, puzzles]),
    [['tic-tac-toe', 8]],
  );
  assert.ok(ratings[0].rating < 1500);
  const { puzzles } = await ann.get('/api/account/data');
  assert.deepEqual([puzzles.tried, puzzles.ratings[0].rating], [tried, ratings[0].rating]);
});

test('an attempt is answered move by move, and rated once by the moves', async () => {
  const bob = await new Client(server).signUp(newName());
  const attempt = (client, body) => client.post(`/api/puzzles/${idOf(short)}/attempt`, body);
  const [first, second] = ownMoves(short);
  const right = await attempt(bob, { moves: [first] });
  assert.deepEqual([right.result, right.course, right.rating], ['right', short.solution.slice(0, 2), undefined]);
  const solved = await attempt(bob, { moves: [first, second] });
  assert.deepEqual([solved.result, solved.course], ['solved', short.solution]);
  assert.equal(solved.rating.before, 1500);
  assert.ok(solved.rating.after > 1500);
  // Nothing later changes the rating: neither once more, nor a mistake.
  assert.equal((await attempt(bob, { moves: [first, second] })).rating, undefined);
  const { legal } = (await guest.post('/api/position', { game: short.game, moves: short.moves.join(' ') })).plies.at(
    -1,
  );
  const wrong = legal.map(({ move }) => move).find((move) => move !== first);
  const refuted = await attempt(bob, { moves: [wrong], refute: true });
  assert.deepEqual([refuted.result, refuted.course, refuted.rating], ['wrong', [wrong], undefined]);
  assert.match(refuted.refutation.why, /^(loses|draws)$/);
  assert.ok(refuted.refutation.line.length > 0);
  assert.equal((await bob.get('/api/puzzles/progress')).ratings[0].rating, solved.rating.after);

  const carl = await new Client(server).signUp(newName());
  const lost = await attempt(carl, { moves: [wrong] });
  assert.ok(lost.rating.after < 1500 && lost.refutation === undefined);
  assert.equal((await attempt(carl, { moves: [first, second] })).rating, undefined);
  // A guest is judged, and not rated.
  const helped = await attempt(guest, { moves: [first], help: true });
  assert.deepEqual([helped.help.solution, helped.rating], [short.solution.slice(2), undefined]);
});

test('the export has every puzzle of a game or a theme with its solution', async () => {
  const all = await records();
  assert.equal(new Set(all.map(idOf)).size, all.length);
  assert.ok(all.length > 1500);
  const forks = await records('?game=chess-five&theme=fork');
  assert.ok(forks.length > 0 && forks.every(({ game, themes }) => game === 'chess-five' && themes.includes('fork')));
});

test('bad input is refused with a sentence', async () => {
  for (const [status, code, path] of [
    [404, 'not-found', '/api/puzzles/connect-four-0'],
    [404, 'not-found', '/api/puzzles/connect-four-999999'],
    [404, 'not-found', '/api/puzzles/nonsense'],
    [404, 'unknown-game', '/api/puzzles/next?game=ludo'],
    [404, 'not-found', '/api/puzzles/next?game=connect-four:5x5x4'],
    [404, 'not-found', '/api/puzzles/next?game=tic-tac-toe&theme=fork'],
    [400, 'bad-message', '/api/puzzles/next?game=tic-tac-toe&theme=luck'],
    [400, 'bad-message', '/api/puzzles/next'],
    [400, 'bad-message', '/api/puzzles.jsonl?theme=luck'],
    [401, 'sign-in-first', '/api/puzzles/progress'],
  ])
    await guest.refused(status, code, 'GET', path);
  const path = `/api/puzzles/${idOf(short)}/attempt`;
  for (const [status, code, body] of [
    [422, 'illegal-move', { moves: ['z9'] }],
    [422, 'illegal-move', { moves: [...ownMoves(short), 'a1'] }],
    [400, 'bad-message', { moves: 'a1' }],
    [400, 'bad-message', { moves: Array(51).fill('a1') }],
    [400, 'bad-message', { move: 'a1' }],
  ])
    await guest.refused(status, code, 'POST', path, body);
});

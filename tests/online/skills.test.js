// What an account learns from its games: reviews in the background, the profile, and two devices of one account.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, newName, play, within } from './client.js';
import { serve } from './suite.js';

const server = await serve();
const password = 'correct horse';

/// The second player does not stop the line in the first row.
const MISSED = 'a1 b2 b1 a3 c1';

/// Loses a game of tic-tac-toe in this way, and returns its table.
async function lose(loser) {
  const winner = new Client(server);
  const { table } = await winner.table('tic-tac-toe', 'link');
  const [first, second] = [await winner.at(table), await loser.at(table)];
  await second.do('sit');
  await play(first, second, MISSED);
  return table;
}

const skills = (client) => client.get('/api/me/skills?game=tic-tac-toe');
const learned = (client, here) => client.post('/api/me/learned', { after: 0, ...here });

/// Waits until the server has reviewed the games of a client.
const reviewed = (client) =>
  within(
    (async () => {
      for (;;) {
        const found = await skills(client);
        if (!found.reviewing && !found.unreviewed) return found;
      }
    })(),
    'the review',
  );

async function refused(client, method, path, body, status, message) {
  const response = await client.fetch(method, path, body);
  const error = await response.json();
  assert.equal(response.status, status, JSON.stringify(error));
  assert.match(error.message, message);
}

test('games are reviewed once, on request, and make a profile', async () => {
  const ann = await new Client(server).signUp(newName());
  for (let count = 0; count < 5; count += 1) await lose(ann);
  const before = await skills(ann);
  assert.deepEqual([before.profile.games, before.unreviewed, before.reviewing], [0, 5, false]);
  const response = await ann.fetch('POST', '/api/me/skills?game=tic-tac-toe');
  assert.equal(response.status, 202);
  const { game, profile } = await reviewed(ann);
  assert.deepEqual([game, profile.games], ['tic-tac-toe', 5]);
  const stops = profile.skills.find(({ skill }) => skill === 'stops-threats');
  assert.deepEqual([stops.tally, stops.rate], [{ right: 0, of: 5 }, 0]);
  assert.deepEqual([stops.evidence[0].ply, stops.evidence[0].miss.right], [3, 'c1']);

  const { version, games, exercises, more } = await learned(ann);
  assert.equal(games.length, 5);
  assert.deepEqual([games[0].moves, games[0].you, more], [MISSED, 'second', false]);
  // The same position is one exercise.
  assert.deepEqual(
    exercises.map(({ skill, played }) => [skill, played]),
    [['stops-threats', 'a3']],
  );
  // Nothing is reviewed twice.
  await ann.fetch('POST', '/api/me/skills?game=tic-tac-toe');
  await reviewed(ann);
  assert.equal((await learned(ann)).version, version);
});

test('two devices of one account merge what they have learned', async () => {
  const name = newName();
  const phone = await new Client(server).signUp(name);
  await lose(phone);
  await phone.fetch('POST', '/api/me/skills?game=tic-tac-toe');
  await reviewed(phone);
  const laptop = new Client(server);
  await laptop.post('/api/session', { name, password });
  const {
    version,
    exercises: [made],
    games: [game],
  } = await learned(laptop);

  // Answered on both; the answer on the laptop is later, and the phone sends its own last.
  const [earlier, later] = [Date.now() - 2_000, Date.now() - 1_000];
  const onLaptop = { ...made, step: 0, answered: later };
  const onPhone = { ...made, step: 1, due: made.due + 1, answered: earlier };
  const run = { game: 'connect-four', streak: true, at: earlier, solved: 7 };
  await learned(laptop, { after: version, exercises: [onLaptop], runs: [run] });
  const found = await learned(phone, { after: version, exercises: [onPhone], games: [{ ...game, chances: [] }] });
  assert.deepEqual(found.exercises, [onLaptop]);
  assert.deepEqual(found.games, [game], 'the first review counts');
  assert.deepEqual(found.runs, [run]);
  const { exercises } = await learned(laptop);
  assert.deepEqual(exercises, [onLaptop]);

  // It is downloaded with the data, and other accounts do not see it.
  const { learned: mine } = await phone.get('/api/account/data');
  assert.deepEqual(mine, { games: [game], exercises: [onLaptop], runs: [run] });
  const other = await new Client(server).signUp(newName());
  assert.deepEqual(await learned(other), { version: 0, more: false, games: [], exercises: [], runs: [] });
  await refused(new Client(server), 'GET', '/api/me/skills?game=tic-tac-toe', undefined, 401, /sign in/);
  await refused(new Client(server), 'POST', '/api/me/learned', { after: 0 }, 401, /sign in/);

  // It is deleted with the account.
  await phone.ask('DELETE', '/api/account', { password });
  const again = await new Client(server).signUp(name);
  assert.equal((await learned(again)).version, 0);
});

test('what cannot have been learned is refused, and a wrong clock does no harm', async () => {
  const ann = await new Client(server).signUp(newName());
  await lose(ann);
  await ann.fetch('POST', '/api/me/skills?game=tic-tac-toe');
  await reviewed(ann);
  const {
    exercises: [made],
    games: [game],
  } = await learned(ann);
  const refuses = (here, message) => refused(ann, 'POST', '/api/me/learned', { after: 0, ...here }, 400, message);
  await refuses({ exercises: [{ ...made, id: '0000000000000000' }] }, /is not the id of this exercise/);
  await refuses({ exercises: [{ ...made, text: 'a1' }] }, /6 fields/);
  await refuses({ exercises: [{ ...made, played: 'z9' }] }, /not legal/);
  await refuses({ games: [{ ...game, id: '' }] }, /not the id of a game/);
  await refuses({ games: [{ ...game, chances: [{ ply: 5, skill: 'opening' }] }] }, /do not match its moves/);
  await refuses({ runs: [{ game: 'chess', streak: false, at: 1, solved: 1 }] }, /chess/);
  await refused(ann, 'GET', '/api/me/skills?game=chess', undefined, 404, /chess/);

  const future = Date.now() + 1e12;
  const { exercises } = await learned(ann, { exercises: [{ ...made, step: 1, answered: future, due: 1e9 }] });
  assert.ok(exercises[0].answered < future && exercises[0].due < 1e6, JSON.stringify(exercises[0]));
});

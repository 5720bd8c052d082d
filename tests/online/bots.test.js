// Programs play people over plain HTTP with a token of their account.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client, newName, within } from './client.js';
import { serve } from './suite.js';

const server = await serve();

/// The lines of a stream as they arrive.
async function* stream(client, path, signal) {
  const response = await fetch(server.url + path, { headers: client.headers, signal });
  assert.equal(response.status, 200, await (response.ok ? '' : response.text()));
  assert.match(response.headers.get('content-type'), /ndjson/);
  let rest = '';
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + part).split('\n');
    rest = lines.pop();
    for (const line of lines) if (line) yield JSON.parse(line);
  }
}

async function bot() {
  const owner = await new Client(server).signUp(newName());
  const { token, id } = await owner.post('/api/tokens', { label: 'my bot' });
  const program = new Client(server, { authorization: `Bearer ${token}` });
  return { owner, program, id };
}

test('a bot receives a challenge, accepts it and plays the game to its end', async () => {
  const { owner, program } = await bot();
  const leaving = new AbortController();
  const events = stream(program, '/api/bot/events', leaving.signal);
  const ann = new Client(server);
  const { table } = await ann.table('tic-tac-toe', { kind: 'challenge', name: owner.name });
  const challenge = await within(events.next(), 'a challenge');
  assert.deepEqual([challenge.value.kind, challenge.value.table.table], ['challenge', table]);
  await program.post(`/api/tables/${table}/sit`);
  const start = await within(events.next(), 'a game');
  assert.deepEqual([start.value.kind, start.value.table.table], ['game-start', table]);

  const connection = await ann.at(table);
  const game = stream(program, `/api/tables/${table}/events`, leaving.signal);
  const { snapshot } = (await game.next()).value;
  assert.deepEqual(snapshot.you, ['second']);
  const answers = ['a1', 'b1', 'c3'];
  const played = (async () => {
    for await (const told of game) {
      const made = told['move-made'];
      if (told['table-event']?.event.kind === 'ended') return told['table-event'].event;
      if (made?.side === 'first' && made.ply < 7) {
        await program.post(`/api/tables/${table}/make-move`, { ply: made.ply + 1, move: answers[(made.ply - 1) / 2] });
      }
    }
  })();
  for (const [i, move] of ['b2', 'b3', 'a3', 'c1'].entries()) {
    await connection.move(2 * i + 1, move);
    if (i < 3) await connection.moveMade(2 * i + 2);
  }
  assert.equal((await within(played, 'the end')).winner, 'first');
  const end = await within(events.next(), 'the news of the end');
  assert.deepEqual([end.value.kind, end.value.table.table], ['game-end', table]);
  leaving.abort();
});

test('a bot resumes its stream from the last version it saw', async () => {
  const { program } = await bot();
  const { table } = await program.table('connect-four', 'here');
  await program.post(`/api/tables/${table}/make-move`, { ply: 1, move: '4' });
  const { v } = await program.post(`/api/tables/${table}/make-move`, { ply: 2, move: '5' });
  const leaving = new AbortController();
  const game = stream(program, `/api/tables/${table}/events?seen=${v - 1}`, leaving.signal);
  const { missed } = (await game.next()).value;
  assert.deepEqual(
    missed.map(({ ply }) => ply),
    [2],
  );
  leaving.abort();
});

test('a bot is told the board and the legal moves where it asks for them', async () => {
  const { owner, program } = await bot();
  const ann = new Client(server);
  const { table } = await ann.table('tic-tac-toe', { kind: 'challenge', name: owner.name }, { side: 'first' });
  await program.post(`/api/tables/${table}/sit`);
  const leaving = new AbortController();
  const game = stream(program, `/api/tables/${table}/events?view=true`, leaving.signal);
  await game.next();
  await (await ann.at(table)).move(1, 'b2');
  for await (const { 'move-made': made } of game) {
    if (!made) continue;
    assert.equal(made.legal.length, 8);
    assert.equal(made.view.cells.filter(Boolean).length, 1);
    break;
  }
  leaving.abort();
});

test('a bot is marked as one wherever its name stands', async () => {
  const { owner, program } = await bot();
  const { table } = await program.table('tic-tac-toe', 'link', { side: 'first', listed: true });
  const ann = await new Client(server).signUp(newName());
  const connection = await ann.at(table);
  await connection.do('sit');
  const { seats } = await ann.get(`/api/tables/${table}`);
  assert.deepEqual(
    seats.map(({ bot = false }) => bot),
    [true, false],
  );
  assert.equal((await ann.get(`/api/players/${owner.name}`)).bot, true);
  assert.equal((await ann.get(`/api/players/${ann.name}`)).bot, false);
  const { tables } = await ann.get(`/api/players/${owner.name}/games`);
  assert.equal(tables[0].seats[0].bot, true);
});

test('people play rated games with bots only if they want to', async () => {
  const { owner, program } = await bot();
  const ann = await new Client(server).signUp(newName());
  const rated = { rated: true, clock: { kind: 'game', initial_ms: 60_000, increment_ms: 0 } };
  // Neither sits down at the other's table.
  const hers = await ann.table('tic-tac-toe', 'link', rated);
  await program.refused(403, 'not-allowed', 'POST', `/api/tables/${hers.table}/sit`);
  const its = await program.table('tic-tac-toe', 'link', rated);
  await ann.refused(403, 'not-allowed', 'POST', `/api/tables/${its.table}/sit`);
  // A bot does not challenge people, and is not paired with them.
  const challenge = { kind: 'challenge', name: ann.name };
  await program.refused(403, 'not-allowed', 'POST', '/api/tables', {
    game: 'tic-tac-toe',
    opponent: challenge,
    ...rated,
  });
  const leaving = new AbortController();
  const wish = (client, more) =>
    fetch(`${server.url}/api/bot/seek`, {
      method: 'POST',
      headers: {
        ...client.headers,
        cookie: [...client.cookies].map((pair) => pair.join('=')).join('; '),
        'content-type': 'application/json',
      },
      body: JSON.stringify({ game: 'tic-tac-toe', ...rated, ...more }),
      signal: leaving.signal,
    });
  const alone = wish(ann);
  const waiting = wish(program);
  const other = await new Client(server).signUp(newName());
  const found = await (await wish(other)).json();
  assert.equal((await (await alone).json()).table, found.table, 'the people are paired with each other');
  // Unless a person allows bots.
  const willing = await (await wish(other, { bots: true })).json();
  assert.equal((await (await waiting).json()).table, willing.table);
  const dared = await ann.table('tic-tac-toe', { kind: 'challenge', name: owner.name }, rated);
  await program.post(`/api/tables/${dared.table}/sit`);
  const open = await ann.table('tic-tac-toe', 'link', { ...rated, bots: true });
  await program.post(`/api/tables/${open.table}/sit`);
});

test('a challenge can be declined', async () => {
  const { owner, program } = await bot();
  const ann = new Client(server);
  const { table } = await ann.table('tic-tac-toe', { kind: 'challenge', name: owner.name });
  const connection = await ann.at(table);
  await program.post(`/api/tables/${table}/resign`);
  assert.equal((await connection.event('ended')).reason, 'declined');
});

test('a bot is paired with a person', async () => {
  const { program } = await bot();
  const seek = { game: 'connect-four', clock: { kind: 'game', initial_ms: 180_000, increment_ms: 2_000 } };
  const found = program.post('/api/bot/seek', seek);
  const connection = await new Client(server).connect();
  await connection.done('seek', seek);
  const { table } = await connection.waitFor('paired');
  assert.equal((await found).table, table);
});

test('a bot plays over Socket.IO as well', async () => {
  const { program } = await bot();
  const { table } = await program.table('tic-tac-toe', 'here');
  const connection = await program.at(table);
  await connection.move(1, 'b2');
});

test('a token can play but not manage the account', async () => {
  const { owner, program, id } = await bot();
  assert.equal((await program.get('/api/me')).name, owner.name);
  await program.refused(403, 'not-allowed', 'POST', '/api/tokens', { label: 'another' });
  await program.refused(403, 'not-allowed', 'GET', '/api/sessions');
  await program.refused(403, 'not-allowed', 'PUT', '/api/account/password', {
    old: 'correct horse',
    new: 'battery staple',
  });
  assert.deepEqual(
    (await owner.get('/api/tokens')).map(({ label }) => label),
    ['my bot'],
  );
  const connection = await program.connect();
  await owner.ask('DELETE', `/api/tokens/${id}`);
  await connection.waitFor('disconnect');
  await program.refused(401, 'sign-in-first', 'GET', '/api/me');
  await owner.refused(404, 'not-found', 'DELETE', `/api/tokens/${id}`);
});

test('invalid tokens are rejected', async () => {
  for (const authorization of ['Bearer nonsense', 'Bearer ', 'Basic YTpi', 'nonsense']) {
    await new Client(server, { authorization }).refused(401, 'sign-in-first', 'GET', '/api/me');
  }
  await new Client(server).refused(401, 'sign-in-first', 'GET', '/api/bot/events');
  await new Client(server).refused(401, 'sign-in-first', 'POST', '/api/tokens', { label: 'x' });
  const owner = await new Client(server).signUp(newName());
  await owner.refused(400, 'bad-message', 'POST', '/api/tokens', { label: '' });
});

test('the example bot in Python accepts a challenge and plays to the end', async () => {
  const owner = await new Client(server).signUp(newName());
  const { token } = await owner.post('/api/tokens', { label: 'example' });
  const example = fileURLToPath(new URL('../../examples/bot.py', import.meta.url));
  const python = spawn('python3', [example, server.url, token], { stdio: 'ignore' });
  try {
    const ann = new Client(server);
    for (const game of ['tic-tac-toe', 'connect-four', 'chess-five']) {
      const { table } = await ann.table(game, { kind: 'challenge', name: owner.name });
      const connection = await ann.at(table);
      await connection.event('seated');
      for (let ply = 1; ; ply += 2) {
        const { status, legal } = await ann.get(`/api/tables/${table}`);
        if (status === 'ended' || ply > 9) break;
        await connection.move(ply, legal[0].move);
        await Promise.race([connection.moveMade(ply + 1), connection.event('ended')]);
      }
      const { moves } = await ann.get(`/api/tables/${table}`);
      assert.ok(moves.length >= 5, `${game}: ${moves.length} moves`);
    }
  } finally {
    python.kill();
  }
});

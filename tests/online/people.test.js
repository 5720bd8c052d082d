// Guests, accounts, sessions, ratings, and their public view.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, newName, play } from './client.js';
import { serve } from './suite.js';

const server = await serve();

const clock = { kind: 'game', initial_ms: 60_000, increment_ms: 0 };

test('every visitor gets a guest identity', async () => {
  const client = new Client(server);
  const response = await client.fetch('GET', '/api/me');
  const { id, name, account } = await response.json();
  assert.match(id, /^g:/);
  assert.ok(name.length > 0 && account === false);
  const [cookie] = response.headers.getSetCookie();
  for (const flag of ['HttpOnly', 'SameSite=Lax', 'Path=/']) assert.ok(cookie.includes(flag), cookie);
  assert.ok(!cookie.includes('Secure'));
  assert.equal((await client.get('/api/me')).id, id);
  assert.equal((await client.fetch('GET', '/api/me')).headers.getSetCookie().length, 0);
  assert.notEqual((await new Client(server).get('/api/me')).id, id);
});

test('behind TLS cookies are secure and host-only', async () => {
  const client = new Client(server, { 'x-forwarded-proto': 'https' });
  await client.get('/api/me');
  const response = await client.fetch('POST', '/api/account', { name: newName(), password: 'correct horse' });
  assert.deepEqual([...client.cookies.keys()].sort(), ['__Host-alinea-guest', '__Host-alinea-session']);
  for (const cookie of response.headers.getSetCookie()) {
    for (const flag of ['Secure', 'HttpOnly', 'SameSite=Lax', 'Path=/']) assert.ok(cookie.includes(flag), cookie);
    assert.ok(!cookie.includes('Domain'), cookie);
  }
  assert.equal((await client.get('/api/me')).account, true);
});

test('a guest has a name of two words, kept by its cookie, and may choose another', async () => {
  const guest = new Client(server);
  const { id, name, account } = await guest.get('/api/me');
  assert.ok(id.startsWith('g:') && !account);
  const { first, second } = await guest.get('/api/guest-names');
  const [colour, animal] = name.split('.').map(Number);
  assert.ok(colour < first.length && animal < second.length, name);
  assert.equal((await guest.get('/api/me')).name, name);
  const before = await guest.post('/api/tables', {
    game: 'tic-tac-toe',
    side: 'first',
    opponent: { kind: 'program', name: 'level:1' },
  });
  const chosen = `${(colour + 1) % first.length}.${animal}`;
  assert.deepEqual(await guest.ask('PUT', '/api/me', { name: chosen }), { id, name: chosen, account: false });
  assert.equal((await guest.get('/api/me')).name, chosen);
  const seats = async ({ table }) => (await guest.get(`/api/tables/${table}`)).seats.map((seat) => seat.name);
  assert.deepEqual(await seats(before), [name, 'level:1'], 'a seat keeps its name');
  const after = await guest.post('/api/tables', {
    game: 'tic-tac-toe',
    side: 'first',
    opponent: { kind: 'program', name: 'level:1' },
  });
  assert.deepEqual(await seats(after), [chosen, 'level:1']);
  for (const name of ['Bob', 'admin', '', `${first[0]} ${second[0]}`, `${first.length}.0`])
    await guest.refused(400, 'bad-message', 'PUT', '/api/me', { name });
  await guest.signUp(newName());
  await guest.refused(403, 'not-allowed', 'PUT', '/api/me', { name: chosen });
});

test('an account keeps games that were played without the server, each once', async () => {
  const client = new Client(server);
  const table = {
    game: 'tic-tac-toe',
    opponent: { kind: 'program', name: 'level:1' },
    side: 'second',
    clock: { kind: 'none' },
    rated: false,
    take_back: true,
    listed: true,
  };
  const game = {
    id: 'here-1',
    table,
    moves: 'a1 b1 a2 b2 a3',
    result: { winner: 'first', reason: 'rules' },
    ended_at: 1_700_000_000_000,
  };
  await client.refused(401, 'sign-in-first', 'POST', '/api/account/games', game);
  const name = newName();
  await client.signUp(name);
  const kept = await client.post('/api/account/games', game);
  assert.deepEqual(await client.post('/api/account/games', game), kept);
  const { tables } = await client.get('/api/tables?player=me');
  assert.deepEqual(
    tables.map(({ table, status, ply, winner, updated_at, unverified }) => [
      table,
      status,
      ply,
      winner,
      updated_at,
      unverified,
    ]),
    [[kept.table, 'ended', 5, 'first', game.ended_at, true]],
  );
  // It counts nowhere in public.
  const { wins, draws, losses } = await new Client(server).get(`/api/players/${name}`);
  assert.deepEqual([wins, draws, losses], [0, 0, 0]);
  assert.deepEqual((await new Client(server).get(`/api/players/${name}/games`)).tables, []);
  assert.equal((await client.get(`/api/tables/${kept.table}`)).settings.unverified, true);
  const { moves, seats, result } = await client.get(`/api/tables/${kept.table}`);
  assert.deepEqual(
    moves.map(({ move }) => move),
    ['a1', 'b1', 'a2', 'b2', 'a3'],
  );
  assert.deepEqual(
    seats.map((seat) => seat.name),
    ['level:1', name],
  );
  assert.deepEqual([result.winner, result.reason], ['first', 'rules']);
  assert.equal(
    (await new Client(server).get('/api/tables?status=ended')).tables.some((other) => other.table === kept.table),
    false,
    'it is not listed for others',
  );
  const sent = (change) =>
    client.refused(400, 'bad-message', 'POST', '/api/account/games', { ...game, id: 'here-2', ...change });
  await sent({ id: '../' });
  await sent({ result: { winner: 'second', reason: 'rules' } });
  await sent({ moves: 'a1 b1' });
  await sent({ moves: 'a1 b1', result: { winner: null, reason: 'aborted' } });
  await sent({ moves: 'a1', result: { winner: 'first', reason: 'resignation' } });
  await sent({ moves: 'a1 b1', result: { winner: 'first', reason: 'time' } });
  await sent({ table: { ...table, side: 'random' } });
  await client.refused(422, 'illegal-move', 'POST', '/api/account/games', { ...game, id: 'here-2', moves: 'a1 a1' });
  await client.refused(403, 'not-allowed', 'POST', '/api/account/games', {
    ...game,
    id: 'here-2',
    table: { ...table, rated: true },
  });
});

test('an account has a name and a password', async () => {
  const client = new Client(server);
  const name = newName();
  await client.signUp(name);
  const me = await client.get('/api/me');
  assert.match(me.id, /^u:/);
  assert.deepEqual([me.name, me.account], [name, true]);
  // From addresses of their own, since attempts are limited by address.
  const [other, last] = ['192.0.2.25', '192.0.2.26'].map(
    (address) => new Client(server, { 'x-forwarded-for': address }),
  );
  await other.refused(409, 'name-taken', 'POST', '/api/account', {
    name: name.toUpperCase(),
    password: 'correct horse',
  });
  await other.refused(409, 'name-taken', 'POST', '/api/account', { name: 'admin', password: 'correct horse' });
  const wrongs = [
    ...['a b', '<b>x</b>', 'ab'].map((name) => ['bad-name', { name }]),
    ...['short', 'x'.repeat(129)].map((password) => ['bad-password', { password }]),
    ['common-password', { password: 'password' }],
  ];
  for (const [code, wrong] of wrongs) {
    await other.refused(400, code, 'POST', '/api/account', { name: newName(), password: 'correct horse', ...wrong });
  }
  await last.refused(401, 'wrong-password', 'POST', '/api/session', { name, password: 'wrong horse' });
  await last.refused(401, 'wrong-password', 'POST', '/api/session', { name: newName(), password: 'correct horse' });
  assert.equal((await last.post('/api/session', { name, password: 'correct horse' })).id, me.id);
});

test('a guest keeps the seat after signing in', async () => {
  const [ann, ben] = [new Client(server), new Client(server)];
  const { table } = await ann.table('connect-four', 'link');
  await (await ben.at(table)).do('sit');
  await ann.signUp(newName());
  const connection = await ann.at(table);
  assert.deepEqual(connection.snapshot.you, ['first']);
  await connection.move(1, '4');
});

test('signing in creates a new session, signing out closes its connections', async () => {
  const client = new Client(server);
  await client.get('/api/me');
  client.cookies.set('alinea-session', '0'.repeat(64));
  await client.signUp(newName());
  const token = client.cookies.get('alinea-session');
  assert.notEqual(token, '0'.repeat(64));
  const connection = await client.connect();
  const elsewhere = new Client(server);
  await elsewhere.post('/api/session', { name: client.name, password: 'correct horse' });
  const other = await elsewhere.connect();
  await client.ask('DELETE', '/api/session');
  await connection.waitFor('disconnect');
  assert.equal((await client.get('/api/me')).account, false);
  // The old cookie is no longer valid.
  client.cookies.set('alinea-session', token);
  assert.equal((await client.get('/api/me')).account, false);
  assert.ok(other.socket.connected);
  await other.done('cancel-seek');
});

test('sessions can be listed and ended', async () => {
  const here = new Client(server, { 'user-agent': 'Here' });
  await here.signUp(newName());
  const there = new Client(server, { 'user-agent': 'There' });
  await there.post('/api/session', { name: here.name, password: 'correct horse' });
  const connection = await there.connect();
  const sessions = await here.get('/api/sessions');
  assert.deepEqual(sessions.map(({ agent, current }) => [agent, current]).sort(), [
    ['Here', true],
    ['There', false],
  ]);
  const { id } = sessions.find(({ current }) => !current);
  await here.ask('DELETE', `/api/sessions/${id}`);
  await connection.waitFor('disconnect');
  assert.equal((await there.get('/api/me')).account, false);
  await here.refused(404, 'not-found', 'DELETE', `/api/sessions/${id}`);
  await there.refused(401, 'sign-in-first', 'GET', '/api/sessions');
  // A user cannot end another user's session.
  const stranger = await new Client(server).signUp(newName());
  const [mine] = await here.get('/api/sessions');
  await stranger.refused(404, 'not-found', 'DELETE', `/api/sessions/${mine.id}`);
});

test('changing the password ends the other sessions', async () => {
  const here = new Client(server);
  await here.signUp(newName());
  const there = new Client(server);
  await there.post('/api/session', { name: here.name, password: 'correct horse' });
  const connection = await there.connect();
  await here.refused(401, 'wrong-password', 'PUT', '/api/account/password', {
    old: 'wrong horse',
    new: 'battery staple',
  });
  await here.ask('PUT', '/api/account/password', { old: 'correct horse', new: 'battery staple' });
  await connection.waitFor('disconnect');
  assert.equal((await there.get('/api/me')).account, false);
  assert.equal((await here.get('/api/me')).account, true);
  await there.refused(401, 'wrong-password', 'POST', '/api/session', { name: here.name, password: 'correct horse' });
  await there.post('/api/session', { name: here.name, password: 'battery staple' });
});

// By the hint: without it, ended sessions are found every minute, which is longer than these tests wait.
test('ending a session closes its connections at once', async () => {
  const ends = [
    (client) => client.ask('DELETE', '/api/session'),
    async (_, elsewhere) => {
      const { id } = (await elsewhere.get('/api/sessions')).find(({ current }) => !current);
      await elsewhere.ask('DELETE', `/api/sessions/${id}`);
    },
    (_, elsewhere) => elsewhere.ask('PUT', '/api/account/password', { old: 'correct horse', new: 'battery staple' }),
  ];
  for (const end of ends) {
    const client = await new Client(server).signUp(newName());
    const elsewhere = new Client(server);
    await elsewhere.post('/api/session', { name: client.name, password: 'correct horse' });
    const lines = await Promise.all([client.connect(), client.connect()]);
    await end(client, elsewhere);
    await Promise.all(lines.map((connection) => connection.waitFor('disconnect')));
  }
});

test('password attempts are limited regardless of the claimed address', async () => {
  const address = { 'x-forwarded-for': '192.0.2.7' };
  const name = newName();
  let status;
  for (let tries = 0; tries < 100 && status !== 429; tries += 1) {
    // Addresses before the one the proxy saw are claimed by the client and not trusted.
    const client = new Client(server, { 'x-forwarded-for': `198.51.100.${tries}, ${address['x-forwarded-for']}` });
    ({ status } = await client.fetch('POST', '/api/session', { name, password: 'wrong horse' }));
  }
  assert.equal(status, 429);
  assert.equal(
    (await new Client(server).fetch('POST', '/api/session', { name: newName(), password: 'wrong horse' })).status,
    401,
  );
});

/// A rated game won by the first player.
async function ratedGame(winner, loser, game = 'tic-tac-toe') {
  const { table } = await winner.table(game, 'link', { rated: true, clock, listed: true });
  const first = await winner.at(table);
  const second = await loser.at(table);
  await second.do('sit');
  await play(first, second, 'b2 a1 b3 b1 a3 c3 c1');
  const ended = await second.event('ended');
  return { table, ended };
}

test('a rated game counts once and shows in profile, ranking, history and graph', async () => {
  const [ann, ben] = await Promise.all([0, 1].map(() => new Client(server).signUp(newName())));
  await new Client(server).refused(401, 'sign-in-first', 'POST', '/api/tables', {
    game: 'tic-tac-toe',
    opponent: { kind: 'link' },
    rated: true,
    clock,
  });
  const { table, ended } = await ratedGame(ann, ben);
  const [winner, loser] = ended.ratings;
  assert.ok(winner.after > winner.before && loser.after < loser.before, JSON.stringify(ended));
  const profile = await new Client(server).get(`/api/players/${ann.name}`);
  assert.deepEqual([profile.name, profile.wins, profile.draws, profile.losses], [ann.name, 1, 0, 0]);
  const [rating] = profile.ratings;
  assert.deepEqual([rating.game, rating.kind, rating.games], ['tic-tac-toe', 'fast', 1]);
  assert.ok(Math.abs(rating.rating - winner.after) < 1e-6);
  const points = await ann.get(`/api/players/${ann.name}/ratings?game=tic-tac-toe&kind=fast`);
  assert.deepEqual(
    points.map((point) => [point.table, Math.round(point.rating)]),
    [[table, Math.round(winner.after)]],
  );
  const { tables } = await ben.get(`/api/players/${ann.name}/games?status=ended&rated=true`);
  assert.deepEqual(
    tables.map((connection) => [connection.table, connection.winner, connection.reason]),
    [[table, 'first', 'rules']],
  );
  const text = await (await ben.fetch('GET', `/api/players/${ann.name}/games.txt`)).text();
  assert.match(text, new RegExp(`\\[First "${ann.name}"\\]`));
  assert.match(text, /1\. b2 a1 2\. b3 b1 3\. a3 c3 4\. c1 1-0/);
  await ann.refused(404, 'not-found', 'GET', '/api/players/unknown-name');
  await ann.refused(404, 'unknown-game', 'GET', '/api/ranking/ludo');
  await ann.refused(400, 'bad-message', 'GET', '/api/ranking/tic-tac-toe?kind=sudden');
});

test('the ranking lists players with enough games, best first', async () => {
  const [ann, ben] = await Promise.all([0, 1].map(() => new Client(server).signUp(newName())));
  // Against several others, because further games between the same two accounts count less.
  const others = await Promise.all(Array.from({ length: 7 }, () => new Client(server).signUp(newName())));
  for (let round = 0; round < 3 * others.length; round += 1) {
    const [one, two] = [others[round % 7], others[(round + 1) % 7]];
    // Ann wins two games of three, Ben one.
    await (round % 3 ? ratedGame(ann, one) : ratedGame(one, ann));
    await (round % 3 ? ratedGame(two, ben) : ratedGame(ben, two));
  }
  const lines = (await ann.get('/api/ranking/tic-tac-toe?kind=fast')).filter(({ name }) =>
    [ann.name, ben.name].includes(name),
  );
  assert.deepEqual(
    lines.map(({ name }) => name),
    [ann.name, ben.name],
  );
  assert.ok(lines[0].place < lines[1].place && lines[0].rating > lines[1].rating);
});

test('only listed tables are visible to others', async () => {
  const ann = await new Client(server).signUp(newName());
  const hidden = await ann.table('connect-four', 'link');
  const shown = await ann.table('connect-four', 'link', { listed: true });
  const ids = async (client, query) => (await client.get(`/api/tables?${query}`)).tables.map(({ table }) => table);
  const others = await ids(new Client(server), 'status=open&game=connect-four');
  assert.ok(others.includes(shown.table) && !others.includes(hidden.table));
  assert.deepEqual(await ids(new Client(server), `player=${ann.name}`), [shown.table]);
  assert.deepEqual(await ids(ann, 'player=me'), [shown.table, hidden.table]);
  assert.ok(!(await ids(new Client(server), 'status=open&game=connect-four:8x9x4')).includes(shown.table));
  assert.ok(!(await ids(new Client(server), 'rated=true')).includes(shown.table));
});

test('long lists are paginated', async () => {
  const ann = new Client(server);
  for (let count = 0; count < 60; count += 1) {
    ann.headers['x-forwarded-for'] = `10.200.${count}.1`;
    await ann.table('tic-tac-toe', 'here');
  }
  const seen = [];
  let next = '';
  do {
    const page = await ann.get(`/api/tables?player=me${next}`);
    page.tables.forEach(({ table }) => seen.push(table));
    next = page.next && `&before=${page.next}`;
  } while (next);
  assert.equal(new Set(seen).size, 60);
  assert.equal(seen.length, 60);
  await ann.refused(400, 'bad-message', 'GET', '/api/tables?before=nonsense');
});

test('a recovery code replaces a forgotten password once', async () => {
  const name = newName();
  const ann = await new Client(server).signUp(name);
  await ann.refused(401, 'wrong-password', 'POST', '/api/account/recovery-code', { password: 'wrong horse' });
  const first = await ann.post('/api/account/recovery-code', { password: 'correct horse' });
  const { code } = await ann.post('/api/account/recovery-code', { password: 'correct horse' });
  assert.match(code, /^[0-9a-f]{4}(-[0-9a-f]{4}){5}$/);
  const recover = (code, password = 'battery staple') => ['POST', '/api/session/recovery', { name, code, password }];
  const forgetful = new Client(server);
  await forgetful.refused(401, 'wrong-password', ...recover(first.code));
  await forgetful.refused(401, 'wrong-password', ...recover(''));
  await forgetful.refused(400, 'common-password', ...recover(code, 'password'));
  await forgetful.refused(401, 'wrong-password', 'POST', '/api/session/recovery', {
    name: 'unknown-name',
    code,
    password: 'battery staple',
  });
  assert.equal(
    (
      await forgetful.post('/api/session/recovery', {
        name,
        code: code.replaceAll('-', ' ').toUpperCase(),
        password: 'battery staple',
      })
    ).name,
    name,
  );
  assert.equal((await ann.get('/api/me')).account, false, 'other sessions have ended');
  await new Client(server).refused(401, 'wrong-password', ...recover(code));
  await new Client(server).post('/api/session', { name, password: 'battery staple' });
});

test('people take their data with them, and delete their account', async () => {
  const name = newName();
  const ann = await new Client(server).signUp(name);
  const { table } = await ann.table('tic-tac-toe', { kind: 'program', name: 'random' });
  const data = await ann.get('/api/account/data');
  assert.deepEqual(
    [data.profile.name, data.sessions.length, data.tokens, data.tables.map((one) => one.table)],
    [name, 1, [], [table]],
  );
  await new Client(server).refused(401, 'sign-in-first', 'GET', '/api/account/data');
  await ann.refused(401, 'wrong-password', 'DELETE', '/api/account', { password: 'wrong horse' });
  const { token } = await ann.post('/api/tokens', { label: 'bot' });
  await new Client(server, { authorization: `Bearer ${token}` }).refused(403, 'not-allowed', 'DELETE', '/api/account', {
    password: 'correct horse',
  });
  assert.equal((await ann.ask('DELETE', '/api/account', { password: 'correct horse' })).ok, true);
  assert.equal((await ann.get('/api/me')).account, false);
  await ann.refused(404, 'not-found', 'GET', `/api/players/${name}`);
  await new Client(server).signUp(name);
});

test('correspondence players are told where it is their turn, with the board', async () => {
  const [ann, bob] = [await new Client(server).signUp(newName()), await new Client(server).signUp(newName())];
  const days = { clock: { kind: 'correspondence', days: 3 }, side: 'first' };
  const tables = [];
  for (const moves of ['', 'a1', 'a1 b2']) {
    const { table } = await ann.table('tic-tac-toe', 'link', days);
    const [first, second] = [await ann.at(table), await bob.at(table)];
    await second.do('sit');
    if (moves) await play(first, second, moves);
    tables.push(table);
  }
  const turns = async (client) => (await client.get('/api/tables?turn=true')).tables;
  const [hers, his] = [await turns(ann), await turns(bob)];
  assert.deepEqual(
    [hers, his].map((list) => list.map(({ table }) => table)),
    [[tables[0], tables[2]], [tables[1]]],
  );
  assert.deepEqual(
    hers.map(({ ply, view }) => [ply, view.cells.filter(Boolean).length]),
    [
      [0, 0],
      [2, 2],
    ],
  );
  assert.deepEqual(await turns(new Client(server)), []);
});

test('live games come with their boards', async () => {
  const ann = await new Client(server).signUp(newName());
  const { table } = await ann.table(
    'tic-tac-toe',
    { kind: 'program', name: 'random' },
    { listed: true, side: 'first' },
  );
  const connection = await ann.at(table);
  await connection.move(1, 'b2');
  await connection.moveMade(2);
  const { tables } = await ann.get('/api/tables?live=true');
  const live = tables.find((one) => one.table === table);
  assert.deepEqual([live.ply, live.view.cells.filter(Boolean).length], [2, 2]);
  // A page of the largest boards would be a megabyte long.
  const large = await ann.table('connect-four:64x64x16', 'here', { listed: true });
  await (await ann.at(large.table)).move(1, '1');
  const { tables: again } = await ann.get('/api/tables?live=true');
  assert.equal(again.find((one) => one.table === large.table).view, undefined);
});

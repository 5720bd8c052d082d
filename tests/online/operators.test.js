// What operators see and do: the log, the audit log, bans and mutes, a message to all players.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { Client, closeAll, newName, two } from './client.js';
import { programs, run, Server, stopShared } from './server.js';

const PASSWORD = 'correct horse';
let server;
before(async () => {
  server = await Server.start({ env: { RUST_LOG: 'info' }, options: ['--log', 'json'] });
});
after(async () => {
  closeAll();
  await server.stop();
  await stopShared();
});

async function admin(...args) {
  const { code, stdout, stderr } = await run('admin', ...server.database.args, ...args);
  assert.deepEqual([code, stderr], [0, ''], args.join(' '));
  return stdout;
}

async function adminJson(...args) {
  return JSON.parse(await admin('--json', ...args));
}

/// Waits until something holds; what operators do reaches a server within seconds.
async function until(holds) {
  const start = Date.now();
  while (!(await holds())) {
    assert.ok(Date.now() - start < 30_000, `${holds}`);
    // Not faster than the limits of requests and messages.
    await new Promise((done) => setTimeout(done, 200));
  }
}

/// The lines of the log with this event.
function logged(event) {
  const lines = server.log.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => JSON.parse(line)).filter(({ fields }) => fields.message === event);
}

test('the log at RUST_LOG=info tells what happened, without secrets', async () => {
  const name = newName();
  const ann = await new Client(server).signUp(name);
  const wrong = 'a wrong password';
  const stranger = new Client(server);
  await stranger.refused(401, 'wrong-password', 'POST', '/api/session', { name, password: wrong });
  await stranger.refused(401, 'wrong-password', 'POST', '/api/session', { name: PASSWORD, password: name });
  await until(() => logged('sign_in_refused').length === 2);
  assert.equal(logged('server_started').length, 1);
  const [created] = logged('account_created');
  const [refused, unknown] = logged('sign_in_refused');
  assert.equal(refused.fields.account, created.fields.actor);
  assert.equal(unknown.fields.account, '', 'a password in the field of the name');
  assert.equal(refused.fields.client, stranger.headers['x-forwarded-for']);
  assert.match(refused.spans[0].id, /^[0-9a-f]{16}$/);
  const { id } = await ann.post('/api/tournaments', {
    name: 'Club',
    game: 'tic-tac-toe',
    format: { kind: 'round-robin' },
  });
  await ann.post(`/api/tournaments/${id}`, { end: {} });
  await until(() => logged('tournament_ended').length === 1);
  assert.deepEqual(
    [logged('tournament_ended')[0].fields.subject, logged('tournament_ended')[0].fields.actor],
    [id, created.fields.actor],
  );
  for (const secret of [PASSWORD, wrong, ...ann.cookies.values()]) assert.ok(!server.log.includes(secret));
});

test('requests have ids, which a trusted proxy may choose', async () => {
  const own = await server.fetch('/api/health');
  assert.match(own.headers.get('x-request-id'), /^[0-9a-f]{16}$/);
  const given = await server.fetch('/api/health', { headers: { 'x-request-id': 'proxy-7' } });
  assert.equal(given.headers.get('x-request-id'), 'proxy-7');
});

test('a request that takes over a second is logged with its id', async () => {
  const client = new Client(server);
  const asked = { game: 'gomoku', moves: 'h8', lines: 1, time_ms: 1500 };
  const response = await client.fetch('POST', '/api/analysis', asked);
  await response.text();
  await until(() => logged('slow_request').some(({ fields }) => fields.route === '/api/analysis'));
  const { fields } = logged('slow_request').find((line) => line.fields.route === '/api/analysis');
  assert.deepEqual([fields.method, fields.status, fields.request], ['POST', 200, response.headers.get('x-request-id')]);
  assert.ok(fields.ms >= 1000);
});

test('a client that is too fast is logged once in a while', async () => {
  const client = new Client(server);
  const statuses = [];
  for (let n = 0; n < 40; n += 1) statuses.push((await client.fetch('GET', '/api/codes/ABCDEF')).status);
  assert.ok(statuses.includes(429), `${statuses}`);
  await until(() => logged('rate_limited').length > 0);
  assert.equal(logged('rate_limited')[0].fields.client, client.headers['x-forwarded-for']);
  assert.ok(logged('rate_limited').length < statuses.filter((status) => status === 429).length);
});

test('the audit log records who did what', async () => {
  const name = newName();
  await new Client(server).signUp(name);
  const [{ id }] = await adminJson('accounts', name);
  await admin('ban', name);
  const entries = (await adminJson('audit', '--days', '1')).filter(({ actor, subject }) =>
    [actor, subject].includes(id),
  );
  assert.deepEqual(
    entries.map(({ actor, action }) => [actor, action]),
    [
      ['operator', 'banned'],
      [id, 'account_created'],
    ],
  );
  assert.match(await admin('audit'), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\toperator\tbanned\tu:/m);
  assert.ok(!(await admin('audit')).includes(PASSWORD));
});

test('a guest is banned by id, and comes back when the ban is lifted', async () => {
  const { table, first, clients } = await two(server, 'tic-tac-toe');
  const listed = (await adminJson('tables')).find((row) => row.id === table);
  const { id } = listed.seats[0];
  assert.match(id, /^g:/);
  assert.ok((await admin('tables')).includes(id));
  await admin('ban', id, '--days', '1', '--note', 'insults');
  await until(async () => (await clients[0].fetch('GET', '/api/me')).status === 403);
  first.socket.emit('chat', { table, text: 'hello' });
  await first.waitFor('disconnect');
  assert.equal((await clients[1].fetch('GET', '/api/me')).status, 200);
  assert.match(await admin('restrictions'), new RegExp(`^${id}\tbanned\t\\S+\t\\S+\tinsults$`, 'm'));
  await admin('unban', id);
  await until(async () => (await clients[0].fetch('GET', '/api/me')).status === 200);
  const { code } = await run('admin', ...server.database.args, 'unban', id);
  assert.notEqual(code, 0);
});

test('a network is banned and unbanned', async () => {
  const client = new Client(server, { 'x-forwarded-for': '203.0.113.77' });
  const neighbour = new Client(server, { 'x-forwarded-for': '203.0.114.77' });
  await admin('ban', '203.0.113.0/24');
  await until(async () => (await client.fetch('GET', '/api/me')).status === 403);
  assert.equal((await neighbour.fetch('GET', '/api/me')).status, 200);
  await admin('unban', '203.0.113.0/24');
  await until(async () => (await client.fetch('GET', '/api/me')).status === 200);
});

test('who is muted plays, but does not chat', async () => {
  const { first, clients } = await two(server, 'tic-tac-toe');
  const name = newName();
  await clients[0].signUp(name);
  await admin('mute', name);
  const muted = await clients[0].at(first.table);
  await until(async () => {
    const answer = await muted.ask('chat', { table: first.table, text: 'hello' });
    return answer.code === 'not-allowed';
  });
  await muted.move(1, 'b2');
  await admin('unmute', name);
  await until(async () => (await muted.ask('chat', { table: first.table, text: 'hello' })).ok);
});

test('a message reaches all players, also those who come later', async () => {
  const client = new Client(server);
  const connection = await client.connect();
  await admin('announce', 'The server restarts at eight.');
  const { text } = await connection.waitFor('announcement');
  assert.equal(text, 'The server restarts at eight.');
  assert.equal((await new Client(server).get('/api/server')).announcement.text, text);
  await admin('announce', '');
  await until(async () => (await client.get('/api/server')).announcement === undefined);
});

test('a tournament is ended in the place of its organiser', async () => {
  const [ann, bob] = [await new Client(server).signUp(newName()), await new Client(server).signUp(newName())];
  const settings = { name: 'Rude', game: 'tic-tac-toe', format: { kind: 'round-robin' }, listed: true };
  const { id } = await ann.post('/api/tournaments', settings);
  for (const player of [ann, bob]) await player.post(`/api/tournaments/${id}`, { enter: {} });
  await ann.post(`/api/tournaments/${id}`, { start: {} });
  assert.equal((await adminJson('tournaments')).find((one) => one.id === id).phase, 'running');
  assert.match(await admin('end-tournament', id), /is over; 1 games ended/);
  assert.equal((await ann.get(`/api/tournaments/${id}`)).phase, 'over');
  const isListed = async () => (await new Client(server).get('/api/tournaments')).some((one) => one.id === id);
  assert.ok(await isListed());
  await admin('unlist-tournament', id);
  assert.ok(!(await isListed()));
  assert.equal((await bob.get(`/api/tournaments/${id}`)).name, 'Rude', 'it is still there');
  for (const command of ['end-tournament', 'unlist-tournament']) {
    const { code, stderr } = await run('admin', ...server.database.args, command, 'nothing');
    assert.deepEqual([code, stderr.trim().split('\n').length], [2, 1]);
  }
});

/// The status of a request with these headers, as they are.
function raw(headers) {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${server.url}/analysis/connect-four`, { headers, setHost: false }, (answer) => {
      let text = '';
      answer.on('data', (more) => (text += more));
      answer.on('end', () => resolve({ status: answer.statusCode, text, headers: answer.headers }));
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

test('a request names one host, and previews begin with the address of the host', async () => {
  assert.equal((await raw(['Host', 'a.example', 'Host', 'b.example'])).status, 400);
  assert.equal((await raw(['Host', 'a.example"><b'])).status, 400);
  assert.equal((await raw(['Host', 'a.example'])).status, 200);
  const folder = mkdtempSync(join(tmpdir(), 'alinea-page-'));
  writeFileSync(join(folder, 'index.html'), '<html><head></head></html>');
  const own = await Server.start({ options: ['--public-url', 'https://alinea.example', '--page', folder] });
  const response = await fetch(`${own.url}/analysis/connect-four`);
  assert.equal(response.headers.get('vary'), 'host, accept-language');
  const page = await response.text();
  assert.match(page, /content="https:\/\/alinea\.example\/api\/picture\.png/);
  assert.ok(!page.includes(new URL(own.url).host));
  assert.equal(await own.stop(), 0);
  rmSync(folder, { recursive: true });
});

test('a bot connects with the token in auth', async () => {
  const bot = await new Client(server).signUp(newName());
  const { token } = await bot.post('/api/tokens', { label: 'bot' });
  const other = new Client(server);
  other.cookies.set('none', '1');
  const connection = await other.connect({ auth: { token } });
  const { table } = await bot.table('tic-tac-toe', 'link');
  const { snapshot } = await connection.done('join', { table });
  assert.deepEqual(snapshot.you, ['first']);
  await assert.rejects(other.connect({ auth: { token: 'alinea_unknown' } }), /unknown or was revoked/);
});

test('a service runs on PostgreSQL if its settings name a database', async () => {
  const unit = readFileSync(new URL('../../deploy/alinea.service', import.meta.url), 'utf8');
  const image = readFileSync(new URL('../../deploy/Containerfile', import.meta.url), 'utf8');
  // An option would override the variable that names the database.
  for (const text of [unit, image]) assert.ok(text.includes('ALINEA_DATA=') && !text.includes('--data'));
  const opened = (env) =>
    promisify(execFile)(join(programs, 'alinea'), ['admin', 'stats'], { env: { ...process.env, ...env } }).then(
      () => 'opened',
      ({ stderr }) => stderr,
    );
  const file = '/nowhere/games.db';
  assert.match(await opened({ ALINEA_DATA: file }), /there is no database \/nowhere\/games\.db/);
  const url = 'postgres://nobody@127.0.0.1:1/none';
  assert.match(await opened({ ALINEA_DATA: file, ALINEA_DATABASE_URL: url }), /cannot open the database: /);
});

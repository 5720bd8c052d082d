// The OpenAPI document is complete: every operation answers any request with a documented status.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, newName } from './client.js';
import { serve } from './suite.js';

const server = await serve({ options: ['--limits', '0'] });
const document = await new Client(server).get('/api/openapi.json');

/// Resolves a reference.
function resolve(schema) {
  return schema?.$ref
    ? schema.$ref
        .slice(2)
        .split('/')
        .reduce((at, key) => at[key], document)
    : schema;
}

/// A value that matches a schema.
function example(schema, name) {
  const whole = resolve(schema) ?? {};
  if (name === 'game') return 'connect-four';
  if (whole.enum) return whole.enum[0];
  if (whole.default !== undefined) return whole.default;
  if (whole.oneOf)
    return example(
      whole.oneOf.find((one) => resolve(one).type !== 'null'),
      name,
    );
  if (whole.allOf) return Object.assign({}, ...whole.allOf.map((one) => example(one)));
  const type = [whole.type].flat().find((type) => type !== 'null');
  if (type === 'object')
    return Object.fromEntries(
      Object.entries(whole.properties ?? {})
        .filter(([key]) => whole.required?.includes(key))
        .map(([key, value]) => [key, example(value, key)]),
    );
  if (type === 'array') return [];
  if (type === 'integer' || type === 'number') return Math.max(1, whole.minimum ?? 1);
  if (type === 'boolean') return false;
  return name === 'name' ? newName() : 'something';
}

const WRONG = [
  null,
  true,
  -1,
  1.5,
  1e308,
  '',
  'x'.repeat(300),
  '\u0000',
  [],
  [[]],
  {},
  { $ref: 'x' },
  '2147483648',
  2 ** 53,
];

function* bodies(schema) {
  const good = example(schema);
  yield good;
  for (const wrong of WRONG) yield wrong;
  for (const key of Object.keys(resolve(schema)?.properties ?? {})) {
    for (const wrong of WRONG) yield { ...good, [key]: wrong };
    const { [key]: _, ...without } = good;
    yield without;
  }
  yield { ...good, unknown: 1 };
}

function operations() {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
}

const COMMANDS = [
  'make-move',
  'sit',
  'resign',
  'offer-draw',
  'decline-draw',
  'take-back',
  'decline-take-back',
  'claim',
  'rematch',
  'chat',
  'pace',
  'step',
];

test('the document lists every route and error code', () => {
  assert.deepEqual([document.info.title, document.info.contact], ['Alinea', undefined]);
  const named = operations().map(({ method, path }) => `${method} ${path}`);
  for (const route of [
    'GET /api/me',
    'POST /api/account',
    'DELETE /api/account',
    'GET /api/account/data',
    'POST /api/account/recovery-code',
    'POST /api/session/recovery',
    'GET /api/server',
    'PUT /api/account/password',
    'POST /api/session',
    'DELETE /api/session',
    'GET /api/sessions',
    'DELETE /api/sessions/{id}',
    'GET /api/tokens',
    'POST /api/tokens',
    'DELETE /api/tokens/{id}',
    'GET /api/games',
    'POST /api/tables',
    'GET /api/tables',
    'GET /api/tables/{table}',
    ...COMMANDS.map((command) => `POST /api/tables/{table}/${command}`),
    'GET /api/tables/{table}/game',
    'GET /api/tables/{table}/events',
    'GET /api/codes/{code}',
    'GET /api/players/{name}',
    'GET /api/players/{name}/games',
    'GET /api/players/{name}/games.txt',
    'GET /api/players/{name}/ratings',
    'GET /api/ranking/{game}',
    'POST /api/position',
    'POST /api/analysis',
    'POST /api/review',
    'GET /api/health',
    'GET /api/ready',
    'GET /metrics',
    'POST /api/reports',
    'GET /api/bot/events',
    'POST /api/bot/seek',
  ])
    assert.ok(named.includes(route), route);
  assert.ok(resolve({ $ref: '#/components/schemas/ErrorCode' }).enum.includes('illegal-move'));
  // Every command has the body of its own fields.
  const body = (command) => document.paths[`/api/tables/{table}/${command}`].post.requestBody;
  const fields = (command) => Object.keys(resolve(body(command).content['application/json'].schema).properties ?? {});
  assert.deepEqual(fields('make-move').sort(), ['lag_ms', 'move', 'ply', 'seen']);
  assert.deepEqual(
    [fields('claim'), fields('chat'), fields('pace').sort(), fields('sit')],
    [['result'], ['text'], ['delay_ms', 'paused'], []],
  );
  assert.deepEqual([body('make-move').required, body('sit').required], [true, false]);
  // Streams, messages over Socket.IO and long requests are described too.
  const stream = document.paths['/api/tables/{table}/events'].get.responses[200].content['application/x-ndjson'].schema;
  assert.match(stream.$ref, /TableStreamLine$/);
  for (const name of ['Request', 'Command', 'Push', 'Answer', 'View', 'Choice', 'Thought', 'Reason', 'GameEntry'])
    assert.ok(document.components.schemas[name], name);
  for (const { path, method, operation } of operations()) {
    const errors = Object.keys(operation.responses).filter((status) => status >= 400);
    if (errors.length) assert.ok(errors.includes('413'), `${method} ${path}`);
  }
  // Every reference resolves.
  const text = JSON.stringify(document);
  for (const [, ref] of text.matchAll(/"\$ref":"([^"]+)"/g)) assert.ok(resolve({ $ref: ref }), ref);
});

test('every operation answers invalid requests with a documented status, never 500', async () => {
  const client = await new Client(server).signUp(newName());
  const { table } = await client.table('connect-four', 'here');
  let asked = 0;
  for (const { path, method, operation } of operations()) {
    const named = Object.keys(operation.responses).map(Number);
    const content = operation.requestBody?.content?.['application/json']?.schema;
    const places = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path').map(({ name }) => name);
    const queries = (operation.parameters ?? [])
      .filter((parameter) => parameter.in === 'query')
      .map(({ name }) => name);
    const ways = [
      Object.fromEntries(
        places.map((name) => [name, name === 'table' ? table : name === 'game' ? 'connect-four' : client.name]),
      ),
    ];
    for (const wrong of ['x', '%00', '..%2f', '%F0%9F%98%80', '-1', 'x'.repeat(300)])
      for (const place of places) ways.push({ ...ways[0], [place]: wrong });
    for (const way of ways) {
      const address = path.replace(/\{(\w+)\}/g, (_, name) => way[name]);
      const questions = [
        '',
        ...queries.flatMap((name) =>
          ['x', '', '-1', '%00', '1e9', '99999999999999999999'].map((value) => `?${name}=${value}`),
        ),
        '?unknown=1',
        ...(queries.includes('moves') ? ['?game=tic-tac-toe&moves=zz'] : []),
      ];
      for (const question of way === ways[0] ? questions : ['']) {
        for (const body of content && way === ways[0] ? bodies(content) : [content && {}]) {
          // Streams are cancelled once they have started; a seek that would wait is not sent.
          if (
            path === '/api/bot/seek' &&
            body?.game === 'connect-four' &&
            typeof body.rated !== 'object' &&
            isSeek(body)
          )
            continue;
          if (method === 'DELETE' && path === '/api/session') continue; // The session is needed for the rest.
          const leaving = new AbortController();
          const headers = {
            cookie: client.cookie,
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          };
          const response = await fetch(server.url + address + question, {
            method,
            headers,
            body: body === undefined ? undefined : JSON.stringify(body),
            signal: leaving.signal,
          });
          // Continue with the new session.
          const session = response.headers.getSetCookie().find((cookie) => cookie.startsWith('alinea-session='));
          if (session) client.cookies.set('alinea-session', session.match(/=([^;]*)/)[1]);
          const told = `${method} ${address}${question} ${JSON.stringify(body)?.slice(0, 200)}: ${response.status}`;
          assert.ok(named.includes(response.status), told);
          assert.ok(response.status < 500, told);
          if (response.status >= 400) {
            const { ok, code, message } = await response.json();
            assert.deepEqual([ok, typeof code, typeof message], [false, 'string', 'string'], told);
          }
          leaving.abort();
          asked += 1;
        }
      }
    }
  }
  assert.ok(asked > 500, `${asked}`);
});

test('the document is as strict as the server: what is beyond a limit is refused', async () => {
  const client = await new Client(server).signUp(newName());
  let tried = 0;
  for (const { path, method, operation } of operations()) {
    const schema = operation.requestBody?.content?.['application/json']?.schema;
    if (!schema || path.includes('{')) continue;
    for (const [key, property] of Object.entries(resolve(schema).properties ?? {})) {
      const { minLength, maxLength, maximum, minimum, pattern } = resolve(property) ?? {};
      const beyond = [
        // Of two bytes each.
        minLength > 1 && 'é'.repeat(minLength - 1),
        maxLength !== undefined && 'x'.repeat(maxLength + 1),
        maximum !== undefined && maximum + 1,
        minimum > 0 && minimum - 1,
        pattern !== undefined && '\n',
      ].filter((value) => value !== false);
      for (const value of beyond) {
        const { status } = await client.fetch(method, path, { ...example(schema), [key]: value });
        assert.ok(
          status >= 400 && status < 500,
          `${method} ${path} ${key}=${JSON.stringify(value).slice(0, 80)}: ${status}`,
        );
        tried += 1;
      }
    }
  }
  assert.ok(tried >= 20, `${tried}`);
});

/// Whether the request is a seek that would wait.
function isSeek(body) {
  const known = ['game', 'clock', 'rated', 'range', 'bots'];
  return (
    Object.keys(body).every((key) => known.includes(key)) &&
    (body.clock === undefined || body.clock?.kind) &&
    (body.range === undefined || Number.isInteger(body.range)) &&
    [undefined, true, false].includes(body.bots)
  );
}

test('answers match the document', async () => {
  const client = await new Client(server).signUp(newName());
  const { table } = await client.table('connect-four', 'here');
  await client.post(`/api/tables/${table}/make-move`, { ply: 1, move: '4' });
  for (const [path, address] of [
    ['/api/me', '/api/me'],
    ['/api/games', '/api/games'],
    ['/api/tables', '/api/tables?player=me'],
    ['/api/tables/{table}', `/api/tables/${table}`],
    ['/api/players/{name}', `/api/players/${client.name}`],
    ['/api/sessions', '/api/sessions'],
    ['/api/health', '/api/health'],
  ]) {
    const schema = document.paths[path].get.responses[200].content['application/json'].schema;
    fits(schema, await client.get(address), path);
  }
  // Boards, analyses and reviews of every game, and the first line of a stream.
  const posted = async (path, body) =>
    fits(
      document.paths[path].post.responses[200].content['application/json'].schema,
      await client.post(path, body),
      `${path} ${body.game}`,
    );
  for (const [game, moves] of [
    ['tic-tac-toe', 'b2 a1 c3'],
    ['connect-four', '4 4 5 5'],
    ['simplexity', '4r 4s'],
    ['chess-five', 'Q@d Q@e'],
  ]) {
    await posted('/api/position', { game, moves });
    await posted('/api/analysis', { game, moves, time_ms: 100 });
    const review = await fetch(`${server.url}/api/review`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ game, moves }),
    });
    const { schema } = document.paths['/api/review'].post.responses[200].content['application/x-ndjson'];
    for (const line of (await review.text()).trim().split('\n')) fits(schema, JSON.parse(line), `/api/review ${game}`);
  }
  const leaving = new AbortController();
  const response = await fetch(`${server.url}/api/tables/${table}/events`, {
    headers: { cookie: client.cookie },
    signal: leaving.signal,
  });
  let text = '';
  for await (const chunk of response.body) {
    text += Buffer.from(chunk).toString();
    if (text.includes('\n')) break;
  }
  leaving.abort();
  fits({ $ref: '#/components/schemas/TableStreamLine' }, JSON.parse(text.split('\n')[0]), 'stream');
});

/// The objects that a schema of several parts may be, with the fields of all parts.
function alternatives(schema) {
  const whole = resolve(schema);
  if (whole.oneOf) return whole.oneOf.flatMap(alternatives);
  if (!whole.allOf) return [whole];
  const merge = (a, b) => ({
    type: 'object',
    properties: { ...a.properties, ...b.properties },
    required: [...(a.required ?? []), ...(b.required ?? [])],
  });
  return whole.allOf
    .map(alternatives)
    .reduce((merged, part) => merged.flatMap((a) => part.map((b) => merge(a, b))), [{}]);
}

/// Asserts that a value has the fields and types of its schema.
function fits(schema, value, where) {
  const whole = resolve(schema);
  if (!whole || whole === true || Object.keys(whole).every((key) => ['description', 'default'].includes(key))) return;
  if (whole.oneOf) {
    const problems = whole.oneOf.map((one) => {
      try {
        fits(one, value, where);
      } catch (error) {
        return error;
      }
    });
    assert.ok(problems.includes(undefined), `${where}: ${JSON.stringify(value)} fits nothing: ${problems[0]?.message}`);
    return;
  }
  if (whole.allOf) return fits({ oneOf: alternatives(whole) }, value, where);
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  const allowed = [whole.type].flat().map((type) => (type === 'integer' ? 'number' : type));
  if (whole.type) assert.ok(allowed.includes(type), `${where}: ${type} is not ${allowed}`);
  if (whole.enum) assert.ok(whole.enum.includes(value), `${where}: ${value} is none of ${whole.enum}`);
  if (type === 'array' && whole.items) value.forEach((item, i) => fits(whole.items, item, `${where}[${i}]`));
  if (type === 'object') {
    for (const key of whole.required ?? []) assert.ok(key in value, `${where}: ${key} is missing`);
    for (const [key, part] of Object.entries(value)) {
      if (whole.properties)
        assert.ok(key in whole.properties || whole.additionalProperties, `${where}: ${key} is not in the document`);
      if (whole.properties?.[key]) fits(whole.properties[key], part, `${where}.${key}`);
    }
  }
}

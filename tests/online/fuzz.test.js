// Every command of the server with mutated fields, from a fixed seed. Each is answered, nothing breaks, and a game
// played at the same time is unaffected.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, two } from './client.js';
import { serve } from './suite.js';

const SEED = 20_240_229;
const ROUNDS = 100;
const AT_ONCE = 50;

const server = await serve({ options: ['--limits', '0'] });

/// A seeded random generator.
function chance(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const deep = (depth, open, close) => JSON.parse(open.repeat(depth) + close.repeat(depth));
const WRONG = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1,
  2,
  0.5,
  -1e-320,
  255,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  2 ** 63,
  -(2 ** 63),
  1e308,
  -1e308,
  '',
  ' ',
  '0',
  '-1',
  '1e999',
  'NaN',
  'first',
  'null',
  '\u0000',
  '\ud800',
  'é\u0301',
  '\u202e',
  '💥',
  '..',
  '/',
  "'; DROP TABLE events; --",
  '%s%n',
  '${7*7}',
  'x'.repeat(41),
  'x'.repeat(300),
  'x'.repeat(12_000),
  '4 '.repeat(4_000),
  [],
  [null],
  [[]],
  ['4'],
  [1, 2, 3],
  deep(60, '[', ']'),
  deep(1_000, '[', ']'),
  Array(3_000).fill(0),
  {},
  { kind: 'none' },
  { kind: 'game' },
  { kind: {} },
  { table: null },
  { length: 1e9 },
  { toString: 1 },
  JSON.parse('{"__proto__":{"ok":true}}'),
  JSON.parse(`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`),
];

/// A valid message of every kind.
function valid(table, other) {
  const clock = { kind: 'game', initial_ms: 60_000, increment_ms: 0 };
  return [
    ['join', { table, seen: 0, view: true }],
    ['leave', { table }],
    ['think', { table, on: false }],
    ['seek', { game: 'connect-four', clock, rated: false, range: 100 }],
    ['cancel-seek', {}],
    ['analyse', { game: 'tic-tac-toe', position: '3/3/3 a', moves: 'b2', lines: 1 }],
    ['stop-analysis', {}],
    ['make-move', { table, ply: 1, move: '4', lag_ms: 0 }],
    ['sit', { table: other }],
    ['resign', { table: other }],
    ['offer-draw', { table }],
    ['decline-draw', { table }],
    ['take-back', { table }],
    ['decline-take-back', { table }],
    ['claim', { table: other, result: 'win' }],
    ['rematch', { table }],
    ['chat', { table, text: 'hello' }],
    ['pace', { table, paused: true, delay_ms: 0 }],
    ['step', { table }],
  ];
}

/// A mutated message: a field of another type, missing, added or nested; or another value altogether.
function spoil(message, random) {
  const wrong = () => WRONG[random(WRONG.length)];
  const fields = Object.keys(message);
  const field = fields[random(fields.length)];
  switch (random(8)) {
    case 0:
      return wrong();
    case 1:
      return [message];
    case 2: {
      const { [field]: _, ...rest } = message;
      return rest;
    }
    case 3:
      return { ...message, [['side', 'who', 'ply', 'table', 'ok', 'constructor'][random(6)]]: wrong() };
    case 4:
      if (typeof message[field] === 'object') return { ...message, [field]: spoil(message[field], random) };
      return { ...message, [field]: { [field]: message[field] } };
    default:
      return { ...message, [field ?? 'x']: wrong() };
  }
}

test('thousands of mutated messages are answered and affect no other table', async () => {
  const random = chance(SEED);
  const { table: untouched, first, second } = await two(server, 'connect-four:64x64x16');
  const here = new Client(server);
  const { table } = await here.table('connect-four:64x64x16', 'here', { take_back: true });
  let sent = 0;
  let ply = 0;
  const codes = new Map();
  for (let round = 0; round < ROUNDS; round += 1) {
    // Alternately a player of the table and a stranger, at a table they may change and at one they may not.
    const connection = await (round % 2 ? new Client(server) : here).connect();
    const messages = Array.from({ length: AT_ONCE }, () => {
      const known = valid(random(4) ? table : untouched, untouched);
      const [name, message] = known[random(known.length)];
      return [name, spoil(message, random)];
    });
    const answers = await Promise.all(messages.map(([name, message]) => connection.ask(name, message)));
    for (const [i, answer] of answers.entries()) {
      const what = `${messages[i][0]} ${JSON.stringify(messages[i][1])?.slice(0, 200)} of round ${round}: ${JSON.stringify(answer).slice(0, 200)}`;
      assert.equal(typeof answer.ok, 'boolean', what);
      assert.notEqual(answer.code, 'broken', what);
      codes.set(answer.code, (codes.get(answer.code) ?? 0) + 1);
    }
    sent += answers.length;
    assert.ok(connection.socket.connected);
    connection.close();
    ply += 1;
    await (ply % 2 ? first : second).move(ply, String(1 + (ply % 20)));
  }
  assert.ok(sent >= 5_000 && codes.get('bad-message') > sent / 4, JSON.stringify([...codes]));
  const { snapshot } = await first.done('join', { table: untouched });
  assert.deepEqual([snapshot.moves.length, snapshot.status, snapshot.chat], [ply, 'playing', []]);
  assert.equal(snapshot.v, ply + 2, 'nothing else happened at the table');
  // The log is consistent: the exported text can be replayed.
  const text = await (await here.fetch('GET', `/api/tables/${table}/game`)).text();
  assert.match(text, /\[Game "connect-four:64x64x16"\]/);
});

test('unknown commands are rejected', async () => {
  const connection = await new Client(server).connect();
  for (const name of ['win', 'connection', 'constructor', '__proto__', 'move-made', 'x'.repeat(200), '💥']) {
    for (const value of WRONG) {
      const { ok } = await connection.ask(name, value);
      assert.equal(ok, false, name);
    }
  }
  assert.ok(connection.socket.connected);
});

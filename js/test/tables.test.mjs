// Local tables: a game against a program, its log, a clock, a rematch.

import assert from 'node:assert/strict';
import test from 'node:test';

import { AlineaError, load } from '../index.js';
import { wasm } from './core.mjs';

const open = (alinea, table, fields) =>
  alinea.ask({ open: { table, new: { game: 'connect-four', side: 'first', ...fields } } });
const command = (alinea, table, name, fields = {}, next = undefined) =>
  alinea.ask({ command: { table, command: { [name]: fields }, next } });

/** Lets programs move until it is a person's turn or the game is over; returns the log. */
function answer(alinea, table, shown) {
  const log = [...shown.entries];
  while (shown.turn) {
    const { game } = shown.snapshot.settings;
    const moves = shown.snapshot.moves.map((made) => made.move);
    const { player, seed } = shown.turn;
    const { thought } = alinea.choose({ game, moves }, player, { seed });
    shown = alinea.ask({ 'program-moves': { table, thought } });
    log.push(...shown.entries);
  }
  return { shown, log };
}

test('a person plays a program, and another core goes on from the log', async () => {
  const alinea = await load(wasm);
  const opponent = { kind: 'program', name: 'level:2' };
  const opened = open(alinea, 'a', { opponent, take_back: true });
  assert.equal(opened.turn, null);
  const played = answer(alinea, 'a', command(alinea, 'a', 'make-move', { ply: 1, move: '4' }));
  assert.equal(played.shown.snapshot.moves.length, 2);

  const other = await load(wasm);
  const loaded = other.ask({ load: { table: 'a', log: [...opened.entries, ...played.log] } });
  assert.deepEqual(loaded.snapshot, played.shown.snapshot);
});

test('two programs play a game to its end', async () => {
  const alinea = await load(wasm);
  const opponent = { kind: 'demo', first: 'level:1', second: 'random' };
  const { shown, log } = answer(alinea, 'demo', open(alinea, 'demo', { opponent }));
  assert.equal(shown.snapshot.status, 'ended');
  assert.deepEqual(
    log.map((entry) => entry.version),
    log.map((_, i) => i + 1),
  );
});

test('a rematch exchanges the sides', async () => {
  const alinea = await load(wasm);
  open(alinea, 'a', { opponent: { kind: 'program', name: 'level:1' } });
  command(alinea, 'a', 'resign');
  const { rematch } = command(alinea, 'a', 'rematch', {}, 'b');
  assert.deepEqual(rematch.snapshot.you, ['second']);
  assert.equal(rematch.turn.player, 'level:1');
});

test('a running clock is looked at in time', async () => {
  const alinea = await load(wasm);
  const clock = { kind: 'game', initial_ms: 60_000, increment_ms: 0 };
  const opened = Date.now();
  open(alinea, 'a', { opponent: { kind: 'here' }, clock });
  command(alinea, 'a', 'make-move', { ply: 1, move: '4' });
  const shown = command(alinea, 'a', 'make-move', { ply: 2, move: '4' });
  // A little later, for lag that may be compensated.
  assert.ok(shown.flag_at > opened + 60_000 && shown.flag_at < Date.now() + 65_000);
  assert.equal(alinea.ask({ flag: { table: 'a' } }).snapshot.status, 'playing');
});

test('a log of version 0.1 is read', async () => {
  const { readFile } = await import('node:fs/promises');
  const text = await readFile(new URL('../../crates/table/tests/golden/log-0.1.jsonl', import.meta.url), 'utf8');
  const entry = (line, i) => ({ version: i + 1, at: 1_700_000_000_000 + 1000 * (i + 1), event: JSON.parse(line) });
  const alinea = await load(wasm);
  const { snapshot } = alinea.ask({ load: { table: 'old', log: text.trim().split('\n').map(entry) } });
  assert.equal(snapshot.status, 'ended');
});

test('commands are rejected as on a server', async () => {
  const alinea = await load(wasm);
  open(alinea, 'a', { opponent: { kind: 'here' } });
  const rejected = (code, ask) => assert.throws(ask, (error) => error instanceof AlineaError && error.code === code);
  rejected('illegal-move', () => command(alinea, 'a', 'make-move', { ply: 1, move: '9' }));
  rejected('unknown-table', () => command(alinea, 'none', 'resign'));
  rejected('stale-ply', () => alinea.ask({ 'program-moves': { table: 'a' } }));
  rejected('not-allowed', () => open(alinea, 'b', { opponent: { kind: 'link' } }));
});

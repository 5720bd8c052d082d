import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { Connection } from '../src/socket.svelte';
import { Table, type TableNotice } from '../src/game/table.svelte';
import type { Snapshot } from '../src/protocol';
import { moveMade, snapshot } from './fixtures';
import { FakeWire, wired } from './wire';

// Also where a test winds the clock itself.
const realTimeout = setTimeout;
const settled = (): Promise<void> => new Promise((resolve) => realTimeout(resolve));

async function joined(
  more: Partial<Snapshot> = {},
): Promise<{ wire: FakeWire; connection: Connection; table: Table; news: TableNotice[] }> {
  const wire = new FakeWire();
  const connection = wired(wire);
  const news: TableNotice[] = [];
  const table = new Table('t', connection, (item) => news.push(item));
  table.start();
  await settled();
  const join = wire.sent.find(({ name }) => name === 'join')!;
  expect(join.data).toEqual({ table: 't', view: true });
  join.answer({ ok: true, snapshot: snapshot(more) });
  await settled();
  wire.sent.length = 0;
  return { wire, connection, table, news };
}

beforeEach(() => void vi.stubGlobal('fetch', () => Promise.reject(new Error('no server here'))));
afterEach(() => void vi.unstubAllGlobals());

describe('a table of the server', () => {
  it('shows what it joined and what happens then', async () => {
    const { wire, table, news } = await joined();
    expect(table.now?.moves).toEqual([]);
    wire.hear('move-made', moveMade(2, 1, '1'));
    wire.hear('move-made', { ...moveMade(2, 1, '9'), table: 'another' });
    expect(table.now?.moves.map(({ move }) => move)).toEqual(['1']);
    expect(news).toHaveLength(1);
  });

  it('is shown before the connection is there', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify(snapshot({ v: 7 })))));
    const wire = new FakeWire();
    wire.connect = () => {};
    const table = new Table('t', wired(wire));
    table.start();
    await vi.waitFor(() => expect(table.now?.v).toBe(7));
    // Who is here may have changed since: the first time, all is asked for.
    wire.connected = true;
    wire.hear('connect');
    await settled();
    expect(wire.sent[0]?.data).toEqual({ table: 't', view: true });
  });

  it('asks for what it missed, and applies it once', async () => {
    const { wire, table } = await joined();
    wire.hear('move-made', moveMade(3, 2, '2'));
    await settled();
    expect(wire.sent[0]).toMatchObject({ name: 'join', data: { seen: 1 } });
    wire.sent[0]!.answer({ ok: true, missed: [moveMade(2, 1, '1'), moveMade(3, 2, '2')] });
    await settled();
    wire.hear('move-made', moveMade(3, 2, '2'));
    expect(table.now?.moves.map(({ move }) => move)).toEqual(['1', '2']);
  });

  it('sends a move again after a lost connection, with the same number', async () => {
    const { wire, table } = await joined();
    void table.move('1');
    await settled();
    expect(wire.sent[0]).toMatchObject({ name: 'make-move', data: { table: 't', ply: 1, move: '1' } });
    wire.disconnect();
    await settled();
    expect(table.pending).toMatchObject({ ply: 1 });
    wire.sent.length = 0;
    wire.connect();
    await settled();
    wire.sent[0]!.answer({ ok: true, missed: [] });
    await settled();
    expect(wire.sent[1]).toMatchObject({ name: 'make-move', data: { ply: 1, move: '1' } });
  });

  it('does not send a move again that had arrived', async () => {
    const { wire, table } = await joined();
    void table.move('1');
    await settled();
    wire.disconnect();
    await settled();
    wire.sent.length = 0;
    wire.connect();
    await settled();
    wire.sent[0]!.answer({ ok: true, missed: [moveMade(2, 1, '1')] });
    await settled();
    expect(wire.sent.map(({ name }) => name)).toEqual(['join']);
    expect(table.pending).toBeUndefined();
    expect(table.now?.moves).toHaveLength(1);
  });

  it('tells a refusal and forgets the move', async () => {
    const { wire, table, news } = await joined();
    void table.move('9');
    await settled();
    wire.sent[0]!.answer({ ok: false, code: 'illegal-move', message: 'no' });
    await settled();
    expect(table.pending).toBeUndefined();
    expect(news[0]).toMatchObject({ kind: 'refused', refusal: { code: 'illegal-move' } });
  });

  it('sends one move at a time', async () => {
    const { wire, table } = await joined();
    void table.move('1');
    void table.move('2');
    await settled();
    expect(wire.sent.filter(({ name }) => name === 'make-move')).toHaveLength(1);
  });

  it('runs the clock of the side to move only', async () => {
    vi.spyOn(performance, 'now').mockReturnValue(1_000);
    const { table } = await joined({ clocks: { left_ms: [60_000, 50_000], running: 'first' } });
    vi.spyOn(performance, 'now').mockReturnValue(4_000);
    expect(table.left('first')).toBe(57_000);
    expect(table.left('second')).toBe(50_000);
    vi.restoreAllMocks();
  });

  it('knows who made which move', async () => {
    const { wire, table } = await joined();
    wire.hear('move-made', moveMade(2, 1, '1'));
    wire.hear('move-made', moveMade(3, 2, '2'));
    expect([table.mover(1), table.mover(2)]).toEqual(['first', 'second']);
  });

  it('says why there is nothing to see', async () => {
    const wire = new FakeWire();
    const table = new Table('x', wired(wire));
    table.start();
    await settled();
    wire.sent[0]!.answer({ ok: false, code: 'unknown-table', message: 'no' });
    await settled();
    expect(table.trouble?.code).toBe('unknown-table');
  });

  it('asks again when the server could not gameInfo just now', async () => {
    vi.useFakeTimers();
    try {
      const { wire, table } = await joined();
      wire.hear('connect');
      await settled();
      wire.sent[0]!.answer({ ok: false, code: 'unavailable', message: 'the server is stopping' });
      await vi.advanceTimersByTimeAsync(999);
      expect(table.trouble).toBeUndefined();
      expect(wire.sent).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(1);
      expect(wire.sent[1]!.name).toBe('join');
      wire.sent[1]!.answer({ ok: false, code: 'unavailable', message: 'the server is stopping' });
      table.stop();
      await vi.advanceTimersByTimeAsync(2_000);
      expect(wire.sent.filter(({ name }) => name === 'join')).toHaveLength(2);
    } finally {
      vi.useRealTimers();
    }
  });

  it('tells when the win can be claimed from a player who is gone', async () => {
    const { wire, table } = await joined();
    expect(table.claimIn('second')).toBeUndefined();
    const now = vi.spyOn(performance, 'now').mockReturnValue(50_000);
    wire.hear('presence', { table: 't', here: [true, false], claim_ms: [null, 1_000], watching: 0 });
    expect(table.claimIn('second')).toBe(1_000);
    now.mockReturnValue(50_400);
    expect(table.claimIn('second')).toBe(600);
    now.mockReturnValue(52_000);
    expect(table.claimIn('second')).toBe(0);
    now.mockRestore();
  });
});

describe('the connection', () => {
  it('sends what is asked while it is still being made', async () => {
    const wire = new FakeWire();
    wire.connect = () => {};
    const connection = wired(wire);
    const done = connection.ask('pace');
    await settled();
    expect(wire.sent).toEqual([]);
    wire.connected = true;
    wire.hear('connect');
    await settled();
    wire.sent[0]!.answer({ ok: true });
    expect(await done).toEqual({ ok: true });
  });

  it('knows a server that stops on purpose from a lost way', async () => {
    const { wire, connection } = await joined();
    wire.disconnect();
    expect(connection.link).toBe('lost');
    wire.connect();
    wire.hear('closing');
    wire.disconnect();
    expect(connection.link).toBe('closing');
    wire.connect();
    expect(connection.link).toBe('online');
  });
});

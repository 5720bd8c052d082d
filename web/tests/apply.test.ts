import { describe, expect, it } from 'vitest';

import { apply } from '../src/game/apply';
import type { Event, Snapshot } from '../src/protocol';
import { moveMade, snapshot } from './fixtures';

const after = (table: Snapshot, event: Event): Snapshot => {
  const next = apply(table, { table: 't', v: table.v + 1, at: 0, event });
  if (next === 'gap') throw new Error('a gap');
  return next;
};

describe('a table follows its messages', () => {
  it('takes the next move', () => {
    const next = apply(snapshot(), moveMade(2, 1, '1')) as Snapshot;
    expect(next.moves.map(({ move }) => move)).toEqual(['1']);
    expect(next.v).toBe(2);
    expect(next.view.turn).toBe('second');
    expect(next.legal).toHaveLength(1);
  });

  it('drops what it has seen', () => {
    const table = snapshot({ v: 5 });
    expect(apply(table, moveMade(5, 1, '1'))).toBe(table);
    expect(apply(table, moveMade(3, 1, '1'))).toBe(table);
  });

  it('sees that something was missed', () => {
    expect(apply(snapshot(), moveMade(3, 1, '1'))).toBe('gap');
    expect(apply(snapshot(), moveMade(2, 2, '1'))).toBe('gap');
  });

  it('takes back to the number of moves that remain', () => {
    const table = snapshot({ moves: ['1', '2', '3'].map((move) => ({ move, at: 0 })) });
    const next = after(table, { kind: 'taken-back', ply: 1 });
    expect(next.moves.map(({ move }) => move)).toEqual(['1']);
  });

  it('begins when both seats are taken', () => {
    const table = snapshot({ status: 'open', seats: [{ kind: 'person', id: 'g:1', name: 'a' }, { kind: 'open' }] });
    const next = after(table, { kind: 'seated', side: 'second', occupant: { kind: 'person', id: 'g:2', name: 'b' } });
    expect(next.status).toBe('playing');
    expect(next.seats[1]).toMatchObject({ name: 'b' });
  });

  it('remembers offers until they are answered or a move is made', () => {
    const offered = after(snapshot(), { kind: 'draw-offered', side: 'second' });
    expect(offered.offers.draw).toBe('second');
    expect(after(offered, { kind: 'draw-declined', side: 'first' }).offers.draw).toBeUndefined();
    expect((apply(offered, moveMade(3, 1, '1')) as Snapshot).offers).toEqual({});
    const own = after(snapshot(), { kind: 'draw-offered', side: 'first' });
    expect((apply(own, moveMade(3, 1, '1')) as Snapshot).offers).toEqual({ draw: 'first' });
    expect(after(snapshot(), { kind: 'take-back-asked', side: 'first' }).offers.take_back).toBe('first');
  });

  it('ends with a result and no more moves', () => {
    const next = after(snapshot(), { kind: 'ended', winner: 'second', reason: 'time' });
    expect(next).toMatchObject({ status: 'ended', legal: [], result: { winner: 'second', reason: 'time' } });
  });

  it('keeps what is said, as text', () => {
    const said = '<img src=x onerror=alert(1)>';
    expect(after(snapshot(), { kind: 'chat', from: 'a', text: said }).chat).toEqual([{ from: 'a', text: said }]);
  });
});

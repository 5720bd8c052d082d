import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import type { Choice, View } from '../src/protocol';
import { BoardState, type BoardProps } from '../src/game/boardState.svelte';
import { cellName } from '../src/game/cells';
import { useLanguage } from '../src/i18n.svelte';
import { drop, game, view } from './fixtures';

beforeAll(() => useLanguage('en', false));

function board(of: View, more: Partial<BoardProps> = {}): BoardState {
  let state!: BoardState;
  onTestFinished(
    $effect.root(() => {
      state = new BoardState({ gameInfo: game('connect-four'), view: of, ply: 0, label: 'board', ...more });
    }),
  );
  return state;
}
const chess: Partial<BoardProps> = { gameInfo: game('chess-five') };
const names = ({ grid }: BoardState): string[] => grid.flat().map(({ name }) => name);
const placing = (to: string): Choice => ({ move: to, to, kind: 'stone' });

describe('the state of a board', () => {
  it('shows as ghost the move on its way, then what a finger covers, then the armed move, then what lies under the pointer', () => {
    const state = board(view(['...', 'x..']), { movable: { legal: [drop(1, 2), drop(2, 1), drop(3, 1)] } });
    expect(state.ghost).toBeUndefined();
    state.input.over = { col: 1, row: 1 };
    expect([state.ghost?.to, state.hoverColumn]).toEqual(['b1', 1]);
    state.input.armed = '3';
    expect(state.ghost?.to).toBe('c1');
    state.input.finger = { col: 0, row: 0 };
    expect(state.ghost?.to).toBe('a2');
    const sent = board(view(['..']), { movable: { legal: [], pending: drop(2, 1), turn: 'second' } });
    expect([sent.ghost?.to, sent.ghostPiece]).toEqual(['b1', { side: 'second', kind: 'stone' }]);
  });

  it('shows no ghost and no column under the pointer where pieces move, but where the picked one can go', () => {
    const state = board(view(['...', 'x..']), {
      ...chess,
      movable: {
        legal: [
          { move: 'a1-b2', from: 'a1', to: 'b2', kind: 'stone' },
          { move: 'c1-b1', from: 'c1', to: 'b1', kind: 'stone' },
        ],
      },
    });
    state.input.over = { col: 1, row: 1 };
    expect([state.ghost, state.hoverColumn, state.dots]).toEqual([undefined, undefined, []]);
    state.input.picked = 'a1';
    expect(state.dots.map(({ to }) => to)).toEqual(['b2']);
    expect(names(state)).toContain('b2, empty, legal move');
    expect(names(state)).toContain('b1, empty');
  });

  it('drops pieces as long as some are in hand, and has a rail as long', () => {
    const empty = view(['...', '...']);
    const held = { ...empty, hands: [[['rook', 1]], []] as View['hands'] };
    expect([board(held, chess).drops, board(empty, chess).drops, board(empty).drops]).toEqual([true, false, true]);
    expect([board(empty, chess).layout.rail, board(held, chess).layout.rail]).toEqual([0, 86]);
  });

  it('draws a move chosen ahead on the first free cell of its column, or on its cell', () => {
    const ahead = (of: View, chosen: NonNullable<BoardProps['premovable']>['chosen'], more?: Partial<BoardProps>) =>
      board(of, { premovable: { side: 'second', chosen, onchoose: () => {} }, ...more }).premoved;
    const at = { col: 0, row: 0 };
    expect(ahead(view(['..', 'x.']), { at })).toMatchObject({ at: { col: 0, row: 1 }, piece: { side: 'second' } });
    expect(ahead(view(['o.', 'x.']), { at })).toBeUndefined();
    expect(ahead(view(['..', 'x.']), { from: 'a1', at: { col: 1, row: 1 } }, chess)).toEqual({
      at: { col: 1, row: 1 },
      piece: { side: 'first', kind: 'stone' },
    });
    expect(ahead(view(['..', 'x.']), { from: 'b1', at }, chess)).toBeUndefined();
    expect(ahead(view(['..']), undefined)).toBeUndefined();
  });

  it('names the last move, the line that won, what was picked, and how good each cell was', () => {
    expect(names(board(view(['xx'], { last: ['b1'], line: ['a1', 'b1'] })))).toEqual([
      'a1, Solid, winning line',
      'b1, Solid, winning line',
    ]);
    const gomoku = board(view(['x.'], { last: ['a1'] }), {
      gameInfo: game('hexago'),
      movable: { legal: [placing('b1')] },
      marks: { dials: new Map([['b1', 1.5]]) },
    });
    gomoku.input.picked = 'a1';
    expect(names(gomoku)).toEqual(['a1, Dawn, last move, selected', 'b1, empty, legal move, 1.5']);
  });

  it('draws the line that won when the end says so, and at once where there is no such moment', () => {
    const won = view(['xx'], { line: ['a1', 'b1'] });
    expect(board(won).isLineDrawn).toBe(true);
    expect(board(won, { rail: { ending: { mood: 'win', drawn: false, moves: true } } }).isLineDrawn).toBe(false);
    expect(board(view(['xx'])).isLineDrawn).toBe(false);
  });

  it('turns round boards that lie flat, and mirrors those where pieces fall', () => {
    const of = view(['..', '..', '..']);
    const cells = (more: Partial<BoardProps>): string[] => board(of, more).grid.flat().map(cellName);
    expect(cells({})).toEqual(['a3', 'b3', 'a2', 'b2', 'a1', 'b1']);
    expect(cells({ flipped: true })).toEqual(['b3', 'a3', 'b2', 'a2', 'b1', 'a1']);
    expect(cells({ flipped: true, gameInfo: game('hexago') })).toEqual(['b1', 'a1', 'b2', 'a2', 'b3', 'a3']);
  });

  it('scrolls when cells would be too small to hit', () => {
    const state = board(view(Array.from({ length: 16 }, () => '.'.repeat(16))), { gameInfo: game('hexago') });
    expect([state.tiny, state.scrolls]).toEqual([false, false]);
    [state.width, state.room] = [420, 300];
    expect([state.tiny, state.scrolls]).toEqual([true, true]);
    [state.width, state.room] = [300, 300];
    expect([state.tiny, state.scrolls]).toEqual([true, false]);
    [state.width, state.room] = [800, 800];
    expect([state.tiny, state.scrolls]).toEqual([false, false]);
  });
});

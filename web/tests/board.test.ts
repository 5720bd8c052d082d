import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';

import { infoOf, summaryOf, titleOf } from '../src/game/games.svelte';
import { typed } from '../src/game/input';
import { gameTitle, typedLetters } from '../src/game/phrases';
import { posterOf } from '../src/game/posters';
import { remembered } from '../src/game/setup';
import Board from '../src/parts/Board.svelte';
import type { Movable } from '../src/game/boardInput.svelte';
import type { Choice, GameInfo, View } from '../src/protocol';
import { useLanguage } from '../src/i18n.svelte';
import { drop, game, view } from './fixtures';

let shown: ReturnType<typeof mount> | undefined;
beforeAll(() => useLanguage('en', false));
afterEach(async () => {
  if (shown) await unmount(shown);
  document.body.innerHTML = '';
});

function board(
  of: View,
  legal: Choice[],
  { movable, ...more }: { movable?: Partial<Movable>; gameInfo?: GameInfo } = {},
): { moves: string[]; said: string[]; cell: (name: string) => HTMLElement } {
  const [moves, said]: [string[], string[]] = [[], []];
  shown = mount(Board, {
    target: document.body,
    props: {
      view: of,
      gameInfo: game('connect-four'),
      ply: 0,
      label: 'board',
      movable: { legal, onmove: ({ move }: Choice) => void moves.push(move), ...movable },
      onsay: (sentence: string) => said.push(sentence),
      ...more,
    },
  });
  flushSync();
  const cell = (name: string): HTMLElement =>
    [...document.querySelectorAll<HTMLElement>('[role=gridcell]')].find((cell) =>
      cell.getAttribute('aria-label')!.startsWith(`${name},`),
    )!;
  return { moves, said, cell };
}

const press = (target: HTMLElement, key: string): void => {
  target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  flushSync();
};

describe('the board', () => {
  it('names every cell from the top', () => {
    board(view(['..', 'x.']), [drop(1, 2), drop(2, 1)]);
    const names = [...document.querySelectorAll('[role=gridcell]')].map((cell) => cell.getAttribute('aria-label'));
    expect(names).toEqual(['a2, empty, legal move', 'b2, empty, column 2', 'a1, Solid', 'b1, empty, legal move']);
  });

  it('plays the column that was clicked', () => {
    const { moves, cell } = board(view(['..', 'x.']), [drop(1, 2), drop(2, 1)]);
    cell('b2').click();
    expect(moves).toEqual(['2']);
  });

  it('refuses a full column with the reason', () => {
    const { moves, said, cell } = board(view(['o.', 'x.']), [drop(2, 1)]);
    cell('a1').click();
    expect([moves, said]).toEqual([[], ['Column 1 is full.']]);
  });

  it('is played by keys alone, one stop of the tab key', () => {
    const { moves } = board(view(['...', '...']), [drop(1, 1), drop(2, 1), drop(3, 1)]);
    const stops = document.querySelectorAll<HTMLElement>('[role=gridcell][tabindex="0"]');
    expect(stops).toHaveLength(1);
    press(stops[0]!, 'ArrowRight');
    press(document.querySelector<HTMLElement>('[role=gridcell][tabindex="0"]')!, 'Enter');
    expect(moves).toEqual(['3']);
  });

  it('asks twice if it should', () => {
    const { moves, cell } = board(view(['..', '..']), [drop(1, 1), drop(2, 1)], { movable: { confirm: true } });
    cell('a1').click();
    flushSync();
    expect(moves).toEqual([]);
    cell('a1').click();
    expect(moves).toEqual(['1']);
  });

  it('shows one ghost where the piece will land, and none when nothing can be played', () => {
    const { cell } = board(view(['..', 'x.']), [drop(1, 2)]);
    cell('a1').dispatchEvent(new PointerEvent('pointermove', { bubbles: true, pointerType: 'mouse' }));
    flushSync();
    const ghosts = document.querySelectorAll('.ghost');
    expect(ghosts).toHaveLength(1);
    expect(ghosts[0]!.getAttribute('transform')).toBe('translate(22 108)');
    expect(ghosts[0]!.children).toHaveLength(1);
  });

  it('keeps its picture from screen readers', () => {
    board(view(['..', 'x.']), []);
    expect(document.querySelector('svg')!.getAttribute('aria-hidden')).toBe('true');
  });

  it('draws boards of any size', () => {
    for (const [rows, cols] of [
      [3, 3],
      [6, 7],
      [12, 10],
      [16, 16],
    ] as const) {
      board(view(Array.from({ length: rows }, () => '.'.repeat(cols))), []);
      expect(document.querySelectorAll('[role=gridcell]')).toHaveLength(rows * cols);
      document.body.innerHTML = '';
    }
  });
});

describe('a game that the page has never heard of', () => {
  const pebbles = (rows: string[]): View => {
    const of = view(rows);
    return { ...of, cells: of.cells.map((piece) => piece && { ...piece, kind: 'pebble' }) };
  };
  const legal: Choice[] = [
    { move: 'a1', to: 'a1', kind: 'pebble' },
    { move: 'b2', to: 'b2', kind: 'pebble' },
  ];

  it('is named and drawn by what the server says about it', () => {
    const { cell } = board(pebbles(['x..', '...', '..o']), legal, { gameInfo: game('hexago') });
    expect(cell('a3').getAttribute('aria-label')).toBe('a3, Dawn');
    expect(cell('c1').getAttribute('aria-label')).toBe('c1, Dusk');
    expect([...document.querySelectorAll('text.name')].map((name) => name.textContent)).toEqual([
      '1',
      '2',
      '3',
      'a',
      'b',
      'c',
    ]);
    expect(document.querySelectorAll('[data-cell] > g')).toHaveLength(2);
  });

  it('is played by a click, by keys and by typing', () => {
    const { moves, cell, said } = board(pebbles(['x..', '...', '..o']), legal, { gameInfo: game('hexago') });
    cell('c1').click();
    cell('b2').click();
    expect([moves, said]).toEqual([['b2'], ['c1 is taken.']]);
    press(cell('b2'), 'Enter');
    expect(moves).toEqual(['b2', 'b2']);
    expect(typed('B2', game('hexago'), legal, undefined, typedLetters('hexago'))?.move).toBe('b2');
  });

  it('has its own title, poster and set-up, not those of another game', () => {
    expect([gameTitle('hexago:9x9x5'), gameTitle('hexago:7x7x5')]).toEqual(['Hexago', 'Hexago 7×7, 5 in a line']);
    expect(posterOf(game('hexago'))).toMatchObject({ rows: 9, cols: 9 });
    expect(posterOf(game('hexago')).cells.every((piece) => piece === null)).toBe(true);
    expect(remembered('hexago').program).toBe('level:1');
    expect([titleOf(infoOf('nameless')), summaryOf(infoOf('nameless'))]).toEqual(['nameless', '']);
  });
});

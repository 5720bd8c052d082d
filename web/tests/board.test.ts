import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';

import Board from '../src/parts/Board.svelte';
import type { Choice, View } from '../src/protocol.generated';
import { useLanguage } from '../src/words.svelte';
import { drop, game, view } from './fixtures';

let shown: ReturnType<typeof mount> | undefined;
beforeAll(() => useLanguage('en', false));
afterEach(async () => {
  if (shown) await unmount(shown);
  document.body.innerHTML = '';
});

function board(of: View, legal: Choice[], more: Record<string, unknown> = {}): { moves: string[]; said: string[]; cell: (name: string) => HTMLElement } {
  const [moves, said]: [string[], string[]] = [[], []];
  shown = mount(Board, {
    target: document.body,
    props: {
      view: of,
      gameInfo: game('connect-four'),
      legal,
      ply: 0,
      label: 'board',
      onmove: ({ move }: Choice) => moves.push(move),
      onrefuse: (sentence: string) => said.push(sentence),
      ...more,
    },
  });
  flushSync();
  const cell = (name: string): HTMLElement =>
    [...document.querySelectorAll<HTMLElement>('[role=gridcell]')].find((cell) => cell.getAttribute('aria-label')!.startsWith(`${name},`))!;
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
    const { moves, cell } = board(view(['..', '..']), [drop(1, 1), drop(2, 1)], { confirm: true });
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
    expect(ghosts[0]!.getAttribute('transform')).toBe('translate(0 0)');
    expect(ghosts[0]!.children).toHaveLength(1);
  });

  it('keeps its picture from screen readers', () => {
    board(view(['..', 'x.']), []);
    expect(document.querySelector('svg')!.getAttribute('aria-hidden')).toBe('true');
  });

  it('draws boards of any size', () => {
    for (const [rows, cols] of [[3, 3], [6, 7], [12, 10], [16, 16]] as const) {
      board(view(Array.from({ length: rows }, () => '.'.repeat(cols))), []);
      expect(document.querySelectorAll('[role=gridcell]')).toHaveLength(rows * cols);
      document.body.innerHTML = '';
    }
  });
});

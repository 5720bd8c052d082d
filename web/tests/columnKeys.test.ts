import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { columnKeys } from '../src/game/columnKeys';
import { useLanguage } from '../src/i18n.svelte';
import { drop, game, view } from './fixtures';

const played: string[] = [];
const refused: string[] = [];

/** The keys of a board with `cols` columns, all empty but the first. */
function keys(cols: number): (digit: string) => void {
  const board = view([`x${'.'.repeat(cols - 1)}`]);
  const legal = Array.from({ length: cols - 1 }, (_, at) => drop(at + 2, 1));
  return columnKeys(
    () => ({ gameInfo: game('connect-four'), view: board, legal, kind: undefined }),
    ({ move }) => played.push(move),
    (sentence) => refused.push(sentence),
  );
}

beforeAll(() => useLanguage('en', false));
beforeEach(() => void (played.length = refused.length = 0));
afterEach(() => void vi.useRealTimers());

describe('columns by digits', () => {
  it('are played at once where nine are enough', () => {
    const press = keys(7);
    press('4');
    press('7');
    expect(played).toEqual(['4', '7']);
  });

  it('take two digits on wider boards, or one and a pause', () => {
    vi.useFakeTimers();
    const press = keys(16);
    press('1');
    expect(played).toEqual([]);
    press('2');
    expect(played).toEqual(['12']);
    press('3');
    vi.runAllTimers();
    expect(played).toEqual(['12', '3']);
  });

  it('are refused when full or not there', () => {
    const press = keys(7);
    press('1');
    press('9');
    expect(played).toEqual([]);
    expect(refused).toEqual(['Column 1 is full.', '“9” is not a legal move here.']);
  });
});

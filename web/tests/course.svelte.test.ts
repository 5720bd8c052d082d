import { flushSync } from 'svelte';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { api } from '../src/api';
import { Course } from '../src/game/course.svelte';
import { GameReview } from '../src/game/review.svelte';
import { useLanguage } from '../src/i18n.svelte';
import type { Played, ReviewedMove, Side } from '../src/protocol';
import { current, go } from '../src/router.svelte';
import { drop, view } from './fixtures';

const make = vi.hoisted(() => vi.fn(() => Promise.resolve(null)));
vi.mock('../src/puzzles/collection', () => ({ make }));
beforeAll(() => useLanguage('en', false));
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

let asked: Played[] = [];
let end: (() => void)[] = [];
beforeEach(() => {
  asked = [];
  vi.stubGlobal('fetch', () => Promise.reject(new Error('no server here')));
  // Digits written together are moves of their own, as on the server.
  vi.spyOn(api, 'positions').mockImplementation((record) => {
    asked.push(record);
    const moves = record.moves.split(/\s*/).filter(Boolean);
    return Promise.resolve(
      ['', ...moves].map((move, at) => ({
        ...(move && { move }),
        view: view(['...', '...'], { turn: at % 2 ? 'second' : 'first' }),
        legal: [drop(1, 1), drop(2, 1), drop(3, 1)],
        position: `after ${at}`,
        ply: at,
      })),
    );
  });
});
afterEach(() => {
  for (const stop of end) stop();
  end = [];
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

async function opened(address: string): Promise<{ course: Course; review: GameReview; said: string[] }> {
  go(address);
  let both!: { course: Course; review: GameReview };
  const said: string[] = [];
  end.push(
    $effect.root(() => {
      const course = new Course(() => current().path.split('/')[2]);
      both = { course, review: new GameReview(course, (sentence) => said.push(sentence)) };
    }),
  );
  await shown();
  return { ...both, said };
}

/** The positions of the address are there. */
async function shown(): Promise<void> {
  flushSync();
  await settled();
  flushSync();
}

const address = (): string => `${location.pathname}${location.search}`;

describe('the course of a game under study', () => {
  it('is what the address holds, shown from its end', async () => {
    const { course } = await opened('/analysis/connect-four?m=1212&p=x&you=second');
    expect(asked).toEqual([{ game: 'connect-four', position: 'x', moves: '1212' }]);
    expect([course.moves, course.at, course.you, course.played.moves]).toEqual([
      ['1', '2', '1', '2'],
      4,
      'second',
      '1 2 1 2',
    ]);
  });

  it('goes on with a move, from an earlier position on another way', async () => {
    const { course } = await opened('/analysis/connect-four?m=1+2');
    expect(course.play('3')).toBe(true);
    await shown();
    expect([address(), course.at, course.quick]).toEqual(['/analysis/connect-four?m=1+2+3', 3, false]);
    course.show(1);
    expect([course.played.moves, course.quick]).toEqual(['1', true]);
    expect(course.play('2')).toBe(false);
    expect([course.at, course.moves.length]).toEqual([2, 3]);
    course.show(0);
    course.play('3');
    await shown();
    expect([address(), course.moves, course.at]).toEqual(['/analysis/connect-four?m=3', ['3'], 1]);
  });

  it('stays where it is when a line is tried, and goes one on with a single move', async () => {
    const { course } = await opened('/analysis/connect-four?m=1+2');
    course.playLine(['3', '1']);
    await shown();
    expect([course.moves.length, course.at]).toEqual([4, 2]);
    course.show(4);
    course.playLine(['2']);
    await shown();
    expect([course.moves.length, course.at]).toEqual([5, 5]);
  });

  it('never shows a position that does not exist', async () => {
    const { course } = await opened('/analysis/connect-four?m=1+2');
    course.pointed = { focus: ['a1'] };
    course.show(9);
    expect([course.at, course.pointed]).toEqual([2, undefined]);
    course.show(-1);
    expect(course.at).toBe(0);
  });

  it('begins anew with another game, which is nobody’s', async () => {
    const { course } = await opened('/analysis/connect-four?m=1+2&you=first');
    course.open('gomoku', 'p', ['3']);
    expect(course.frame).toBeUndefined();
    await shown();
    expect([address(), course.game, course.at]).toEqual(['/analysis/gomoku?m=3&p=p', 'gomoku', 1]);
    expect(course.address(['1'])).toBe('/analysis/gomoku?m=1&p=p');
  });

  it('says why there is nothing to show, until there is', async () => {
    vi.mocked(api.positions).mockRejectedValueOnce(new Error('“9” is not a move'));
    const { course } = await opened('/analysis/connect-four?m=9');
    expect(course.trouble).not.toBe('');
    course.open('connect-four', '', ['1']);
    await shown();
    expect([course.trouble, course.moves]).toEqual(['', ['1']]);
  });
});

describe('the review of a game under study', () => {
  const reviewed = (number: number, mark?: ReviewedMove['mark']): ReviewedMove => ({
    number,
    side: number % 2 ? 'first' : 'second',
    played: { move: '1', verdict: { kind: 'estimate', score: 0, chance: 0 }, line: ['1'] },
    best: { move: '2', verdict: { kind: 'estimate', score: 90, chance: 0.5 }, line: ['2'] },
    loss: 1,
    ...(mark && { mark }),
    chance: number / 10,
    depth: 3,
  });
  const GAME = [reviewed(1, 'mistake'), reviewed(2), reviewed(3, 'blunder'), reviewed(4, 'mistake')];
  /** What the next reviews answer. */
  const answers = (...all: ReviewedMove[][]): void => {
    const mock = vi.spyOn(api, 'review');
    for (const moves of all)
      mock.mockImplementationOnce((_, onmove) => (moves.forEach(onmove), Promise.resolve(undefined)));
  };
  const open = async (you?: Side) => {
    const all = await opened(`/analysis/connect-four?m=1+2+1+1${you ? `&you=${you}` : ''}`);
    if (!you) await all.review.run();
    await settled();
    return all;
  };

  it('tells how the game went and where it turned', async () => {
    answers(GAME);
    const { course, review, said } = await open();
    expect([review.chances, said]).toEqual([[undefined, 0.1, 0.2, 0.3, 0.4], ['Review finished: 3 moves marked.']]);
    expect([review.shown?.mark, review.moment?.number]).toEqual(['mistake', 4]);
    review.jump(-1);
    expect(course.at).toBe(3);
    review.jump(-1);
    expect(course.at).toBe(1);
    review.jump(-1);
    expect(course.at).toBe(1);
    review.jump(1);
    expect(course.at).toBe(3);
  });

  it('begins by itself with the game of a player, and asks about that player’s mistakes only', async () => {
    answers(GAME);
    const { course, review, said } = await open('first');
    expect(review.mistakes.map(({ number }) => number)).toEqual([1, 3]);
    review.ask(1);
    expect([course.at, review.mistake?.number, review.tells]).toEqual([2, 3, false]);
    await vi.waitFor(() => expect(make).toHaveBeenCalledWith({ game: 'connect-four', moves: '1 2' }));
    review.ask(2);
    expect([review.exercise, review.tells, said.at(-1)]).toEqual([undefined, true, 'That was the last one.']);
  });

  it('judges an answer by the best move, the one played, or another review', async () => {
    answers(GAME, [reviewed(1, 'inaccuracy')], [reviewed(1)]);
    const { review } = await open();
    const answer = async (column: number): Promise<boolean> => {
      review.ask(0);
      await review.answer(drop(column, 1));
      return review.exercise!.solved;
    };
    expect([await answer(1), await answer(2)]).toEqual([false, true]);
    expect(api.review).toHaveBeenCalledTimes(1);
    expect([await answer(3), await answer(3)]).toEqual([false, true]);
    expect(vi.mocked(api.review).mock.calls[1]![0]).toEqual({ game: 'connect-four', position: 'after 0', moves: '3' });
    review.ask(0);
    review.reveal();
    expect([review.tells, review.exercise?.text]).toEqual([true, '2 was best']);
  });

  it('forgets an answer that comes after the exercise has ended', async () => {
    answers(GAME, [reviewed(1)]);
    const { review } = await open();
    review.ask(0);
    const late = review.answer(drop(3, 1));
    review.exercise = undefined;
    await late;
    expect(review.exercise).toBeUndefined();
  });
});

import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { api } from '../src/api';
import { findMoment, lookBack, momentOf, momentSpoken, turningOf, whatHappened, whyRight } from '../src/game/lookback';
import { headlineOf, howItEnded, leftOpen, lossHeadline, ordinal, resultSpoken, stoodUntil } from '../src/game/results';
import { rememberTry, tryOf } from '../src/game/tries';
import { useLanguage } from '../src/i18n.svelte';
import type { Assessment, Reason, ReplayStep, ReviewedMove, Snapshot, Verdict } from '../src/protocol';
import { drop, snapshot, view } from './fixtures';
import * as golden from './golden';

const proven = (result: 'win' | 'draw' | 'loss', plies = 5): Verdict => ({ kind: 'proven', result, plies });
const reviewed = (number: number, mark?: ReviewedMove['mark'], more: Partial<ReviewedMove> = {}): ReviewedMove => ({
  number,
  side: number % 2 ? 'first' : 'second',
  played: { move: '1', verdict: proven(mark ? 'loss' : 'draw'), line: [] },
  best: { move: mark ? '2' : '1', verdict: proven('draw'), line: [] },
  loss: mark ? 1 : 0,
  ...(mark && { mark }),
  chance: 0,
  depth: 9,
  ...more,
});
const assessed = (move: string, reasons: Reason[], verdict = proven('draw')): Assessment => ({
  ply: 0,
  done: true,
  final: true,
  moves: [{ move, verdict, line: [move] }],
  reasons,
  depth: 9,
  nodes: 1,
  time_ms: 1,
});

/** A game that the second player wins on a falling diagonal, against a person, who is the first. */
const LINE = ['a3', 'b2', 'c1'];
const lost = (more: Partial<Snapshot> = {}): Snapshot =>
  snapshot({
    seats: [
      { kind: 'person', id: 'g:1', name: 'marta' },
      { kind: 'person', id: 'g:2', name: 'Tally' },
    ],
    status: 'ended',
    moves: ['1', '2', '1', '3', '1', '2'].map((move, at) => ({
      move,
      at: at + 1,
    })) as unknown as Snapshot['moves'],
    result: { winner: 'second', reason: 'rules' },
    view: view(['o..', 'xo.', 'x.o'], { line: LINE, outcome: 'second', turn: 'first' }),
    legal: [],
    ...more,
  });

describe('the moment that decided a game', () => {
  beforeAll(() => useLanguage('en', false));
  beforeEach(() => localStorage.clear());

  it('is the last fault of the loser; to the winner, the move that made use of it', () => {
    const review = [
      reviewed(1),
      reviewed(2, 'throws-draw'),
      reviewed(3, 'throws-win'),
      reviewed(4, 'blunder'),
      reviewed(5, 'inaccuracy'),
      reviewed(6, 'mistake'),
    ];
    const found = (...of: [Parameters<typeof turningOf>[1], Parameters<typeof turningOf>[2]]) => {
      const turning = turningOf(review, ...of);
      return turning && [turning.move.number, turning.isRight];
    };
    expect(found('first', 'second')).toEqual([4, false]);
    expect(found('first', undefined)).toEqual([4, false]);
    expect(found('first', 'first')).toEqual([5, true]);
    expect(found('second', 'first')).toEqual([3, false]);
    expect(found(undefined, 'first')).toBeUndefined();
    expect(turningOf([reviewed(1), reviewed(2)], 'first', 'second')).toBeUndefined();
  });

  it('is the line that was left open, where no move was a fault', () => {
    const last = (played: Verdict, best: Verdict) =>
      turningOf(
        [
          reviewed(1),
          reviewed(2, undefined, {
            played: { move: '3', verdict: played, line: [] },
            best: { move: '4', verdict: best, line: [] },
          }),
          reviewed(3),
        ],
        'first',
        'second',
      );
    const estimate: Verdict = { kind: 'estimate', score: -400, chance: -0.83 };
    expect(last(proven('loss', 2), estimate)?.move.number).toBe(2);
    expect(last(proven('loss', 2), proven('loss', 14))?.move.number).toBe(2);
    expect(last(proven('loss', 2), proven('loss', 2))).toBeUndefined();
    // Where a proof takes long, the best move has none.
    expect(last(proven('loss', 4), estimate)?.move.number).toBe(2);
  });

  it('is what shortened a lost game most, where nothing else decided it', () => {
    const loss = (number: number, near: number, far: number, mark?: ReviewedMove['mark']) =>
      reviewed(number, undefined, {
        played: { move: '2', verdict: proven('loss', near), line: [] },
        best: { move: '5', verdict: proven('loss', far), line: [] },
        ...(mark && { mark }),
      });
    const found = (...review: ReviewedMove[]) => turningOf(review, 'second', 'first')?.move.number;
    expect(found(loss(1, 20, 24), reviewed(2), loss(3, 12, 18), reviewed(4), loss(5, 10, 12))).toBe(3);
    // The last of several; and any mistake comes first.
    expect(found(loss(1, 20, 24), loss(3, 12, 16), loss(5, 4, 4))).toBe(3);
    expect(found(reviewed(1, 'mistake'), loss(3, 12, 18))).toBe(1);
    expect(found(reviewed(1, 'inaccuracy'), loss(3, 12, 18))).toBe(3);
    expect(found(reviewed(1, 'inaccuracy'), loss(3, 12, 12))).toBe(1);
    // No other move would have lasted longer.
    expect(found(loss(1, 20, 20), loss(3, 12, 12))).toBeUndefined();
  });

  it('is the move that brought a far loss near, not the one long before that lost in theory', () => {
    const moves = (near: number, far: number) => [
      reviewed(1, 'throws-win'),
      reviewed(2),
      reviewed(3, undefined, {
        played: { move: '2', verdict: proven('loss', near), line: [] },
        best: { move: '5', verdict: proven('loss', far), line: [] },
      }),
      reviewed(4),
      reviewed(5, undefined, {
        played: { move: '6', verdict: proven('loss', 4), line: [] },
        best: { move: '1', verdict: proven('loss', 8), line: [] },
      }),
    ];
    const found = (near: number, far: number) => turningOf(moves(near, far), 'second', 'first')?.move.number;
    expect(found(10, 26)).toBe(3);
    // Neither a little sooner, nor still far, nor near anyway.
    expect([found(8, 12), found(18, 38), found(2, 8)]).toEqual([1, 1, 1]);
  });

  it('has the position before it, one right move, the lines that the winner was after, and its words', async () => {
    const empty = view(['...', '...', '...']);
    const before = view(['...', 'xo.', 'x.o'], { turn: 'first' });
    const step = (ply: number, at = empty): ReplayStep => ({
      ply,
      position: `position ${ply}`,
      view: at,
      legal: [drop(1, 3), drop(2, 1), drop(3, 2)],
    });
    vi.spyOn(api, 'positions').mockResolvedValue(
      [0, 1, 2, 3, 4, 5, 6].map((ply) => step(ply, ply === 4 ? before : empty)),
    );
    vi.spyOn(api, 'review').mockImplementation(async (_, tell) => {
      for (const move of [1, 2, 3, 4, 6]) tell(reviewed(move));
      tell(
        reviewed(5, 'throws-draw', {
          played: { move: '2', verdict: proven('loss'), line: [] },
          best: { move: '1', verdict: proven('draw'), line: [] },
        }),
      );
    });
    vi.spyOn(api, 'analysis').mockImplementation(async ({ moves }) =>
      moves.split(' ').length === 4
        ? assessed('1', [{ reason: 'answer', cells: ['a3'], lines: [LINE] }])
        : assessed('2', [{ reason: 'double-threat', cells: ['b2', 'c3'] }], proven('win')),
    );
    const moment = (await findMoment(lost()))!;
    expect(moment).toMatchObject({
      before: 4,
      side: 'first',
      nth: 3,
      stood: 'level',
      wrong: { move: '2' },
      right: { move: '1', to: 'a3' },
      lines: [LINE],
      needs: [...LINE, 'c3'],
      position: 'position 4',
      reply: '2',
    });
    expect(whyRight('connect-four', moment, LINE)).toBe('It blocks the diagonal. It holds the draw.');
    expect(whatHappened('connect-four', moment)).toBe(
      'Tally played column 2. It makes two threats at once: column 2 (row 2) and column 3 (row 3).',
    );
    expect(momentSpoken('connect-four', moment, LINE)).toBe(
      'Before your 3rd move. You played column 2. Better: column 1. It blocks the diagonal. It holds the draw.',
    );
    expect(stoodUntil(moment)).toBe('You were level until your 3rd move.');
    expect(headlineOf(lost(), moment)).toBe('So close.');
    const table = lost({ moves: Array.from({ length: 20 }, () => ({ move: '1' })) as unknown as Snapshot['moves'] });
    expect(headlineOf(table, moment)).toBe('One move decided it.');
    expect(resultSpoken(table, headlineOf(table, moment), moment)).toMatch(
      /^Tally wins\. One move decided it\. You were level until your 3rd move\.$/,
    );
  });

  it('names the block that was missed at the end, where another move decided', async () => {
    let lasts = 6;
    const step = (ply: number): ReplayStep => ({
      ply,
      position: '',
      view: view(['...', '...', '...']),
      legal: [drop(1, 3), drop(2, 1), drop(3, 2)],
    });
    vi.spyOn(api, 'positions').mockResolvedValue([0, 1, 2, 3, 4, 5, 6].map(step));
    vi.spyOn(api, 'review').mockImplementation(async (_, tell) => {
      for (const move of [1, 2, 4, 6]) tell(reviewed(move));
      tell(reviewed(3, 'throws-draw'));
      tell(
        reviewed(5, undefined, {
          played: { move: '1', verdict: proven('loss', 2), line: [] },
          best: { move: '3', verdict: proven('loss', lasts), line: [] },
        }),
      );
    });
    // What will be at the end of the board is nothing that one sees on it.
    vi.spyOn(api, 'analysis').mockResolvedValue(assessed('1', [golden.reasons['solved-decides']!]));
    const moment = (await findMoment(lost()))!;
    expect(whyRight('connect-four', moment, [])).toBe('It holds the draw.');
    expect([moment.before, moment.missed?.move]).toEqual([2, '3']);
    expect(leftOpen('connect-four', moment)).toBe('At the end you could still block: column 3.');
    expect(resultSpoken(lost(), 'So close.', moment)).toMatch(/ At the end you could still block: column 3\.$/);
    const resigned = lost({ result: { winner: 'second', reason: 'resignation' } });
    expect((await findMoment(resigned))!.missed).toBeUndefined();
    expect(leftOpen('connect-four', (await findMoment(lost({ you: [] })))!)).toBe('');
    // A game that would have lasted turned there, not before.
    lasts = 20;
    expect([(await findMoment(lost()))!.before, (await findMoment(lost()))!.missed]).toEqual([4, undefined]);
    lasts = 6;
    // Names, not sides, where the players are known.
    expect(momentOf(moment)).toBe('You give away the draw');
    expect(momentOf((await findMoment(lost({ you: [] })))!)).toBe('marta gives away the draw');
  });

  it('is kept for who comes back, as it was seen first', async () => {
    localStorage.clear();
    const first = (await lookBack(lost()))!;
    expect(first.said).toBe(true);
    first.keep(false);
    vi.spyOn(api, 'review').mockRejectedValue(new Error('asked in vain'));
    const again = (await lookBack(lost()))!;
    expect([again.said, again.moment.before]).toEqual([false, first.moment.before]);
    expect(whyRight('connect-four', again.moment, [])).toBe(whyRight('connect-four', first.moment, []));
    await expect(lookBack(lost({ table: 'another' }))).rejects.toThrow('asked in vain');
  });

  it('is missing where nobody won, or after a few moves', async () => {
    vi.spyOn(api, 'review').mockRejectedValue(new Error('asked in vain'));
    expect(await findMoment(lost({ result: { winner: null, reason: 'rules' } }))).toBeUndefined();
    expect(await findMoment(lost({ moves: [] }))).toBeUndefined();
  });
});

describe('the headline of a loss', () => {
  beforeAll(() => useLanguage('en', false));

  it('is the first that fits', () => {
    const rules = { winner: 'second', reason: 'rules' } as const;
    expect(lossHeadline({ ...rules, reason: 'time' }, 'Tally', 5, { nth: 4 })).toBe('Out of time.');
    expect(lossHeadline({ ...rules, reason: 'resignation' }, 'Tally', 5, { nth: 4 })).toBe('You resigned.');
    expect(lossHeadline(rules, 'Tally', 10, { nth: 8 })).toBe('So close.');
    expect(lossHeadline(rules, 'Tally', 10, { nth: 7 })).toBe('One move decided it.');
    expect(lossHeadline(rules, 'Tally', 12, undefined)).toBe('A hard fight.');
    expect(lossHeadline(rules, 'Tally', 11, undefined)).toBe('Tally saw it first.');
  });

  it('names people, and speaks to the reader', () => {
    expect(howItEnded(lost())).toMatch(
      / has 3 in a line along a falling diagonal, column 1 \(row 3\) to column 3 \(row 1\)\.$/,
    );
    expect(howItEnded(lost({ you: ['second'] }))).toBe(
      'You have 3 in a line along a falling diagonal, column 1 (row 3) to column 3 (row 1).',
    );
    expect(howItEnded(lost({ result: { winner: 'second', reason: 'resignation' } }))).toBe('You resigned.');
    expect(howItEnded(lost({ you: [], result: { winner: 'second', reason: 'resignation' } }))).toBe('marta resigned.');
  });

  it('counts in the language of the reader', async () => {
    expect([1, 2, 3, 4, 11, 21].map(ordinal)).toEqual(['1st', '2nd', '3rd', '4th', '11th', '21st']);
    await useLanguage('ca', false);
    expect(ordinal(9)).toBe('9a');
    await useLanguage('en', false);
  });
});

describe('playing on from a moment', () => {
  it('remembers where a table came from, for the last games', () => {
    for (let at = 0; at < 30; at += 1) rememberTry(`t${at}`, { from: 'lost', nth: at });
    expect(tryOf('t29')).toEqual({ from: 'lost', nth: 29 });
    expect(tryOf('t5')).toBeUndefined();
    expect(tryOf('other')).toBeUndefined();
  });
});

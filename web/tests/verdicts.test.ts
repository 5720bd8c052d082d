import { beforeAll, describe, expect, it } from 'vitest';

import { PositionAnalysis } from '../src/game/analysis.svelte';
import { chanceOf, columnResults, resultText, thoughtOf, verdictText } from '../src/game/verdicts';
import { LANGUAGES, useLanguage, type Language } from '../src/i18n.svelte';
import type { Assessment, Choice, Verdict } from '../src/protocol';
import { game } from './fixtures';

const win: Verdict = { kind: 'proven', result: 'win', plies: 5 };
const draw: Verdict = { kind: 'proven', result: 'draw', plies: 20 };
const loss: Verdict = { kind: 'proven', result: 'loss', plies: 8 };
const slight: Verdict = { kind: 'estimate', score: 31, chance: 0.15, advantage: 'slight' };
const bounds = (least: 'win' | 'draw' | 'loss', most: 'win' | 'draw' | 'loss'): Verdict => ({
  kind: 'between',
  least: { result: least, plies: 12 },
  most: { result: most, plies: 6 },
  score: 10,
  chance: 0.05,
  advantage: 'even',
});

const assessment = (...verdicts: Verdict[]): Assessment => ({
  ply: 0,
  moves: verdicts.map((verdict, index) => ({ move: String(index + 1), verdict, line: [String(index + 1), '4'] })),
  depth: 6,
  nodes: 100,
  time_ms: 5,
  final: false,
  done: true,
});
const column = (move: string): Choice => ({ move, to: `${'abcdefg'[Number(move) - 1]}1`, kind: 'stone' });

describe('verdicts', () => {
  beforeAll(() => useLanguage('en', false));

  it('are words, and "in" counts the moves of the winner', () => {
    expect([win, draw, loss, slight].map((verdict) => verdictText(verdict))).toEqual([
      'wins in 3',
      'draw',
      'loses in 4',
      'about 58 %',
    ]);
    expect([win, draw, loss, slight].map((verdict) => verdictText(verdict, 'you'))).toEqual([
      'you win in 3',
      'draw',
      'you lose in 4',
      'about 58 %',
    ]);
    expect(
      [
        bounds('win', 'win'),
        bounds('loss', 'loss'),
        bounds('draw', 'win'),
        bounds('loss', 'draw'),
        bounds('loss', 'win'),
      ].map((verdict) => verdictText(verdict)),
    ).toEqual([
      'wins in 3 to 6',
      'loses in 6 to 3',
      'at least a draw, about 53 %',
      'at most a draw, about 53 %',
      'about 53 %',
    ]);
    expect(resultText({ result: 'win', plies: 1 })).toBe('wins in 1');
    expect(resultText({ result: 'loss', plies: 3 })).toBe('loses in 1');
    expect([win, draw, loss, slight].map(chanceOf)).toEqual([1, 0, -1, 0.15]);
  });

  it('have words in every language', async () => {
    for (const language of Object.keys(LANGUAGES) as Language[]) {
      await useLanguage(language, false);
      for (const verdict of [
        win,
        draw,
        loss,
        slight,
        bounds('win', 'win'),
        bounds('loss', 'loss'),
        bounds('draw', 'win'),
        bounds('loss', 'draw'),
      ]) {
        expect(verdictText(verdict)).not.toMatch(/[{}]|verdict\.|undefined/);
      }
    }
    await useLanguage('en', false);
  });

  it('become results of columns where all are proved', () => {
    const legal = ['1', '3', '2'].map(column);
    const results = columnResults(assessment(win, loss, draw), game('connect-four'), legal, 4);
    expect(results).toEqual([
      { text: '+3', class: 'win', label: 'wins in 3' },
      { text: '−4', class: 'loss', label: 'loses in 4' },
      { text: '=', class: 'draw', label: 'draw' },
      null,
    ]);
    expect(columnResults(assessment(win, slight, draw), game('connect-four'), legal, 4)).toBeUndefined();
    expect(columnResults(assessment(win), game('simplexity'), [column('1')], 7)).toBeUndefined();
  });

  it('explain the first move of the assessment', () => {
    expect(thoughtOf({ ...assessment(win, draw), reasons: [{ reason: 'win' }] })).toMatchObject({
      move: '1',
      line: ['1', '4'],
      reasons: [{ reason: 'win' }],
    });
    expect(thoughtOf(assessment())).toBeUndefined();
  });
});

describe('what is known about a position', () => {
  it('only gets better', () => {
    const position = new PositionAnalysis(() => ({ game: 'simplexity', moves: '' }));
    position.learn({ ...assessment(slight), reasons: [{ reason: 'centre' }] });
    expect(position.move).toBe('1');
    position.learn({ ...assessment(draw), depth: 3 });
    expect(position.verdict).toEqual(slight);
    position.learn({ ...assessment(win), depth: 8, final: true });
    expect([position.verdict, position.known?.reasons]).toEqual([win, [{ reason: 'centre' }]]);
    position.learn({ ...assessment(slight), depth: 9 });
    expect(position.verdict).toEqual(win);
  });
});

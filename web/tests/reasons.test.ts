import { beforeAll, describe, expect, it } from 'vitest';

import { choiceIndices, explanation, lineText, provenText, sentence, sentences, termsOf } from '../src/game/reasons';
import type { Reason } from '../src/protocol';
import { LANGUAGES, useLanguage, type Language } from '../src/i18n.svelte';
import { game, view } from './fixtures';
import * as golden from './golden';

const about = { game: 'connect-four', gameInfo: game('connect-four'), move: '4', candidates: 3, line: ['4', '4'] };

const REASONS = golden.reasons;

describe('reasons', () => {
  it('have words in every language, with every blank filled', async () => {
    for (const language of Object.keys(LANGUAGES) as Language[]) {
      await useLanguage(language, false);
      for (const you of [undefined, 'first', 'second'] as const) {
        for (const reason of Object.values(REASONS)) {
          // Terms are shown in a table.
          if (reason.reason === 'evaluation') continue;
          const text = sentence(reason, { ...about, mover: 'second', you })?.text;
          expect(text, JSON.stringify(reason)).toBeTruthy();
          expect(text).not.toMatch(/[{}]|why\.|fact\.|undefined/);
        }
      }
    }
  });

  describe('in English', () => {
    beforeAll(() => useLanguage('en', false));

    it('speak of cells', () => {
      expect(sentence(REASONS['line']!, about)).toEqual({
        text: 'Outline has 3 in a line: column 1 (row 1), column 2 (row 1), and column 3 (row 1).',
        cells: ['a1', 'b1', 'c1'],
      });
      expect(sentence(REASONS['solved-decides']!, about)?.cells).toEqual(['c3']);
    });

    it('speak to the reader, who moved or has to answer', () => {
      const told = (name: string, you: 'first' | 'second') =>
        sentence(REASONS[name]!, { ...about, mover: 'second', you })?.text;
      expect(told('line', 'second')).toBe(
        'You have 3 in a line: column 1 (row 1), column 2 (row 1), and column 3 (row 1).',
      );
      expect(told('line', 'first')).toBe(
        'Outline has 3 in a line: column 1 (row 1), column 2 (row 1), and column 3 (row 1).',
      );
      expect(told('answer', 'second')).toMatch(/^It stops your opponent’s three at /);
      expect(told('answer', 'first')).toMatch(/^It stops your three at /);
      expect(provenText({ result: 'win', plies: 5 }, 'you')).toBe('You win in 3 moves, whatever your opponent does.');
      expect(provenText({ result: 'win', plies: 5 }, 'them')).toBe('It wins in 3 moves, whatever you do.');
    });

    it('name the players and the cells as the board does', () => {
      const named = { ...about, mover: 'second', you: 'first', called: () => 'Zigzag' } as const;
      const decides = (more: object) => sentence(REASONS['solved-decides']!, { ...about, ...more })?.text;
      expect(decides(named)).toMatch(/^In the end (you|Zigzag) completes? four at column 3 \(row 3\), /);
      expect(sentence(REASONS['line']!, { ...named, game: 'gomoku', gameInfo: game('gomoku') })?.text).toBe(
        'Zigzag has 3 in a line: a1, b1, and c1.',
      );
    });

    it('call a careless move a slip only where nothing speaks for it', () => {
      const seen = (reasons: Reason[], wins?: boolean) =>
        explanation(reasons, { ...about, name: 'Zigzag', wins }, 'd1').seen.map(({ text }) => text);
      expect(seen([REASONS['careless']!])).toEqual(['A slip. Zigzag misses such things.']);
      expect(seen([REASONS['careless']!], true)).toEqual([]);
      expect(seen([REASONS['careless']!, { reason: 'win' }])).toEqual(['It makes four.']);
    });

    it('say what is known without a proof, in words', () => {
      const told = (lower: number, upper: number) => sentence({ reason: 'unproven', lower, upper }, about)?.text;
      expect([told(-3, 5), told(1, 5), told(-5, -1), told(0, 5), told(-5, 0)]).toEqual([
        'There was no time to prove who wins.',
        'It wins; there was no time to prove how soon.',
        'It loses against best play; there was no time to prove how soon.',
        'At least a draw; there was no time to prove more.',
        'At most a draw against best play; there was no time to prove more.',
      ]);
    });

    it('are left out when they are unknown', () => {
      expect(sentence({ reason: 'telepathy' } as unknown as Reason, about)).toBeUndefined();
      expect(sentence({ reason: 'solved', fact: 'telepathy' } as unknown as Reason, about)).toBeUndefined();
    });

    it('put numbers on cells and terms in a table', () => {
      expect(choiceIndices(Object.values(REASONS))?.get('b2')).toBe(4);
      expect(termsOf([{ reason: 'evaluation', terms: [{ name: 'lines', count: 2, weight: 1000 }] }])).toHaveLength(1);
    });

    it('name what lies along the corridors', () => {
      expect(sentence(REASONS['corridors']!, about)?.text).toBe(
        'At the end of that line, the rows, columns and diagonals are worth 13 to Solid: own shape and colour 5 × 2, own colour only 2 × -1, sequences with two missing 1 × 5.',
      );
    });

    it('say what is proved', () => {
      expect(provenText({ result: 'loss', plies: 2 })).toBe('It loses in 1 move against best play.');
      expect(provenText({ result: 'win', plies: 5 })).toBe('It wins in 3 moves, whatever the opponent does.');
    });

    it('compare the second best move in words', () => {
      const changes = [
        { term: 'odd-threats', points: 172 },
        { term: 'pairs', points: -3 },
      ];
      const reason: Reason = { reason: 'second-best', moves: ['3'], score: 12, proven: null, chance: 0.06, changes };
      expect(sentence(reason, about)?.text).toBe('Second best: 3; it is worse for threats on odd rows.');
      expect(sentence({ ...reason, proven: { result: 'loss', plies: 8 }, changes: [] }, about)?.text).toBe(
        'Second best: 3 (loses in 4).',
      );
    });
  });
});

describe('proved results', () => {
  it('leave out the points that stand for a proved result', () => {
    const reasons: Reason[] = [
      { reason: 'proven', result: 'win', plies: 1 },
      { reason: 'minimax', depth: 1, value: 29_999 },
    ];
    expect(sentences(reasons, about)).toHaveLength(1);
    expect(sentences(reasons.slice(1), about)).toHaveLength(1);
  });
});

describe('a line of moves', () => {
  it('names the pieces that move, before and after', () => {
    const knight = { side: 'first', kind: 'knight' } as const;
    const board = view(['...', '...', '...'], { cells: [null, null, null, null, null, null, knight, null, null] });
    const line = ['a1b3', 'c3c1', 'b3c1'];
    const named = lineText({ game: 'chess-five', line, view: board }).replaceAll('\uFE0E', '');
    expect(named).toBe('♞a1–b3 c3–c1 ♞b3–c1');
    const after = { ...board, cells: board.cells.toReversed() };
    expect(lineText({ game: 'chess-five', line: ['a1c3'], view: after })).toContain('♞');
    expect(lineText({ game: 'connect-four', line: ['4', '12'] })).toBe('4 12');
  });
});

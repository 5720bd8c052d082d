import { beforeAll, describe, expect, it } from 'vitest';

import { verdictHeadline } from '../src/game/headline';
import { useLanguage } from '../src/i18n.svelte';
import type { Side, Verdict } from '../src/protocol';
import { snapshot, view } from './fixtures';

beforeAll(() => useLanguage('en', false));

const PERSON = { kind: 'person', id: 'g:1', name: 'marta' } as const;

/** What the card says first of a position with this verdict for the side to move. */
const headline = (verdict: Verdict, turn: Side, you: Side[] = ['first'], dangers: string[] = []): string =>
  verdictHeadline(
    snapshot({ you, seats: [PERSON, { ...PERSON, name: 'jordi' }] }),
    view(['..', '..'], { turn }),
    verdict,
    dangers,
  );

describe('the card of a game', () => {
  const slight: Verdict = { kind: 'estimate', score: 60, chance: 0.29, advantage: 'slight' };
  const decisive: Verdict = { kind: 'estimate', score: -250, chance: -0.85, advantage: 'decisive' };
  const both: Side[] = ['first', 'second'];

  it('says whose the estimated advantage is, and how large', () => {
    expect(headline({ ...slight, chance: 0.05, advantage: 'even' }, 'first')).toBe('Even');
    expect([headline(slight, 'first'), headline(decisive, 'second')]).toEqual([
      'You are a little better',
      'You are close to winning',
    ]);
    expect([headline(slight, 'second'), headline(decisive, 'first')]).toEqual([
      'jordi is a little better',
      'jordi is close to winning',
    ]);
    expect([
      headline(slight, 'first', both),
      headline(slight, 'second', both),
      headline(decisive, 'first', both),
    ]).toEqual(['Solid is a little better', 'Outline is a little better', 'Outline is close to winning']);
  });

  it('says a proven result to the player, and of a side to those who play both or watch', () => {
    const win: Verdict = { kind: 'proven', result: 'win', plies: 3 };
    expect([headline(win, 'first'), headline(win, 'second'), headline(win, 'second', both)]).toEqual([
      'You win in 2',
      'jordi wins in 2',
      'Outline wins in 2',
    ]);
    expect(headline({ kind: 'proven', result: 'draw', plies: 3 }, 'first')).toBe('Draw with best play');
  });

  it('says what to stop first, unless the win is proven', () => {
    expect(headline(slight, 'first', ['first'], ['a1', 'b1'])).toBe('Block column 1 and column 2 now');
    expect(headline({ kind: 'proven', result: 'win', plies: 1 }, 'first', ['first'], ['a1'])).toBe('You win in 1');
  });

  it('says nothing if an older server tells no advantage, nothing is known, or the game is over', () => {
    expect(headline({ kind: 'estimate', score: 60, chance: 0.29 }, 'first')).toBe('');
    expect(verdictHeadline(snapshot(), view(['..']), undefined, [])).toBe('');
    expect(verdictHeadline(snapshot(), view(['..'], { outcome: 'first' }), slight, [])).toBe('');
  });
});

import { createRawSnippet, flushSync, mount, unmount } from 'svelte';
import { beforeAll, describe, expect, it } from 'vitest';

import { PositionAnalysis } from '../src/game/analysis.svelte';
import { useLanguage } from '../src/i18n.svelte';
import GameCard from '../src/parts/GameCard.svelte';
import type { Side, Verdict } from '../src/protocol';
import { snapshot, view } from './fixtures';

beforeAll(() => useLanguage('en', false));

const PERSON = { kind: 'person', id: 'g:1', name: 'marta' } as const;

/** What the card says first of a position with this verdict for the side to move. */
function headline(verdict: Verdict, turn: Side, you: Side[] = ['first']): string | null {
  const analysis = new PositionAnalysis(() => ({ game: 'connect-four', moves: '' }));
  analysis.learn({
    ply: 0,
    moves: [{ move: '4', verdict, line: ['4'] }],
    depth: 1,
    nodes: 1,
    time_ms: 1,
    final: false,
    done: true,
  });
  const nothing = (): void => {};
  const card = mount(GameCard, {
    target: document.body,
    props: {
      table: snapshot({ you, seats: [PERSON, { ...PERSON, name: 'jordi' }] }),
      view: view(['..', '..'], { turn }),
      link: 'online',
      opponent: you.length === 1 ? 'second' : undefined,
      gone: false,
      claimIn: undefined,
      evaluating: true,
      analysis,
      dangers: [],
      prompt: 'Your move',
      status: '',
      why: '',
      people: false,
      fair: false,
      phases: false,
      behind: undefined,
      premove: false,
      message: undefined,
      unread: 0,
      onchat: nothing,
      openSeat: createRawSnippet(() => ({ render: () => '<p></p>' })),
      oncommand: nothing,
      onlive: nothing,
      onwait: nothing,
      onunplan: nothing,
    },
  });
  flushSync();
  const text = document.querySelector('.say')!.textContent;
  void unmount(card);
  return text;
}

describe('the card of a game', () => {
  it('says whose the estimated advantage is, and how large', () => {
    const slight: Verdict = { kind: 'estimate', score: 60, chance: 0.29, advantage: 'slight' };
    const decisive: Verdict = { kind: 'estimate', score: -250, chance: -0.85, advantage: 'decisive' };
    expect(headline({ ...slight, chance: 0.05, advantage: 'even' }, 'first')).toBe('Even');
    expect([headline(slight, 'first'), headline(decisive, 'second')]).toEqual([
      'You are a little better',
      'You are close to winning',
    ]);
    expect([headline(slight, 'second'), headline(decisive, 'first')]).toEqual([
      'jordi is a little better',
      'jordi is close to winning',
    ]);
    const both: Side[] = ['first', 'second'];
    expect([
      headline(slight, 'first', both),
      headline(slight, 'second', both),
      headline(decisive, 'first', both),
    ]).toEqual(['Solid is a little better', 'Outline is a little better', 'Outline is close to winning']);
  });

  it('says what to do if an older server tells no advantage', () => {
    expect(headline({ kind: 'estimate', score: 60, chance: 0.29 }, 'first')).toBe('Your move');
  });
});

import { flushSync } from 'svelte';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { block } from '../src/blocked.svelte';
import { GameController } from '../src/game/controller.svelte';
import { choiceOf } from '../src/game/premoves.svelte';
import { useLanguage } from '../src/i18n.svelte';
import { politeText, urgentText } from '../src/notices.svelte';
import type { Chat, Event, Snapshot, View } from '../src/protocol';
import { change } from '../src/settings.svelte';
import { drop, game, GAMES, moveMade, snapshot, view } from './fixtures';
import { FakeWire, wired } from './wire';

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
const JORDI = { kind: 'person', id: 'g:2', name: 'jordi' } as const;
const PEOPLE: Snapshot['seats'] = [{ kind: 'person', id: 'g:1', name: 'marta' }, JORDI];

let end: (() => void)[] = [];
beforeAll(async () => {
  await useLanguage('en', false);
  change({ sound: false, evaluate: false });
});
beforeEach(() => void vi.stubGlobal('fetch', () => Promise.reject(new Error('no server here'))));
afterEach(() => {
  for (const stop of end) stop();
  end = [];
  vi.unstubAllGlobals();
});

/** A table that the reader has joined. */
async function opened(more: Partial<Snapshot> = {}) {
  const wire = new FakeWire();
  let game!: GameController;
  const stop = $effect.root(() => {
    game = new GameController('t', wired(wire));
  });
  end.push(game.start(), stop);
  await settled();
  wire.sent.find(({ name }) => name === 'join')!.answer({ ok: true, snapshot: snapshot(more) });
  await settled();
  flushSync();
  wire.sent.length = 0;
  let v = game.table.now!.v;
  const hear = (event: Event, also: { view?: View } = {}): void => {
    wire.hear('table-event', { table: 't', v: ++v, at: 0, event, ...also });
    flushSync();
  };
  /** A move arrives, and its piece comes to rest. */
  const moved = (ply: number, move: string): void => {
    wire.hear('move-made', moveMade(++v, ply, move));
    flushSync();
    game.picture.rhythm.settled(ply);
    flushSync();
  };
  const sent = (): string[] => wire.sent.map(({ name, data }) => [name, data['move']].filter(Boolean).join(' '));
  return { game, wire, hear, moved, sent };
}

const said = (text: string, more: Partial<Chat> = {}): Event => ({
  kind: 'chat',
  from: 'jordi',
  text,
  side: 'second',
  ...more,
});

describe('a move chosen ahead', () => {
  it('is the legal move that was meant', () => {
    const legal = [drop(1, 2), { ...drop(1, 2), kind: 'king' }, { move: 'a1-b2', from: 'a1', to: 'b2', kind: 'king' }];
    const four = game('connect-four');
    expect(choiceOf({ from: 'a1', at: { col: 1, row: 1 } }, four, legal)?.move).toBe('a1-b2');
    expect(choiceOf({ from: 'a1', at: { col: 2, row: 1 } }, four, legal)).toBeUndefined();
    expect(choiceOf({ at: { col: 0, row: 0 }, kind: 'king' }, four, legal)?.kind).toBe('king');
    expect(choiceOf({ at: { col: 0, row: 0 }, kind: 'queen' }, four, legal)?.kind).toBe('stone');
    expect(choiceOf({ at: { col: 2, row: 0 } }, four, legal)).toBeUndefined();
  });

  it('is played when its turn comes, and dropped if it cannot be', async () => {
    const theirs = { seats: PEOPLE, you: ['second' as const], legal: [] };
    for (const [col, outcome] of [
      [1, ['make-move 2']],
      [0, []],
    ] as const) {
      const { game, moved, sent } = await opened(theirs);
      expect(game.premoves.side).toBe('second');
      game.premoves.onchoose({ at: { col, row: 0 } });
      flushSync();
      expect([game.premoves.chosen !== undefined, sent()]).toEqual([true, []]);
      moved(1, '1');
      await settled();
      expect([game.premoves.chosen, game.premoves.side, sent()]).toEqual([undefined, undefined, outcome]);
    }
    expect(politeText().trim()).toBe('The move you chose is no longer possible.');
  });
});

describe('the chat of a table', () => {
  it('counts what others said since the reader last looked', async () => {
    const { game, hear } = await opened({ seats: PEOPLE, chat: [{ from: 'jordi', text: 'hi', side: 'second' }] });
    expect([game.chat.unread, game.chat.last?.text]).toEqual([0, 'hi']);
    hear(said('there?'));
    hear(said('yes', { from: 'marta', side: 'first' }));
    expect([game.chat.unread, game.chat.last?.text, game.chat.messages.length]).toEqual([1, 'there?', 3]);
    game.openPanel('chat');
    flushSync();
    hear(said('well'));
    expect(game.chat.unread).toBe(0);
    game.sheet = false;
    hear(said('bye'));
    expect(game.chat.unread).toBe(1);
  });

  it('neither shows nor reads what blocked people say', async () => {
    block('g:2', 'jordi', true);
    const { game, hear } = await opened({ seats: PEOPLE });
    hear(said('rude'));
    expect([game.chat.messages, game.chat.hidden, game.chat.unread, politeText().includes('rude')]).toEqual([
      [],
      1,
      0,
      false,
    ]);
    block('g:2', 'jordi', false);
  });

  it('is read aloud, but does not push aside what the board says', async () => {
    const { game, hear } = await opened({ seats: PEOPLE });
    game.say('Column 1 is full.');
    hear(said('hello'));
    expect([game.status, politeText().trim()]).toEqual(['Column 1 is full.', 'jordi: hello']);
  });
});

describe('the clocks of a table', () => {
  const presence = (here: boolean, claim_ms: number | null): Snapshot['presence'] => ({
    here: [true, here],
    claim_ms: [null, claim_ms],
    watching: 0,
  });

  it('tell how long an opponent may stay away, unless the reader waits', async () => {
    const { game, wire } = await opened({ seats: PEOPLE });
    expect([game.clocks.isGone, game.clocks.claimIn]).toEqual([false, undefined]);
    wire.hear('presence', { table: 't', ...presence(false, 30_000) });
    flushSync();
    expect(game.clocks.isGone).toBe(true);
    expect(game.clocks.claimIn).toBeGreaterThan(0);
    expect(game.clocks.claimIn).toBeLessThanOrEqual(30_000);
    game.clocks.wait();
    expect(game.clocks.isGone).toBe(false);
    wire.hear('presence', { table: 't', ...presence(true, null) });
    flushSync();
    wire.hear('presence', { table: 't', ...presence(false, 30_000) });
    flushSync();
    expect(game.clocks.isGone).toBe(true);
  });

  it('warn the player to move once, when little is left', async () => {
    const clocks = (left: number): Partial<Snapshot> => ({ clocks: { left_ms: [left, 60_000], running: 'first' } });
    await opened(clocks(60_000));
    expect(urgentText()).toBe('');
    const { game } = await opened(clocks(19_500));
    expect(urgentText()).toMatch(/^0:(1\d|20) left!$/);
    expect(game.clocks.left('second')).toBe(60_000);
  });
});

describe('what happens at a table', () => {
  it('is said when a move is taken back, and the board shows the game again', async () => {
    const { game, hear, moved } = await opened();
    moved(1, '1');
    game.advice.hints = 1;
    await game.show(0);
    expect([game.picture.looked, game.mayMove]).toEqual([0, false]);
    hear({ kind: 'taken-back', ply: 0 }, { view: view(['...', '...']) });
    expect([game.picture.looked, game.advice.hints]).toEqual([undefined, 0]);
    expect(game.status).not.toBe('');
  });

  it('is refused in words', async () => {
    const { game, sent } = await opened({ settings: { ...snapshot().settings, take_back: false }, seats: PEOPLE });
    game.takeBack();
    const first = game.status;
    game.toggleEvaluation();
    expect([first, game.status, sent()]).toEqual([
      'Takebacks are off in this game.',
      'No help in games between people.',
      [],
    ]);
  });

  it('leads to the analysis of the game, with the side of the player once it has ended', async () => {
    const { game, moved, hear } = await opened();
    expect(game.study).toBe('/analysis/connect-four%3A6x7x4');
    moved(1, '1');
    expect(game.study).toBe('/analysis/connect-four%3A6x7x4?m=1');
    hear({ kind: 'ended', winner: 'first', reason: 'resignation' });
    expect(game.study).toBe('/analysis/connect-four%3A6x7x4?m=1&you=first');
  });

  it('asks before a move that completes a line for the opponent', async () => {
    Object.assign(GAMES['connect-four']!, { mover_may_lose: true });
    const lost = view(['..', 'x.'], { outcome: 'second' });
    vi.stubGlobal('fetch', () =>
      Promise.resolve(
        new Response(JSON.stringify({ moves: 1, plies: [{ view: view(['..', '..']) }, { view: lost }] })),
      ),
    );
    const { game, sent } = await opened();
    await game.play(drop(1, 1));
    expect([game.dialog, game.guarded?.move, sent()]).toEqual(['guard', '1', []]);
    await Promise.race([game.play(drop(1, 1)), settled()]);
    expect([game.guarded, sent()]).toEqual([undefined, ['make-move 1']]);
    Object.assign(GAMES['connect-four']!, { mover_may_lose: false });
  });
});

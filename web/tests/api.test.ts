import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { review as ask } from '../src/studyApi';

const busy = (): Response =>
  new Response(JSON.stringify({ ok: false, code: 'busy', message: 'later' }), { status: 503 });
const asked = vi.fn<() => Promise<Response>>();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', asked.mockReset());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a server that is busy', () => {
  it('is asked again', async () => {
    asked.mockResolvedValueOnce(busy()).mockResolvedValueOnce(new Response('{"number":1}\n\n{"number":2}\n'));
    const numbers: number[] = [];
    const review = ask({ game: 'tic-tac-toe', moves: 'b2' }, ({ number }) => numbers.push(number));
    await vi.runAllTimersAsync();
    await review;
    expect(numbers).toEqual([1, 2]);
  });

  it('is not asked for ever', async () => {
    asked.mockImplementation(() => Promise.resolve(busy()));
    const review = expect(ask({ game: 'tic-tac-toe', moves: 'b2' }, () => {})).rejects.toMatchObject({ code: 'busy' });
    await vi.runAllTimersAsync();
    await review;
    expect(asked).toHaveBeenCalledTimes(5);
  });
});

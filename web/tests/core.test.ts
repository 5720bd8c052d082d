import { beforeEach, describe, expect, it, vi } from 'vitest';

import { Core } from '../src/local/core';

/** A worker that answers with what its number says. */
class FakeWorker extends EventTarget {
  static made: FakeWorker[] = [];
  ended = false;

  constructor() {
    super();
    FakeWorker.made.push(this);
  }

  postMessage(message: { id?: number; question?: { is?: string } }): void {
    const { id, question } = message;
    if (id === undefined || question?.is === 'silent') return;
    const told =
      question?.is === 'broken'
        ? { id, code: 'broken', message: 'trap' }
        : { id, answer: FakeWorker.made.indexOf(this) };
    queueMicrotask(() => this.dispatchEvent(new MessageEvent('message', { data: told })));
  }

  terminate(): void {
    this.ended = true;
  }
}

beforeEach(() => {
  FakeWorker.made = [];
  vi.stubGlobal('Worker', FakeWorker);
});

describe('cores in workers', () => {
  const core = (): Core => new Core({} as WebAssembly.Module, Promise.resolve({}));

  it('think one after the other in the same worker', async () => {
    const one = core();
    expect(await one.think({})).toBe(1);
    expect(await one.think({})).toBe(1);
    expect(FakeWorker.made).toHaveLength(2);
  });

  it('that stopped in the middle are replaced', async () => {
    const one = core();
    await expect(one.think({ is: 'broken' })).rejects.toMatchObject({ code: 'broken' });
    expect(FakeWorker.made[1]!.ended).toBe(true);
    expect(await one.think({})).toBe(2);
  });

  it('are ended when the answer is no longer wanted', async () => {
    const one = core();
    const stop = new AbortController();
    const thought = expect(one.think({ is: 'silent' }, undefined, stop.signal)).rejects.toMatchObject({
      code: 'no-answer',
    });
    await Promise.resolve();
    stop.abort();
    await thought;
    expect(FakeWorker.made[1]!.ended).toBe(true);
    expect(await one.think({})).toBe(2);
  });
});

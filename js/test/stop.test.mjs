// A search is stopped by ending its worker.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import test from 'node:test';
import { Worker } from 'node:worker_threads';

import { wasm } from './core.mjs';

const TRIES = 5;

async function stopping(game) {
  const worker = new Worker(new URL('./worker.mjs', import.meta.url), { workerData: { game, wasm: wasm.href } });
  const [report] = await once(worker, 'message');
  assert.equal(report.done, false);
  const start = performance.now();
  await worker.terminate();
  return performance.now() - start;
}

for (const game of ['chess-five', 'gomoku', 'connect-four:9x9x5']) {
  test(`${game}: a search without limits ends within 50 ms`, async () => {
    // The quickest of some, because other processes may delay one.
    const times = [];
    while (times.length < TRIES && !times.some((time) => time < 50)) times.push(await stopping(game));
    assert.ok(times.at(-1) < 50, `${times} ms`);
  });
}

// Analysis and review by the server, which may be busy and tells a review line by line.

import { ApiFailure, read, request, send } from './http';
import type { Assessment, Played, ReviewedMove } from './protocol';

/** Sends a request whose response is one JSON object per line, and hands over each as it arrives. */
async function sendForLines<T>(path: string, body: unknown, online: (line: T) => void): Promise<void> {
  const response = await request('POST', path, body);
  if (!response.ok || !response.body) return void (await read(response));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read().catch(() => {
      throw new ApiFailure('no-answer', 'the response was cut off');
    });
    const lines = (rest + (value ?? '')).split('\n');
    rest = done ? '' : (lines.pop() ?? '');
    for (const line of lines.filter(Boolean)) online(JSON.parse(line) as T);
    if (done) return;
  }
}

/** Repeats a request with increasing delays while the server is busy. */
async function retryWhileBusy<T>(request: () => Promise<T>): Promise<T> {
  for (let wait = 300; ; wait *= 2) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof ApiFailure && error.code === 'busy') || wait > 3_000) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

export const analysis = (record: Played, lines: number, time_ms: number): Promise<Assessment> =>
  retryWhileBusy(() => send('POST', '/analysis', { ...record, lines, time_ms }));

export const review = (record: Played, onmove: (reviewed: ReviewedMove) => void): Promise<void> =>
  retryWhileBusy(() => sendForLines('/review', record, onmove));

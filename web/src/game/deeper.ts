// Analysis that goes deeper and deeper, as long as it is wanted: in this browser if it can, otherwise on the server.

import { localCore } from '../api';
import { ApiFailure } from '../http';
import type { Assessment, ErrorCode, Played } from '../protocol';
import { connection } from '../socket.svelte';

/** How long a position is analysed at most, in milliseconds; the server has the same limit. */
const TIME_MS = 30_000;

/** Tells ever better assessments of a position until the returned function is called. */
export function deepen(
  record: Played,
  lines: number,
  tell: (known: Assessment) => void,
  fail: (error: unknown) => void,
): () => void {
  const core = localCore();
  if (core) {
    const stop = new AbortController();
    core
      .think<Assessment>({ assess: { record, lines, time_ms: TIME_MS } }, tell, stop.signal)
      .then(tell, (error) => stop.signal.aborted || fail(error));
    return () => stop.abort();
  }
  const ask = (): void => void connection.ask('analyse', { ...record, lines }).catch(fail);
  const ends = [
    connection.on<Assessment>('assessment', (assessment) => assessment.table === undefined && tell(assessment)),
    connection.on<{ code: ErrorCode; message: string }>('analysis-ended', ({ code, message }) =>
      fail(new ApiFailure(code, message)),
    ),
    connection.on('connect', ask),
  ];
  if (connection.link === 'online') ask();
  return () => {
    for (const end of ends) end();
    connection.ask('stop-analysis').catch(() => {});
  };
}

// A worker with the WebAssembly core: answers questions one after the other. The first message is the compiled core, with
// the book of Connect Four and the weights of Gomoku if it is to think.

import { AlineaError, startCore, type Ask } from '../../../js/core.js';

export interface Start {
  module: WebAssembly.Module;
  book?: ArrayBuffer | undefined;
  weights?: ArrayBuffer | undefined;
}

export interface Asked {
  id: number;
  question: Record<string, unknown>;
}

export type Told =
  | { damaged: true }
  | ({ id: number } & ({ report: unknown } | { answer: unknown } | { code: string; message: string }));

let core: Promise<Ask> | undefined;

addEventListener('message', async ({ data }: MessageEvent<Start | Asked>) => {
  if ('module' in data) {
    core = startCore(data.module, data.book, data.weights).catch((error: unknown) => {
      if (!(error instanceof AlineaError)) throw error;
      // It works without them.
      postMessage({ damaged: true } satisfies Told);
      return startCore(data.module, data.book);
    });
    return;
  }
  const { id, question } = data;
  const tell = (told: Told): void => postMessage(told);
  try {
    const ask = await core!;
    tell({ id, answer: ask(question, (report) => tell({ id, report })) });
  } catch (error) {
    // Whatever else stops the core is a fault of it, which a server would call by the same name.
    const code = error instanceof AlineaError ? error.code : 'broken';
    tell({ id, code, message: String(error) });
  }
});

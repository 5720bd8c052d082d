// The WebAssembly core in workers: one for rules and tables, which answers at once, and some that think. What is no longer
// wanted is stopped by ending its worker.

import coreUrl from '../../../js/alinea.wasm?url';
import bookUrl from '../../../js/book.bin?url';
import weightsUrl from '../../../js/weights.bin?url';
import { ApiFailure } from '../http';
import type { ErrorCode } from '../protocol';
import { startWorker } from './startWorker';
import type { Start, Told } from './worker';

type Question = Record<string, unknown>;
type Report = (known: never) => void;

let isSimpler = false;
/** Tells the page, once, that the weights of the evaluation are missing or damaged, so that a simpler one is used. */
function tellSimpler(): undefined {
  if (!isSimpler) dispatchEvent(new Event('alinea:simpler'));
  isSimpler = true;
}

interface Waiting {
  resolve: (answer: never) => void;
  reject: (failure: ApiFailure) => void;
  report: Report | undefined;
}

/** A core in a worker. */
class CoreWorker {
  readonly #worker = startWorker();
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  constructor(start: Start) {
    this.#worker.postMessage(start);
    this.#worker.addEventListener('message', ({ data }: MessageEvent<Told>) => this.#hear(data));
    // The script of the worker could not be loaded.
    this.#worker.addEventListener('error', () => this.end('the worker does not start'));
  }

  ask<T>(question: Question, report?: Report): Promise<T> {
    const id = ++this.#last;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, report });
      this.#worker.postMessage({ id, question });
    });
  }

  /** Ends the worker; what it was asked fails. */
  end(why: string): void {
    this.#worker.terminate();
    for (const { reject } of this.#waiting.values()) reject(new ApiFailure('no-answer', why));
    this.#waiting.clear();
  }

  #hear(told: Told): void {
    if ('damaged' in told) return tellSimpler();
    const waiting = this.#waiting.get(told.id);
    if (!waiting) return;
    if ('report' in told) return waiting.report?.(told.report as never);
    this.#waiting.delete(told.id);
    if ('answer' in told) waiting.resolve(told.answer as never);
    else waiting.reject(new ApiFailure(told.code as ErrorCode, told.message));
  }
}

export class Core {
  readonly #rules: CoreWorker;
  #idle: CoreWorker[] = [];
  #thinking = 0;
  #queue: (() => void)[] = [];
  readonly #most = Math.max(1, Math.min(4, (navigator.hardwareConcurrency ?? 2) - 1));

  /** Book and weights are on their way, or missing; thinking waits for them, rules do not. */
  constructor(
    private readonly module: WebAssembly.Module,
    private readonly data: Promise<Omit<Start, 'module'>>,
  ) {
    this.#rules = new CoreWorker({ module });
  }

  /** Asks for something that needs no thought. */
  ask<T>(question: Question): Promise<T> {
    return this.#rules.ask(question);
  }

  /** Asks for something that takes time, until `signal` stops it. */
  async think<T>(question: Question, report?: Report, signal?: AbortSignal): Promise<T> {
    const data = await this.data;
    while (this.#thinking >= this.#most) await new Promise<void>((resolve) => this.#queue.push(resolve));
    signal?.throwIfAborted();
    this.#thinking += 1;
    const worker = this.#idle.pop() ?? new CoreWorker({ module: this.module, ...data });
    const stop = (): void => worker.end('stopped');
    signal?.addEventListener('abort', stop);
    let isWhole = true;
    try {
      return await worker.ask<T>(question, report);
    } catch (error) {
      // A core that stopped in the middle answers nothing any more.
      isWhole = error instanceof ApiFailure && error.code !== 'broken';
      throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
      if (!isWhole) worker.end('the core stopped');
      else if (!signal?.aborted) this.#idle.push(worker);
      this.#thinking -= 1;
      this.#queue.shift()?.();
    }
  }
}

let core: Promise<Core> | undefined;
let ready: Core | undefined;

/** The core, loaded once; a failure is final unless the network was the reason. */
export function loadCore(): Promise<Core> {
  core ??= start().catch((error: unknown) => {
    if (typeof WebAssembly === 'object') core = undefined;
    throw error instanceof ApiFailure ? error : new ApiFailure('no-answer', String(error));
  });
  return core;
}

/** The core, if it is loaded. */
export const readyCore = (): Core | undefined => ready;

async function read(url: string): Promise<ArrayBuffer> {
  const response = await fetch(url);
  if (!response.ok) throw new ApiFailure('no-answer', 'the core is not there');
  return response.arrayBuffer();
}

async function start(): Promise<Core> {
  const book = read(bookUrl).catch(() => undefined);
  const weights = read(weightsUrl).catch(tellSimpler);
  const data = Promise.all([book, weights]).then(([book, weights]) => ({ book, weights }));
  // Not compileStreaming: a plain file server may not know the type.
  const started = new Core(await WebAssembly.compile(await read(coreUrl)), data);
  // A browser that loads it but cannot run it is one that asks the server.
  await started.ask({ games: {} });
  return (ready = started);
}

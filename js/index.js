// The package `alinea`: games, players, assessments, reviews and exact results in Node and browsers.

import { AlineaError, startCore } from './core.js';

export { AlineaError };

/** Compiled once, however many cores are loaded. */
let standard;

/** A core: from the file beside this module, or from WebAssembly that the caller has fetched or compiled. */
export async function load(wasm) {
  if (wasm === undefined) {
    standard ??= compile(new URL('./alinea.wasm', import.meta.url));
    // A failed download may be tried again.
    standard.catch(() => { standard = undefined; });
    wasm = standard;
  }
  return new Alinea(await startCore(await compile(await wasm)));
}

async function compile(wasm) {
  if (wasm instanceof WebAssembly.Module) return wasm;
  if (ArrayBuffer.isView(wasm) || wasm instanceof ArrayBuffer) return WebAssembly.compile(wasm);
  const url = new URL(wasm, globalThis.location?.href);
  // fetch does not read files.
  if (url.protocol === 'file:') {
    const { readFile } = await import('node:fs/promises');
    return WebAssembly.compile(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  // Not compileStreaming, which refuses what plain file servers send: another media type than application/wasm.
  return WebAssembly.compile(await response.arrayBuffer());
}

/** Answers one question after the other; a search is stopped by ending its worker. */
class Alinea {
  #ask;

  constructor(ask) {
    this.#ask = ask;
  }

  ask(question, report) {
    return this.#ask(question, report);
  }

  games() {
    return this.#ask({ games: {} });
  }

  positions(record) {
    return this.#ask({ positions: { record: written(record) } });
  }

  choose(record, player, options) {
    return this.#ask({ choose: { ...options, record: written(record), player } });
  }

  assess(record, options, report) {
    return this.#ask({ assess: { ...options, record: written(record) } }, report);
  }

  review(record, options, report) {
    return this.#ask({ review: { ...options, record: written(record) } }, report);
  }

  solve(record) {
    return this.#ask({ solve: { record: written(record) } });
  }

  perft(record, depth) {
    return this.#ask({ perft: { record: written(record), depth } });
  }
}

/** A record with its moves in one text; a game alone stands for its start. */
function written(record) {
  if (typeof record === 'string') return { game: record, moves: '' };
  const moves = record?.moves ?? '';
  return { ...record, moves: Array.isArray(moves) ? moves.join(' ') : moves };
}

// The package `alinea`: games, players, assessments, reviews and exact results in Node and browsers.

import { AlineaError, startCore } from './core.js';

export { AlineaError };

/** Read once, however many cores are loaded. */
const files = {};
const standard = (name, read) => {
  files[name] ??= read(new URL(name, import.meta.url));
  // A failed download may be tried again.
  files[name].catch(() => {
    files[name] = undefined;
  });
  return files[name];
};

/**
 * A core: from the files beside this module, or from WebAssembly, a book and weights that the caller has fetched or
 * compiled; with `null` for a book or weights there are none.
 */
export async function load(wasm, book, weights) {
  const given = await Promise.all([
    wasm === undefined ? standard('./alinea.wasm', compile) : compile(await wasm),
    book === undefined ? standard('./book.bin', bytesOf) : book && bytesOf(await book),
    weights === undefined ? standard('./weights.bin', bytesOf) : weights && bytesOf(await weights),
  ]);
  return new Alinea(await startCore(...given));
}

async function compile(wasm) {
  // Not compileStreaming, which refuses what plain file servers send: another media type than application/wasm.
  return wasm instanceof WebAssembly.Module ? wasm : WebAssembly.compile(await bytesOf(wasm));
}

async function bytesOf(source) {
  if (ArrayBuffer.isView(source) || source instanceof ArrayBuffer) return source;
  const url = new URL(source, globalThis.location?.href);
  // fetch does not read files.
  if (url.protocol === 'file:') {
    const { readFile } = await import('node:fs/promises');
    return readFile(url);
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}

/** Handles one request at a time; terminating its worker stops a search. */
class Alinea {
  #ask;

  constructor(ask) {
    this.#ask = ask;
  }

  ask(request, report) {
    return this.#ask(request, report);
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

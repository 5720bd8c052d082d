// The border to the WebAssembly core: one request at a time, as JSON. The other side is crates/wasm/src/abi.rs.

const REPORT = 0;
const ANSWER = 1;

/** A rejected request: `code` as in the server's API. */
export class AlineaError extends Error {
  constructor(code, message) {
    super(message);
    this.name = 'AlineaError';
    this.code = code;
  }
}

/** Starts a core from compiled WebAssembly, with the book of Connect Four and the weights of Gomoku if there are any. */
export async function startCore(module, bookBytes, weightBytes) {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  let answer = '';
  let panic = '';
  let onReport = () => {};
  const host = {
    now: () => performance.now(),
    unix: () => Date.now(),
    tell: (kind, start, length) => {
      const text = decoder.decode(new Uint8Array(memory.buffer, start, length));
      if (kind === REPORT) onReport(JSON.parse(text));
      else if (kind === ANSWER) answer = text;
      else panic = text;
    },
  };
  const { memory, room, ask, book, weights } = (await WebAssembly.instantiate(module, { host })).exports;

  const pass = (bytes, act) => {
    const start = room(bytes.length);
    new Uint8Array(memory.buffer, start, bytes.length).set(bytes);
    try {
      act();
    } catch (error) {
      throw new Error(panic || 'the core stopped', { cause: error });
    }
    const { ok, error } = JSON.parse(answer);
    if (error) throw new AlineaError(error.code, error.message);
    return ok;
  };
  if (bookBytes) pass(new Uint8Array(bookBytes), book);
  if (weightBytes) pass(new Uint8Array(weightBytes), weights);

  /** Answers `{name: fields}`; `report` is called with what is known before the answer. */
  return (request, report = () => {}) => {
    onReport = report;
    return pass(encoder.encode(JSON.stringify(request)), ask);
  };
}

/** A rejected request: `code` as in the server's API. */
export class AlineaError extends Error {
  readonly code: string;
  constructor(code: string, message: string);
}

/** Answers `{name: fields}`; `report` is called with what is known before the answer. */
export type Ask = (request: Record<string, unknown>, report?: (known: unknown) => void) => unknown;

/** Starts a core from compiled WebAssembly, with the book of Connect Four and the weights of Gomoku if there are any. */
export function startCore(module: WebAssembly.Module, book?: ArrayBuffer, weights?: ArrayBuffer): Promise<Ask>;

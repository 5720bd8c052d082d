// Requests to the server over HTTP.

import type { ErrorCode } from './protocol';
import { HAS_SERVER } from './site';

/** A rejected request. `no-answer`: the server could not be reached. */
export class ApiFailure extends Error {
  constructor(
    readonly code: ErrorCode | 'no-answer',
    message: string,
  ) {
    super(message);
  }
}

export async function request(method: string, path: string, body?: unknown): Promise<Response> {
  const headers = { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  if (!HAS_SERVER) throw new ApiFailure('no-answer', 'there is no server');
  try {
    return await fetch(`/api${path}`, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  } catch {
    throw new ApiFailure('no-answer', 'the server does not answer');
  }
}

export async function read<T>(response: Response): Promise<T> {
  const text = await response.text();
  let data: unknown = null;
  try {
    data = text ? JSON.parse(text) : null;
  } catch {
    throw new ApiFailure('no-answer', 'the response is not JSON');
  }
  if (response.ok) return data as T;
  const { code = 'no-answer', message = response.statusText } = (data ?? {}) as { code?: ErrorCode; message?: string };
  throw new ApiFailure(code, message);
}

export async function send<T>(method: string, path: string, body?: unknown): Promise<T> {
  return read(await request(method, path, body));
}

/** Returns the query string of the fields that are defined. */
export const query = (fields: Record<string, string | number | boolean | undefined>): string => {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return given.length ? `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}` : '';
};

/** Encodes one segment of a path. */
export const segment = encodeURIComponent;

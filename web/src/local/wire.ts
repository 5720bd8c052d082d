// The connection to the tables of this browser, in the form of the one to a server.

import type { Answer } from '../protocol';
import type { Wire } from '../wire';
import { LocalTables } from './tables';

type Handler = (data: unknown) => void;

const handlers = new Map<string, Set<Handler>>();
const tell = (event: string, data?: unknown): void => handlers.get(event)?.forEach((handler) => handler(data));

/** The tables of this browser. */
export const localTables = new LocalTables(tell);

const emit = (name: string, data: { table: string }, done: (failed: Error | null, answer?: Answer) => void): void => {
  localTables.answer(name, data).then(
    (answer) => done(null, answer),
    (error: Error) => done(error),
  );
};

export const wire = {
  connected: true,
  active: true,
  on: (event: string, handler: Handler) =>
    void (handlers.get(event) ?? handlers.set(event, new Set()).get(event)!).add(handler),
  off: (event: string, handler: Handler) => void handlers.get(event)?.delete(handler),
  timeout: () => ({ emit }),
  connect: () => queueMicrotask(() => tell('connect')),
  disconnect: () => {},
} as unknown as Wire;

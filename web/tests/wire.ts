// A connection whose other end is the test.

import { Connection } from '../src/socket.svelte';
import type { Wire } from '../src/wire';

type Handler = (...args: never[]) => void;
type Acknowledge = (failed: Error | null, answer: unknown) => void;

export class FakeWire {
  connected = false;
  sent: { name: string; data: Record<string, unknown>; answer: (answer: unknown) => void }[] = [];
  #handlers = new Map<string, Set<Handler>>();

  on(name: string, handler: Handler): void {
    if (!this.#handlers.has(name)) this.#handlers.set(name, new Set());
    this.#handlers.get(name)!.add(handler);
  }
  off(name: string, handler: Handler): void {
    this.#handlers.get(name)?.delete(handler);
  }
  timeout(): { emit: (name: string, data: Record<string, unknown>, acknowledge: Acknowledge) => void } {
    return {
      emit: (name, data, acknowledge) => {
        this.sent.push({ name, data, answer: (answer) => acknowledge(null, answer) });
      },
    };
  }
  connect(): void {
    this.connected = true;
    this.hear('connect');
  }
  disconnect(): void {
    this.connected = false;
    this.hear('disconnect', 'transport close');
  }
  hear(name: string, data?: unknown): void {
    for (const handler of [...(this.#handlers.get(name) ?? [])]) (handler as (data: unknown) => void)(data);
  }
}

export const wired = (wire: FakeWire): Connection => new Connection(() => Promise.resolve(wire as unknown as Wire));

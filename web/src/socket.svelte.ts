// The live connection to the server. The Socket.IO client is loaded when a page first needs it.

import { local } from './api';
import { ApiFailure } from './http';
import { showAnnouncement } from './server.svelte';
import { loadUser, refreshUser } from './user.svelte';
import type { Answer, Done } from './protocol';
import type { Wire } from './wire';

/** `closing`: the server said that it stops; it is back soon. */
export type Link = 'closed' | 'connecting' | 'online' | 'lost' | 'closing';

const ANSWER_MS = 8_000;
const AGAIN_MS = 1_000;

export class Connection {
  link = $state<Link>('closed');
  #opened: Promise<Wire> | undefined;
  #wire: Wire | undefined;
  #heard = new Set<[event: string, handler: (data: any) => void]>();
  #connect: () => Promise<Wire>;

  constructor(connect: () => Promise<Wire>) {
    this.#connect = connect;
  }

  /** The wire, opened if it was not. */
  open(): Promise<Wire> {
    return (this.#opened ??= this.#start());
  }

  async #start(): Promise<Wire> {
    this.link = 'connecting';
    const wire = await this.#connect();
    wire.on('connect', () => (this.link = 'online'));
    wire.on('closing', () => (this.link = 'closing'));
    wire.on('announcement', showAnnouncement);
    const lose = (): void => {
      if (this.link !== 'closing') this.link = 'lost';
    };
    wire.on('disconnect', (reason: string) => {
      lose();
      // The server closed it on purpose, which Socket.IO takes for final.
      if (reason === 'io server disconnect') setTimeout(() => wire.connect(), AGAIN_MS);
    });
    wire.on('connect_error', () => {
      lose();
      // Refused by the server, for instance because the cookie is gone: Socket.IO would leave it at that.
      if (!wire.active) setTimeout(() => void refreshUser().finally(() => wire.connect()), AGAIN_MS);
    });
    for (const [event, handler] of this.#heard) wire.on(event, handler);
    this.#wire = wire;
    wire.connect();
    return wire;
  }

  /** Calls `handler` on an event of the server until the returned function is called. */
  on<T>(event: string, handler: (data: T) => void): () => void {
    const heard: [string, (data: T) => void] = [event, handler];
    this.#heard.add(heard);
    this.#wire?.on(event, handler);
    void this.open();
    return () => {
      this.#heard.delete(heard);
      this.#wire?.off(event, handler);
    };
  }

  /**
   * Asks the server for something.
   * Fails with a `ApiFailure`: by the server, or `no-answer` when the connection is down or slow.
   */
  async ask(name: string, data: unknown = {}): Promise<Done> {
    const wire = await this.open();
    if (this.link === 'connecting') await tried(wire);
    if (!wire.connected) throw new ApiFailure('no-answer', 'not connected');
    const answer = await new Promise<Answer>((resolve, reject) => {
      const lost = (): void => settle(() => reject(new ApiFailure('no-answer', 'the connection was lost')));
      const settle = (end: () => void): void => {
        wire.off('disconnect', lost);
        end();
      };
      wire.on('disconnect', lost);
      wire
        .timeout(ANSWER_MS)
        .emit(name, data, (failed: Error | null, answer: Answer) =>
          settle(() => (failed ? reject(new ApiFailure('no-answer', 'the server does not answer')) : resolve(answer))),
        );
    });
    if (!answer.ok) throw new ApiFailure(answer.code, answer.message);
    return answer;
  }

  /** Reconnects after the user has changed. */
  async renew(): Promise<void> {
    const wire = await this.#opened;
    wire?.disconnect();
    wire?.connect();
  }
}

/** Waits for the first attempt to connect. */
const tried = (wire: Wire): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      for (const event of ['connect', 'connect_error']) wire.off(event, done);
      resolve();
    };
    for (const event of ['connect', 'connect_error']) wire.on(event, done);
  });

/** The tables of this browser answer like those of the server. */
export const localConnection = new Connection(async () => (await local()).wire);

export const connection = new Connection(async () => {
  // The server knows sockets by the cookie that it gives to those who ask.
  const [{ io }] = await Promise.all([import('socket.io-client'), loadUser()]);
  return io({
    autoConnect: false,
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    reconnectionDelay: 300,
    reconnectionDelayMax: 5_000,
    withCredentials: true,
  });
});

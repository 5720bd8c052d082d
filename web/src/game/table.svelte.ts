// A table of the server as this page follows it: what it shows, what it missed, what it still has to send.

import { api, isLocal } from '../api';
import { ApiFailure } from '../http';
import { loadUser } from '../user.svelte';
import type { Assessment, Done, Frame, MoveMade, Presence, Side, Snapshot, TableUpdate } from '../protocol';
import { other, seat } from '../sides';
import type { Connection } from '../socket.svelte';
import { apply } from './apply';

/** What the page may want to say or sound. */
export type TableNotice = { kind: 'happened'; happened: TableUpdate } | { kind: 'refused'; refusal: ApiFailure };

/** When to ask again what the server could not answer. */
const AGAIN_MS = 1_000;

export class Table {
  now = $state.raw<Snapshot>();
  /** Why there is nothing to show. */
  trouble = $state.raw<ApiFailure>();
  /** The move that was sent and is not yet acknowledged. */
  pending = $state.raw<{ ply: number; move: string; seen: number }>();
  assessment = $state.raw<Assessment>();
  /** When the clocks of `now` were right. */
  #clockAt = 0;
  /** When it was said who is here. */
  #presenceAt = 0;
  /** Boards by the number of moves before them; another map with each change. */
  #frames = $state.raw<ReadonlyMap<number, Frame>>(new Map());
  #lag = 0;
  #joining: Promise<void> | undefined;
  #joined = false;
  #ends: (() => void)[] = [];

  constructor(
    readonly id: string,
    private readonly connection: Connection,
    private readonly tell: (news: TableNotice) => void = () => {},
  ) {}

  /** Joins the table and follows it until `stop`. */
  start(): void {
    const mine =
      <T extends { table?: string }>(take: (data: T) => void) =>
      (data: T): void => {
        if (data.table === this.id) take(data);
      };
    this.#ends = [
      this.connection.on<MoveMade>(
        'move-made',
        mine((move) => this.#take(move)),
      ),
      this.connection.on<TableUpdate>(
        'table-event',
        mine((event) => this.#take(event)),
      ),
      this.connection.on<Presence & { table: string }>(
        'presence',
        mine((presence) => this.#present(presence)),
      ),
      this.connection.on<Assessment>(
        'assessment',
        mine((assessment) => (this.assessment = assessment)),
      ),
      this.connection.on('connect', () => void this.join()),
    ];
    if (this.connection.link === 'online') void this.join();
    else void this.#glance();
  }

  stop(): void {
    for (const end of this.#ends) end();
    this.#ends = [];
    if (this.connection.link === 'online') this.connection.ask('leave', { table: this.id }).catch(() => {});
  }

  /** Shows the table while the connection is still being made. Joining tells the rest, and what is wrong. */
  async #glance(): Promise<void> {
    try {
      if (!isLocal(this.id)) await loadUser();
      const snapshot = await api.table(this.id);
      if (snapshot && !this.now && this.#ends.length) this.#show(snapshot);
    } catch {
      // It was only a glance.
    }
  }

  /** Asks for all that is not known yet. One question at a time. */
  join(): Promise<void> {
    return (this.#joining ??= this.#join().finally(() => (this.#joining = undefined)));
  }

  async #join(): Promise<void> {
    const seen = this.#joined ? this.now?.v : undefined;
    try {
      const done = await this.connection.ask('join', {
        table: this.id,
        view: true,
        ...(seen !== undefined && { seen }),
      });
      this.trouble = undefined;
      this.#joined = true;
      if (done.snapshot) this.#show(done.snapshot);
      else for (const happened of done.missed ?? []) if (!this.#apply(happened)) return void (await this.#joinAnew());
      await this.#sendPending();
    } catch (error) {
      // A lost connection joins again by itself.
      if (!(error instanceof ApiFailure) || error.code === 'no-answer') return;
      // The server stops, or cannot look just now: the table is still there.
      if (error.code === 'unavailable' || error.code === 'too-fast') setTimeout(() => this.#joinAgain(), AGAIN_MS);
      else this.trouble = error;
    }
  }

  #joinAgain(): void {
    if (this.#ends.length && this.connection.link === 'online') void this.join();
  }

  async #joinAnew(): Promise<void> {
    const done = await this.connection.ask('join', { table: this.id, view: true });
    if (done.snapshot) this.#show(done.snapshot);
  }

  #show(snapshot: Snapshot): void {
    const moves = snapshot.moves.map(({ move }) => move).join(' ');
    const known = this.now?.moves.map(({ move }) => move).join(' ') ?? '';
    if (!moves.startsWith(known)) this.#frames = new Map();
    this.#clockAt = this.#presenceAt = performance.now();
    // What is equal stays the same object: what follows from a new one would be computed with every move from now on.
    const { seats } = this.now ?? {};
    if (JSON.stringify(seats) === JSON.stringify(snapshot.seats)) snapshot = { ...snapshot, seats: seats! };
    this.now = snapshot;
    this.#remember();
  }

  #take(happened: TableUpdate): void {
    if (!this.#apply(happened)) void this.join();
  }

  /** Whether the message fitted. */
  #apply(happened: TableUpdate): boolean {
    if (!this.now) return true;
    const next = apply(this.now, happened);
    if (next === 'gap') return false;
    if (next === this.now) return true;
    if (happened.clocks) this.#clockAt = performance.now();
    this.now = next;
    if ('event' in happened && happened.event.kind === 'taken-back') {
      const { ply } = happened.event;
      this.#frames = new Map([...this.#frames].filter(([at]) => at <= ply));
    }
    if (this.pending && this.pending.ply <= next.moves.length) this.pending = undefined;
    this.#remember(happened);
    this.tell({ kind: 'happened', happened });
    // A seat was taken, perhaps by this browser: only the server knows.
    if ('event' in happened && happened.event.kind === 'seated') void this.#refreshSeats();
    return true;
  }

  async #refreshSeats(): Promise<void> {
    await this.#joinAnew().catch(() => {});
  }

  #remember(happened?: TableUpdate): void {
    const { now } = this;
    if (!now || (happened && !happened.view)) return;
    this.#frames = new Map([...this.#frames, [now.moves.length, { view: now.view, legal: now.legal }]]);
  }

  #present({ here, claim_ms, watching }: Presence): void {
    this.#presenceAt = performance.now();
    if (this.now) this.now = { ...this.now, presence: { here, claim_ms, watching } };
  }

  /** The board after some moves; asked of the server if it was not seen on the way. */
  async frame(ply: number): Promise<Frame | undefined> {
    const { now } = this;
    if (!now) return undefined;
    if (!this.#frames.has(ply)) {
      const { game, position } = now.settings;
      const moves = now.moves.map(({ move }) => move).join(' ');
      const plies = await api.positions({ game, ...(position && { position }), moves });
      this.#frames = new Map([...this.#frames, ...plies.entries()]);
    }
    return this.#frames.get(ply);
  }

  knownFrame(ply: number): Frame | undefined {
    return this.#frames.get(ply);
  }

  /** Who made a move: in an opening one side may move several times. */
  mover(ply: number): Side {
    const { now } = this;
    const before = this.#frames.get(ply - 1)?.view;
    if (before) return before.turn;
    const turn = now?.view.turn ?? 'first';
    return ((now?.moves.length ?? 0) - ply) % 2 === 0 ? other(turn) : turn;
  }

  /** What is left on a clock just now. */
  left(side: Side): number | undefined {
    const clocks = this.now?.clocks;
    if (!clocks) return undefined;
    const left = clocks.left_ms[seat(side)];
    return clocks.running === side ? Math.max(0, left - (performance.now() - this.#clockAt)) : left;
  }

  /** How long until the game can be claimed because a side is gone; none if it cannot. */
  claimIn(side: Side): number | undefined {
    const wait = this.now?.presence.claim_ms[seat(side)] ?? undefined;
    return wait === undefined ? undefined : Math.max(0, wait - (performance.now() - this.#presenceAt));
  }

  /** Sends a move; it is sent again after a lost connection until the server has answered. */
  async move(move: string): Promise<void> {
    if (!this.now || this.pending) return;
    this.pending = { ply: this.now.moves.length + 1, move, seen: this.now.v };
    await this.#sendPending();
  }

  async #sendPending(): Promise<void> {
    const { pending, now } = this;
    if (!pending || !now) return;
    if (now.moves.length >= pending.ply) {
      this.pending = undefined;
      return;
    }
    const sentAt = performance.now();
    try {
      await this.connection.ask('make-move', { table: this.id, ...pending, lag_ms: Math.round(this.#lag) });
      this.#lag = performance.now() - sentAt;
      if (this.pending === pending) this.pending = undefined;
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.code === 'no-answer') {
        // The connection is down: it is sent again when we are back. If it is up, ask where we are.
        if (this.connection.link === 'online') void this.join();
        return;
      }
      if (this.pending === pending) this.pending = undefined;
      if (error.code === 'stale-ply' || error.code === 'future-ply') void this.join();
      else this.tell({ kind: 'refused', refusal: error });
    }
  }

  /** Any other command at this table: `resign`, `chat` … */
  async command(name: string, fields: Record<string, unknown> = {}): Promise<Done | undefined> {
    try {
      return await this.connection.ask(name, { table: this.id, ...fields });
    } catch (error) {
      if (error instanceof ApiFailure) this.tell({ kind: 'refused', refusal: error });
      return undefined;
    }
  }
}

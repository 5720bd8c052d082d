// Tables in this browser. They answer the same messages as those of a server: a change is kept, then told, then
// acknowledged. Programs think in workers; of several tabs with one table, one lets them think.

import { ApiFailure } from '../http';
import type { Answer, Assessment, Done, NewTable, Snapshot, TableSummary, TableUpdate, Thought } from '../protocol';
import { seat } from '../sides';
import { loadCore, type Core } from './core';
import { append, Conflict, log, type LogEntry } from './store';

/** How long a position is thought about for those who watch the thinking. */
const THINKING_MS = 5_000;
const ID = /^here-[a-z0-9]+$/;

/** What the core answers about a table. */
interface Shown {
  snapshot: Snapshot;
  updates: TableUpdate[];
  entries: LogEntry[];
  turn: { player: string; seed: number; time_ms: number | null; delay_ms: number } | null;
  flag_at: number | null;
  rematch: Shown | null;
}

/** A table that this page shows. */
interface Open {
  shown: Shown;
  /** Whether this tab lets programs think. */
  owns: boolean;
  /** Whether the thinking is watched. */
  watched: boolean;
  thinking?: { v: number; stop: AbortController } | undefined;
  flag?: ReturnType<typeof setTimeout>;
  release: () => void;
}

type Tell = (event: string, data: unknown) => void;

const newId = (): string =>
  `here-${Array.from(crypto.getRandomValues(new Uint8Array(10)), (byte) => (byte % 36).toString(36)).join('')}`;

export function recordOf({ settings, moves }: Snapshot): { game: string; position?: string; moves: string } {
  const { game, position } = settings;
  return { game, ...(position && { position }), moves: moves.map(({ move }) => move).join(' ') };
}

/** How a list shows a table. */
function summaryOf(
  { table, settings, seats, status, result, moves, view }: Snapshot,
  entries: LogEntry[],
): TableSummary {
  const now = entries.at(-1)?.at ?? Date.now();
  return {
    table,
    game: settings.game,
    seats,
    clock: settings.clock,
    rated: false,
    status,
    ...(result?.winner && { winner: result.winner }),
    ...(result && { reason: result.reason }),
    ply: moves.length,
    created_at: moves[0]?.at ?? now,
    updated_at: now,
    view,
  };
}

export class LocalTables {
  readonly #open = new Map<string, Open>();
  readonly #channel = new BroadcastChannel('alinea.tables');

  constructor(private readonly tell: Tell) {
    this.#channel.onmessage = ({ data }: MessageEvent<string>) => void this.#reload(data);
  }

  /** Begins a game. */
  async create(wanted: NewTable): Promise<string> {
    const core = await loadCore();
    const id = newId();
    const seed = crypto.getRandomValues(new Uint32Array(1))[0];
    await keep(await core.ask<Shown>({ open: { table: id, new: wanted, seed } }));
    return id;
  }

  /** Answers a message as a server would. */
  async answer(name: string, data: { table: string } & Record<string, unknown>): Promise<Answer> {
    try {
      return await this.#answer(name, data);
    } catch (error) {
      if (error instanceof ApiFailure && error.code !== 'no-answer')
        return { ok: false, code: error.code, message: error.message };
      throw error;
    }
  }

  async #answer(name: string, { table: id, ...fields }: { table: string } & Record<string, unknown>): Promise<Done> {
    if (name === 'join') return { ok: true, snapshot: await this.#join(id) };
    if (name === 'leave') return this.#leave(id);
    const open = this.#open.get(id);
    if (name === 'think') {
      if (open) {
        open.watched = fields['on'] === true;
        if (open.thinking) void this.#report(open, open.thinking.stop.signal);
      }
      return { ok: true };
    }
    const core = await loadCore();
    if (!open) await this.#load(core, id);
    const shown = await core.ask<Shown>({ command: { table: id, command: { [name]: fields }, next: newId() } });
    await this.#take(core, id, shown);
    if (shown.rematch) await keep(shown.rematch);
    return {
      ok: true,
      v: shown.snapshot.v,
      ply: shown.snapshot.moves.length,
      ...(shown.rematch && { table: shown.rematch.snapshot.table }),
    };
  }

  async #load(core: Core, id: string, seen?: number): Promise<Shown> {
    const entries = ID.test(id) ? await log(id) : [];
    if (!entries.length) throw new ApiFailure('unknown-table', 'there is no such game in this browser');
    return core.ask<Shown>({ load: { table: id, log: entries, seen: seen ?? null } });
  }

  async #join(id: string): Promise<Snapshot> {
    const shown = await this.#load(await loadCore(), id);
    const open = this.#open.get(id);
    if (open) open.shown = shown;
    else this.#own(id, shown);
    this.#goOn(this.#open.get(id)!);
    return shown.snapshot;
  }

  #leave(id: string): Done {
    const open = this.#open.get(id);
    this.#open.delete(id);
    open?.release();
    open?.thinking?.stop.abort();
    clearTimeout(open?.flag);
    return { ok: true };
  }

  /** Shows a table; of several tabs, one owns it. */
  #own(id: string, shown: Shown): void {
    let release = (): void => {};
    const left = new Promise<void>((resolve) => (release = resolve));
    const open: Open = { shown, owns: false, watched: false, release };
    this.#open.set(id, open);
    const own = (): Promise<void> => {
      open.owns = true;
      if (this.#open.get(id) === open) this.#goOn(open);
      return left;
    };
    if (navigator.locks) void navigator.locks.request(`alinea.${id}`, own);
    else void own();
  }

  /** Keeps and tells what a change led to. */
  async #take(core: Core, id: string, shown: Shown): Promise<void> {
    try {
      await keep(shown);
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      await this.#reload(id);
      // What was asked was asked about an older state.
      if (!this.#open.has(id)) await this.#load(core, id);
      throw new ApiFailure('stale-ply', 'another tab was first');
    }
    this.#show(id, shown);
    this.#channel.postMessage(id);
  }

  /** Another tab has changed a table. */
  async #reload(id: string): Promise<void> {
    const open = this.#open.get(id);
    if (open) this.#show(id, await this.#load(await loadCore(), id, open.shown.snapshot.v));
  }

  #show(id: string, shown: Shown): void {
    const open = this.#open.get(id);
    if (!open) return;
    open.shown = shown;
    for (const update of shown.updates) this.tell('event' in update ? 'table-event' : 'move-made', update);
    this.#goOn(open);
  }

  /** Lets the program to move think, and looks at the clock when it has run out. */
  #goOn(open: Open): void {
    const { shown, owns, thinking } = open;
    const { snapshot, turn, flag_at } = shown;
    clearTimeout(open.flag);
    if (!owns) return;
    if (flag_at !== null)
      open.flag = setTimeout(() => void this.#flag(snapshot.table), Math.max(0, flag_at - Date.now()));
    if (thinking?.v !== snapshot.v || !turn) {
      thinking?.stop.abort();
      open.thinking = undefined;
    }
    if (!turn || open.thinking) return;
    const stop = new AbortController();
    open.thinking = { v: snapshot.v, stop };
    void this.#think(open, stop.signal);
  }

  async #think(open: Open, signal: AbortSignal): Promise<void> {
    const { snapshot, turn } = open.shown;
    const core = await loadCore();
    const record = recordOf(snapshot);
    const id = snapshot.table;
    const began = performance.now();
    void this.#report(open, signal);
    let thought: Thought | null = null;
    let least = 0;
    try {
      const { player, seed, time_ms } = turn!;
      const chosen = await core.think<{ thought: Thought; least_ms: number }>(
        { choose: { record, player, seed, time_ms } },
        undefined,
        signal,
      );
      ({ thought, least_ms: least } = chosen);
    } catch {
      // A program that fails resigns; one that was stopped has nothing to say.
    }
    const wait = Math.max(turn!.delay_ms, least) - (performance.now() - began);
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    if (signal.aborted) return;
    open.thinking?.stop.abort();
    open.thinking = undefined;
    try {
      await this.#take(core, id, await core.ask<Shown>({ 'program-moves': { table: id, thought } }));
    } catch {
      await this.#reload(id).catch(() => {});
    }
  }

  /** Tells what may be thought of the position, if that is watched. */
  async #report({ watched, shown: { snapshot } }: Open, signal: AbortSignal): Promise<void> {
    if (!watched) return;
    const report = (known: Assessment): void => this.tell('assessment', { ...known, table: snapshot.table });
    const core = await loadCore();
    await core.think({ assess: { record: recordOf(snapshot), time_ms: THINKING_MS } }, report, signal).catch(() => {});
  }

  async #flag(id: string): Promise<void> {
    const core = await loadCore();
    await this.#take(core, id, await core.ask<Shown>({ flag: { table: id } })).catch(() => {});
  }
}

const keep = ({ entries, snapshot }: Shown): Promise<void> | undefined =>
  entries.length ? append(entries, summaryOf(snapshot, entries), snapshot) : undefined;

/** Whether a list asked for would have a table. */
export function isListed(
  { status, game, seats, view }: TableSummary,
  filter: { status?: string; game?: string; turn?: boolean },
): boolean {
  if (filter.status && status !== filter.status) return false;
  if (filter.game && game.split(':')[0] !== filter.game) return false;
  return !filter.turn || (status === 'playing' && seats[seat(view!.turn)].kind === 'person');
}

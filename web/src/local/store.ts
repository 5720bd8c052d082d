// Local games in the browser's own storage: the log of each, as a server keeps it. The key of an entry is its table and
// version, so two tabs never both write the same version. Where nothing can be stored, games last as long as the page.

import type { Event as TableEvent, Snapshot, TableSummary } from '../protocol';

export interface LogEntry {
  version: number;
  at: number;
  event: TableEvent;
}

/** Another tab has written this version. */
export class Conflict extends Error {}

const NAME = 'alinea';
/** Finished games that are kept; older ones are forgotten. */
const MOST_ENDED = 500;

let opened: Promise<IDBDatabase | undefined> | undefined;
/** A table as it was last seen, for lists and for the first picture. */
export interface Kept {
  table: string;
  summary: TableSummary;
  snapshot: Snapshot;
  /** Whether an account has it too. */
  sent?: boolean;
}
const memory = { entries: new Map<string, LogEntry[]>(), tables: new Map<string, Kept>() };
let lost = false;

/** Whether games are lost when the page is closed. */
export const isLost = (): boolean => lost;

function database(): Promise<IDBDatabase | undefined> {
  return (opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('entries', { keyPath: ['table', 'version'] });
      request.result.createObjectStore('tables', { keyPath: 'table' });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error('blocked'));
  }).catch(() => void (lost = true)) as Promise<IDBDatabase | undefined>);
}

const result = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const of = (table: string): IDBKeyRange => IDBKeyRange.bound([table], [table, []]);

/** Adds entries to the log of a table, all or none. Fails with a `Conflict` if there are others in their place. */
export async function append(entries: LogEntry[], summary: TableSummary, snapshot: Snapshot): Promise<void> {
  const { table } = summary;
  const now: Kept = { table, summary, snapshot };
  const known = memory.entries.get(table);
  const db = known ? undefined : await database();
  if (db) {
    try {
      return await write(db, entries, now);
    } catch (error) {
      if (error instanceof Conflict) throw error;
      // Full, or refused: the game continues in memory.
      lost = true;
      memory.entries.set(table, await readLog(db, table).catch(() => []));
    }
  }
  memory.entries.set(table, [...(memory.entries.get(table) ?? []), ...entries]);
  memory.tables.set(table, now);
}

function write(db: IDBDatabase, entries: LogEntry[], now: Kept): Promise<void> {
  return new Promise((resolve, reject) => {
    const transaction = db.transaction(['entries', 'tables'], 'readwrite', { durability: 'strict' });
    for (const entry of entries) transaction.objectStore('entries').add({ table: now.table, ...entry });
    transaction.objectStore('tables').put(now);
    transaction.oncomplete = () => resolve();
    transaction.onabort = () =>
      reject(transaction.error?.name === 'ConstraintError' ? new Conflict() : transaction.error);
  });
}

async function readLog(db: IDBDatabase, table: string): Promise<LogEntry[]> {
  const rows = await result<({ table: string } & LogEntry)[]>(
    db.transaction('entries').objectStore('entries').getAll(of(table)),
  );
  return rows.map(({ version, at, event }) => ({ version, at, event }));
}

/** The log of a table; empty if there is none. */
export async function log(table: string): Promise<LogEntry[]> {
  const known = memory.entries.get(table);
  if (known) return known;
  const db = await database();
  return db ? readLog(db, table) : [];
}

/** A table as it was last seen. */
export async function kept(table: string): Promise<Snapshot | undefined> {
  const known = memory.tables.get(table);
  const db = known ? undefined : await database();
  const found = db ? await result<Kept | undefined>(db.transaction('tables').objectStore('tables').get(table)) : known;
  return found?.snapshot;
}

async function all(): Promise<Kept[]> {
  const db = await database();
  const kept = db ? await result<Kept[]>(db.transaction('tables').objectStore('tables').getAll()) : [];
  return [...new Map([...kept, ...memory.tables.values()].map((one) => [one.table, one])).values()];
}

/** All local tables, the latest first; those that an account has too only on request. */
export async function tables(withSent: boolean): Promise<TableSummary[]> {
  const sorted = (await all()).sort((a, b) => b.summary.updated_at - a.summary.updated_at);
  const old = sorted.filter(({ summary }) => summary.status === 'ended').slice(MOST_ENDED);
  const db = await database();
  if (db) await forget(db, old);
  return sorted.filter(({ sent }) => withSent || !sent).map(({ summary }) => summary);
}

/** Finished games of a person here that no account has. */
export async function unsent(): Promise<Kept[]> {
  return (await all()).filter(
    ({ sent, summary }) =>
      !sent && summary.status === 'ended' && summary.ply > 0 && summary.seats.some(({ kind }) => kind === 'person'),
  );
}

/** Notes that an account has a game. */
export async function markSent(one: Kept): Promise<void> {
  const sent = { ...one, sent: true };
  if (memory.tables.has(one.table)) memory.tables.set(one.table, sent);
  const db = await database();
  if (db) await result(db.transaction('tables', 'readwrite').objectStore('tables').put(sent));
}

async function forget(db: IDBDatabase, old: Kept[]): Promise<void> {
  if (!old.length) return;
  const transaction = db.transaction(['entries', 'tables'], 'readwrite');
  for (const { table } of old) {
    transaction.objectStore('entries').delete(of(table));
    transaction.objectStore('tables').delete(table);
  }
}

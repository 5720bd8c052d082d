// What this browser knows of one's games and exercises, in a storage of its own: a game as what it says about its player,
// an exercise as when it comes again.

import type { Exercise, LearnedEverywhere, LearnedGame } from '../protocol';

/** A game with its moves, to show its positions. */
export type Game = LearnedGame;

/** Whether the account has it, in this state; what is kept anew is not sent. */
type Sent<T> = T & { sent?: true };

const NAME = 'alinea.improve';
/** Games that are kept, and known exercises; older ones are forgotten. */
const MOST_GAMES = 1_000;

type Store = 'games' | 'exercises' | 'sync';
type Kept = 'games' | 'exercises';

const result = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Each account has its own place, and the guest of this browser. */
const opened = new Map<string, Promise<IDBDatabase>>();
function database(account: string): Promise<IDBDatabase> {
  const name = account ? `${NAME}.${account}` : NAME;
  let known = opened.get(name);
  if (!known) {
    const request = indexedDB.open(name, 2);
    request.onupgradeneeded = () => {
      for (const store of ['games', 'exercises', 'sync'] satisfies Store[])
        if (!request.result.objectStoreNames.contains(store))
          request.result.createObjectStore(store, { keyPath: 'id' });
    };
    known = result(request).then((db) => {
      // A newer page in another tab has more stores.
      db.onversionchange = () => (opened.delete(name), db.close());
      return db;
    });
    opened.set(name, known);
    known.catch(() => opened.delete(name));
  }
  return known;
}

function plain<T extends object>(kept: Sent<T>): T {
  const copy = { ...kept };
  delete copy.sent;
  return copy;
}

async function all<T>(account: string, store: Store): Promise<T[]> {
  const db = await database(account);
  return result<T[]>(db.transaction(store).objectStore(store).getAll());
}

/** The games that were reviewed, the latest first. */
export async function games(account: string): Promise<Game[]> {
  return (await all<Sent<Game>>(account, 'games')).map(plain).sort((a, b) => b.at - a.at);
}

export const exercises = async (account: string): Promise<Exercise[]> =>
  (await all<Sent<Exercise>>(account, 'exercises')).map(plain);

const completed = (write: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    write.oncomplete = () => resolve();
    write.onabort = () => reject(write.error);
  });

/** Keeps a reviewed game with its exercises; those that are known already stay as they are. */
export async function keepGame(account: string, game: Game, made: Exercise[]): Promise<void> {
  const db = await database(account);
  const [old, known] = await Promise.all([games(account), exercises(account)]);
  const write = db.transaction(['games', 'exercises'], 'readwrite');
  const done = completed(write);
  write.objectStore('games').put(game);
  for (const { id } of old.slice(MOST_GAMES - 1)) if (id !== game.id) write.objectStore('games').delete(id);
  for (const exercise of made)
    if (!known.some(({ id }) => id === exercise.id)) write.objectStore('exercises').put(exercise);
  return done;
}

export async function keepExercise(account: string, exercise: Exercise): Promise<void> {
  const db = await database(account);
  await result(db.transaction('exercises', 'readwrite').objectStore('exercises').put(exercise));
}

const unsentOf = async <T extends object>(account: string, store: Kept): Promise<T[]> =>
  (await all<Sent<T>>(account, store)).filter(({ sent }) => !sent).map(plain<T>);

/** What the account does not have yet, and the version of what it had when this device last asked. */
export async function unsent(account: string): Promise<{ after: number; games: Game[]; exercises: Exercise[] }> {
  const [[last], games, exercises] = await Promise.all([
    all<{ after: number }>(account, 'sync'),
    unsentOf<Game>(account, 'games'),
    unsentOf<Exercise>(account, 'exercises'),
  ]);
  return { after: last?.after ?? 0, games, exercises };
}

/** Forgets what was sent: the account has lost it, because an older backup of the server was restored. */
export async function forgetSent(account: string): Promise<void> {
  const db = await database(account);
  const write = db.transaction(['games', 'exercises', 'sync'], 'readwrite');
  const done = completed(write);
  write.objectStore('sync').clear();
  for (const store of ['games', 'exercises'] satisfies Kept[]) {
    const records = write.objectStore(store);
    const request = records.getAll();
    request.onsuccess = () => request.result.forEach((kept: Sent<object>) => records.put(plain(kept)));
  }
  return done;
}

/** Keeps what the account has, except where this device has changed it since it was sent: that is sent next. */
export async function keepSynced(
  account: string,
  sent: { games: Game[]; exercises: Exercise[] },
  { version, games, exercises }: LearnedEverywhere,
): Promise<void> {
  const db = await database(account);
  const write = db.transaction(['games', 'exercises', 'sync'], 'readwrite');
  const done = completed(write);
  write.objectStore('sync').put({ id: 'last', after: version });
  const keep = <T extends { id: string }>(store: Kept, sent: T[], found: T[]): void => {
    const records = write.objectStore(store);
    const before = new Map(sent.map((kept) => [kept.id, JSON.stringify(kept)]));
    const after = new Map([...sent, ...found].map((kept) => [kept.id, kept]));
    for (const [id, kept] of after) {
      const request: IDBRequest<Sent<T> | undefined> = records.get(id);
      request.onsuccess = () => {
        const now = request.result;
        const isChanged = now && !now.sent && JSON.stringify(plain<T>(now)) !== before.get(id);
        if (!isChanged) records.put({ ...kept, sent: true });
      };
    }
  };
  keep('games', sent.games, games);
  keep('exercises', sent.exercises, exercises);
  return done;
}

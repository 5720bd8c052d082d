// What this browser knows of one's games and exercises, in a storage of its own: a game as what it says about its player,
// an exercise as when it comes again.

import type { Chance, Exercise, Observed, Side } from '../protocol';

/** A game with its moves, to show its positions. */
export interface Game extends Observed {
  chances: Chance[];
  you: Side;
  moves: string;
  position?: string;
}

const NAME = 'alinea.improve';
/** Games that are kept, and known exercises; older ones are forgotten. */
const MOST_GAMES = 1_000;

type Store = 'games' | 'exercises';

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
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => {
      for (const store of ['games', 'exercises'] satisfies Store[])
        request.result.createObjectStore(store, { keyPath: 'id' });
    };
    opened.set(name, (known = result(request)));
    known.catch(() => opened.delete(name));
  }
  return known;
}

async function all<T>(account: string, store: Store): Promise<T[]> {
  const db = await database(account);
  return result<T[]>(db.transaction(store).objectStore(store).getAll());
}

/** The games that were reviewed, the latest first. */
export async function games(account: string): Promise<Game[]> {
  return (await all<Game>(account, 'games')).sort((a, b) => b.at - a.at);
}

export const exercises = (account: string): Promise<Exercise[]> => all(account, 'exercises');

/** Keeps a reviewed game with its exercises; those that are known already stay as they are. */
export async function keepGame(account: string, game: Game, made: Exercise[]): Promise<void> {
  const db = await database(account);
  const [old, known] = await Promise.all([games(account), exercises(account)]);
  const write = db.transaction(['games', 'exercises'], 'readwrite');
  const done = new Promise<void>((resolve, reject) => {
    write.oncomplete = () => resolve();
    write.onabort = () => reject(write.error);
  });
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

// Days of UTC: the daily puzzle is the same for everyone, and changes for everyone at once.

const DAY_MS = 86_400_000;

/** The number of the day, from 1970. */
export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

/** How many days in a row, up to today or, while today is not done, yesterday. */
export function streakOf(days: readonly number[], today: number): number {
  const done = new Set(days);
  let day = done.has(today) ? today : today - 1;
  let count = 0;
  for (; done.has(day); day -= 1) count += 1;
  return count;
}

/** The days of the week of a day, from Monday. */
export function weekOf(today: number): number[] {
  // The first day of 1970 was a Thursday.
  const monday = today - ((today + 3) % 7);
  return Array.from({ length: 7 }, (_, at) => monday + at);
}

/** A moment of a day, to write its name. */
export const momentOf = (day: number): number => day * DAY_MS + DAY_MS / 2;

/** Calls whenever a new day begins, as long as the page is open; returns how to stop it. */
export function onNewDay(call: () => void): () => void {
  let day = dayOf(Date.now());
  const look = (): void => {
    const now = dayOf(Date.now());
    if (now === day) return;
    day = now;
    call();
  };
  // Timers of a page that is not seen are late.
  const timer = setInterval(look, 20_000);
  document.addEventListener('visibilitychange', look);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', look);
  };
}

// The keys that go through the moves of a game, to the box for moves and to the list of keys.

export interface StepActions {
  show: (ply: number) => void;
  type: () => void;
  help: () => void;
}

/** What a key does, if it is one of them. */
export function stepKeys({ key, shiftKey }: KeyboardEvent, ply: number, on: StepActions): (() => void) | undefined {
  if (shiftKey && key === 'ArrowLeft') return () => on.show(ply - 1);
  if (shiftKey && key === 'ArrowRight') return () => on.show(ply + 1);
  const marks: Record<string, () => void> = {
    '[': () => on.show(ply - 1),
    ']': () => on.show(ply + 1),
    '{': () => on.show(0),
    '}': () => on.show(Infinity),
    '/': on.type,
    '?': on.help,
  };
  return marks[key];
}

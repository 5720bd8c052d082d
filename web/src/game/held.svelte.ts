// A value that is recomputed with every change but rarely differs. What reads it is updated only when it differs; with a
// derived value, Svelte would check every reader each time.

export class Held<T> {
  #value = $state.raw<T>() as T;

  constructor(compute: () => T) {
    $effect.pre(() => {
      this.#value = compute();
    });
  }

  get value(): T {
    return this.#value;
  }
}

// A value that is computed anew with every change but seldom differs: only then those who use it hear of it. Of a derived
// value all of them would be asked each time whether they have to be drawn again.

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

// What a run gave beside what is to be held. Figures depend on the machine and are only shown; a promise does not, and
// one that is broken ends the run with 1.

export class Verdict {
  #lines = {};
  #broken = [];

  /** A figure, and what it should be at most or at least. */
  figure(name, value, { most, least, unit = '' } = {}) {
    const shown = typeof value === 'number' ? Number(value.toFixed(value < 10 ? 2 : 1)) : value;
    const toHold = most !== undefined ? `<= ${most} ${unit}` : least !== undefined ? `>= ${least} ${unit}` : '';
    const isHeld = most !== undefined ? value <= most : least !== undefined ? value >= least : undefined;
    this.#lines[name] = { figure: `${shown} ${unit}`.trim(), 'to hold': toHold.trim(), held: isHeld === undefined ? '' : isHeld ? 'yes' : 'NO' };
  }

  /** Something that must never happen, and what was seen of it. */
  promise(name, faults) {
    this.#lines[name] = { figure: String(faults.length), 'to hold': '0', held: faults.length ? 'NO' : 'yes' };
    this.#broken.push(...faults.map((fault) => `${name}: ${fault}`));
  }

  end() {
    console.table(this.#lines);
    this.#broken.slice(0, 20).forEach((fault) => console.log(fault));
    process.exit(this.#broken.length ? 1 : 0);
  }
}

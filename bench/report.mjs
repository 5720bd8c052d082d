// Prints measured figures next to their targets. Figures depend on the machine and are only shown; guarantees do not,
// and a violated one exits with 1.

export class Report {
  #lines = {};
  #violations = [];

  /** A figure with its target: at most or at least. */
  figure(name, value, { most, least, unit = '' } = {}) {
    const shown = typeof value === 'number' ? Number(value.toFixed(value < 10 ? 2 : 1)) : value;
    const target = most !== undefined ? `<= ${most} ${unit}` : least !== undefined ? `>= ${least} ${unit}` : '';
    const isMet = most !== undefined ? value <= most : least !== undefined ? value >= least : undefined;
    this.#lines[name] = {
      figure: `${shown} ${unit}`.trim(),
      target: target.trim(),
      met: isMet === undefined ? '' : isMet ? 'yes' : 'NO',
    };
  }

  /** A guarantee and its violations. */
  guarantee(name, faults) {
    this.#lines[name] = { figure: String(faults.length), target: '0', met: faults.length ? 'NO' : 'yes' };
    this.#violations.push(...faults.map((fault) => `${name}: ${fault}`));
  }

  end() {
    console.table(this.#lines);
    this.#violations.slice(0, 20).forEach((fault) => console.log(fault));
    process.exit(this.#violations.length ? 1 : 0);
  }
}

// The mark of a person: a line through some of nine dots, always the same for the same id.

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const letter of text) value = Math.imul(value ^ letter.codePointAt(0)!, 0x01000193) >>> 0;
  return value;
}

/** Four or five of the dots 0 to 8, in rows of three: each a neighbour of the one before, none twice. */
export function markOf(id: string): number[] {
  let rest = hash(id);
  const take = (most: number): number => {
    const taken = rest % most;
    rest = Math.imul(rest ^ (rest >>> 15), 0x2c1b3c6d) >>> 0;
    return taken;
  };
  const dots = [take(9)];
  for (const length = 4 + take(2); dots.length < length;) {
    const last = dots.at(-1)!;
    const near = (dot: number): boolean =>
      Math.max(Math.abs((dot % 3) - (last % 3)), Math.abs(Math.floor(dot / 3) - Math.floor(last / 3))) === 1;
    const next = [...Array(9).keys()].filter((dot) => near(dot) && !dots.includes(dot));
    if (!next.length) break;
    dots.push(next[take(next.length)]!);
  }
  return dots;
}

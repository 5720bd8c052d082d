// The programs of a game as the server writes them, one by one.

/** `level:1…8` is eight programs, `chess-five:easy|hard` two; what stands in brackets may be left out. */
export function programs(written: string[]): string[] {
  return written.flatMap((player) => {
    const plain = player.replace(/\[.*\]$/, '');
    const [name = '', parameter] = plain.split(':');
    if (parameter === undefined) return [name];
    const range = /^(\d+)…(\d+)$/.exec(parameter);
    if (!range) return parameter.split('|').map((one) => `${name}:${one}`);
    const [from, to] = [Number(range[1]), Number(range[2])];
    return Array.from({ length: to - from + 1 }, (_, at) => `${name}:${from + at}`);
  });
}

// Games as text, in the form that the server and the command line write and read: tags, then numbered
// moves. Whether the moves are legal the server says.

export interface GameText {
  game?: string | undefined;
  position?: string | undefined;
  moves: string[];
}

const escaped = (value: string): string => value.replaceAll('\\', '\\\\').replaceAll('"', '\\"');

export function writeGame({ game, position, moves }: GameText): string {
  const tags = [['Event', 'analysis'], ['Game', game ?? ''], ...(position ? [['Position', position]] : [])].map(
    ([name, value]) => `[${name} "${escaped(value!)}"]`,
  );
  const offset = position?.endsWith(' b') ? 1 : 0;
  const words = moves.map((move, at) => {
    const ply = at + offset;
    if (ply % 2 === 0) return `${ply / 2 + 1}. ${move}`;
    return at === 0 ? `${(ply + 1) / 2}... ${move}` : move;
  });
  return `${tags.join('\n')}\n\n${[...words, '*'].join(' ')}\n`;
}

/** The first game of a text with tags, a plain list of moves, or a position alone. */
export function readGame(text: string): GameText | undefined {
  if (/^\S+\/\S+ [wb]$/.test(text.trim())) return { position: text.trim(), moves: [] };
  const tags = new Map<string, string>();
  const words: string[] = [];
  for (const line of text.replace(/\{[^}]*\}/g, ' ').split('\n')) {
    const tag = /^\s*\[(\w+)\s+"((?:[^"\\]|\\.)*)"\]\s*$/.exec(line);
    if (tag && words.length) break;
    if (tag) tags.set(tag[1]!, tag[2]!.replace(/\\(.)/g, '$1'));
    else words.push(...line.trim().split(/\s+/).filter(Boolean));
  }
  const moves = words
    .map((word) => word.replace(/^\d+\.+/, ''))
    .filter((word) => word && !/^(\*|1-0|0-1|1\/2-1\/2)$/.test(word));
  if (!moves.length && !tags.size) return undefined;
  return { game: tags.get('Game'), position: tags.get('Position'), moves };
}

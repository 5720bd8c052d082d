// A position while it is edited, and as it is written. Whether it can occur in a game the server says.

import type { GameInfo, Piece, Side, View } from '../protocol';
import { seat } from '../sides';

export type Cells = (Piece | null)[];

const letterOf = ({ pieces }: GameInfo, { side, kind }: Piece): string =>
  pieces.find((piece) => piece.kind === kind)?.letters[seat(side)] ?? '?';

/** The cells by rows from the top, with numbers for empty ones. */
function rowsOf(gameInfo: GameInfo, cells: Cells, cols: number): string {
  const rows: string[] = [];
  for (let from = 0; from < cells.length; from += cols) {
    const row = cells.slice(from, from + cols).map((piece) => (piece ? letterOf(gameInfo, piece) : ' '));
    rows.push(row.join('').replace(/ +/g, (empty) => String(empty.length)));
  }
  return rows.join('/');
}

/** What is not on the board yet, where positions list it. */
function handOf(gameInfo: GameInfo, cells: Cells): string {
  const of = (side: Side): string =>
    gameInfo.pieces
      .map(({ kind, count, letters }) => {
        const placed = cells.filter((piece) => piece?.side === side && piece.kind === kind).length;
        return letters[seat(side)].repeat(Math.max(0, (count ?? 0) - placed));
      })
      .join('');
  return `[${of('first')}${of('second')}]`;
}

/** The position as it is written. `like`: a written position of the same game, which shows whether hands are listed. */
export function writePosition(
  gameInfo: GameInfo,
  { cols }: Pick<View, 'cols'>,
  cells: Cells,
  turn: Side,
  like: string,
): string {
  const hand = like.includes('[') || gameInfo.phases.length > 1 ? handOf(gameInfo, cells) : '';
  return `${rowsOf(gameInfo, cells, cols)}${hand === '[]' ? '' : hand} ${turn === 'first' ? 'w' : 'b'}`;
}

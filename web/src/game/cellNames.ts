// Cells in sentences about reasons and results, which come after the board.

import { formatList, t } from '../i18n.svelte';
import type { GameInfo } from '../protocol';
import { spot } from './cells';
import { namesColumns } from './games.svelte';

/** A cell in a sentence, by what stands beside the board: “d5”, or “column 4 (row 5)” where only numbers do. */
export function cellSpoken(gameInfo: GameInfo, cell: string): string {
  const { col, row } = spot(cell);
  return namesColumns(gameInfo) ? t('result.cell', { column: col + 1, row: row + 1 }) : cell;
}

export const cellsText = (gameInfo: GameInfo, cells: string[]): string =>
  formatList(cells.map((cell) => cellSpoken(gameInfo, cell)));

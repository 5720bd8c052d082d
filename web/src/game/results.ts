// Sentences about the result of a game. A table needs them only at its end, so they come after the board.

import { t } from '../i18n.svelte';
import type { GameInfo, GameResult, Side, View } from '../protocol';
import { pieceAt, spot } from './cells';
import { infoOf } from './games.svelte';
import { kindName, sideName } from './phrases';

/** Who won: the headline of the result. */
export function resultHeadline(gameInfo: GameInfo, result: GameResult, you: Side[]): string {
  if (result.reason === 'aborted' || result.reason === 'declined') return t(`result.${result.reason}`);
  if (!result.winner) return t('result.draw');
  if (you.length === 1) return t(you[0] === result.winner ? 'result.you-won' : 'result.you-lost');
  return t('result.won', { side: sideName(gameInfo, result.winner) });
}

/** How it was won: by which line, by shape or colour, on time, by leaving. */
export function resultHow(game: string, view: View, result: GameResult): string {
  const gameInfo = infoOf(game);
  const winner = result.winner ? sideName(gameInfo, result.winner) : '';
  const loser = result.winner ? sideName(gameInfo, result.winner === 'first' ? 'second' : 'first') : '';
  switch (result.reason) {
    case 'resignation':
      return t('result.how.resignation', { loser });
    case 'time':
      return result.winner ? t('result.how.time', { loser }) : t('result.how.time-draw');
    case 'agreement':
      return t('result.how.agreement');
    case 'abandoned':
      return result.winner ? t('result.how.abandoned', { loser }) : t('result.how.abandoned-draw');
    case 'aborted':
    case 'declined':
      return t(`result.how.${result.reason}`);
    case 'rules':
      break;
  }
  if (!result.winner || !view.line) {
    const full = view.cells.every((piece) => piece !== null);
    return t(full ? 'result.how.full' : 'result.how.no-progress');
  }
  const cells = { side: winner, n: view.line.length, from: view.line[0]!, to: view.line.at(-1)! };
  const direction = t(`direction.${directionOf(view.line)}`);
  // A winning line by shape names its shape; without one it was won by colour.
  if (gameInfo.mover_may_lose) {
    if (!view.shape) return t('result.how.colour', { ...cells, direction });
    const last = view.last.at(-1);
    const lastBy = last ? pieceAt(view, spot(last))?.side : result.winner;
    // The last piece may belong to the loser, whose own move gave the game away.
    const key = lastBy === result.winner ? 'result.how.shape' : 'result.how.shape-given';
    return t(key, { ...cells, direction, loser, shape: kindName(view.shape) });
  }
  return t('result.how.line', { ...cells, direction });
}

export function directionOf(line: string[]): 'row' | 'column' | 'rising' | 'falling' {
  const [a, b] = [spot(line[0]!), spot(line.at(-1)!)];
  if (a.row === b.row) return 'row';
  if (a.col === b.col) return 'column';
  return (b.row - a.row) * (b.col - a.col) > 0 ? 'rising' : 'falling';
}

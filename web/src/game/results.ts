// Sentences about the result of a game. A table needs them only at its end, so they come after the board.

import { activeLanguage, addressed, t, type Key } from '../i18n.svelte';
import type { Choice, GameInfo, GameResult, Side, Snapshot, View } from '../protocol';
import { other, yourSide } from '../sides';
import { cellSpoken } from './cellNames';
import { pieceAt, spot } from './cells';
import { infoOf } from './games.svelte';
import { calledAt, choiceSpoken, kindName, sideName } from './phrases';

/** Who won: the headline of the result. */
export function resultHeadline(gameInfo: GameInfo, result: GameResult, you: Side[]): string {
  if (result.reason === 'aborted' || result.reason === 'declined') return t(`result.${result.reason}`);
  if (!result.winner) return t('result.draw');
  if (you.length === 1) return t(you[0] === result.winner ? 'result.you-won' : 'result.you-lost');
  return t('result.won', { side: sideName(gameInfo, result.winner) });
}

/** How its side stood before a decisive move. */
export interface Standing {
  /** The side to move there, and which of its moves it is, from 1. */
  side: Side;
  nth: number;
  /** The side of the reader, who may have been a spectator. */
  reader: Side | undefined;
  /** What the side had until then. */
  stood: 'level' | 'ahead' | undefined;
  /** The move that could have stopped the last line, where another mistake decided. */
  missed?: Choice | undefined;
}

/** Who the players of a result are: what they are called, and which of them the reader is. */
interface Players {
  called: (side: Side) => string;
  you: Side | undefined;
}

/** How it was won: by which line, by shape or colour, on time, by leaving. */
export function resultHow(game: string, view: View, result: GameResult, players?: Players): string {
  const gameInfo = infoOf(game);
  const called = players?.called ?? ((side: Side) => sideName(gameInfo, side));
  const winner = result.winner ? called(result.winner) : '';
  const loser = result.winner ? called(other(result.winner)) : '';
  const role = result.winner && result.winner === players?.you ? 'you' : 'them';
  const lost = role === 'them' && players?.you ? 'you' : 'them';
  switch (result.reason) {
    case 'resignation':
      return t(addressed('result.how.resignation', lost), { loser });
    case 'time':
      return result.winner ? t(addressed('result.how.time', lost), { loser }) : t('result.how.time-draw');
    case 'agreement':
      return t('result.how.agreement');
    case 'abandoned':
      return result.winner ? t(addressed('result.how.abandoned', lost), { loser }) : t('result.how.abandoned-draw');
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
  const at = (cell: string): string => cellSpoken(gameInfo, cell);
  const cells = { side: winner, n: view.line.length, from: at(view.line[0]!), to: at(view.line.at(-1)!) };
  const direction = t(`direction.${directionOf(view.line)}`);
  // A winning line by shape names its shape; without one it was won by colour.
  if (gameInfo.mover_may_lose && gameInfo.pieces.length > 1) {
    if (!view.shape) return t(addressed('result.how.colour', role), { ...cells, direction });
    const last = view.last.at(-1);
    const lastBy = last ? pieceAt(view, spot(last))?.side : result.winner;
    // The last piece may belong to the loser, whose own move gave the game away.
    const key = lastBy === result.winner ? 'result.how.shape' : 'result.how.shape-given';
    return t(addressed(key, key === 'result.how.shape-given' ? lost : role), {
      ...cells,
      direction,
      loser,
      shape: kindName(view.shape),
    });
  }
  return t(addressed('result.how.line', role), { ...cells, direction });
}

export function directionOf(line: string[]): 'row' | 'column' | 'rising' | 'falling' {
  const [a, b] = [spot(line[0]!), spot(line.at(-1)!)];
  if (a.row === b.row) return 'row';
  if (a.col === b.col) return 'column';
  return (b.row - a.row) * (b.col - a.col) > 0 ? 'rising' : 'falling';
}

/** How a finished game was won, to its reader. */
export const howItEnded = (table: Snapshot): string =>
  resultHow(table.settings.game, table.view, table.result!, {
    called: calledAt(table),
    you: yourSide(table),
  });

/** The headline of a lost game: the first that fits. `moves` counts those of the loser. */
export function lossHeadline(
  { reason }: GameResult,
  name: string,
  moves: number,
  moment: Pick<Standing, 'nth'> | undefined,
): string {
  if (reason === 'time') return t('end.loss.time');
  if (reason === 'resignation') return t('end.loss.resigned');
  if (moment && moves - moment.nth < 3) return t('end.loss.close');
  if (moment) return t('end.loss.turn');
  return moves >= 12 ? t('end.loss.long') : t('end.loss.first', { name });
}

/** The headline of a finished game to its reader. */
export function headlineOf(table: Snapshot, moment: Standing | undefined): string {
  const { result, settings, you, moves, view } = table;
  const reader = yourSide(table);
  if (!result || result.reason === 'aborted' || result.reason === 'declined')
    return result ? resultHeadline(infoOf(settings.game), result, you) : '';
  if (!result.winner) return t('end.draw');
  if (reader === result.winner) return t('end.you-win');
  const winner = calledAt(table)(result.winner);
  if (!reader) return t('end.wins', { name: winner });
  // Sides take turns, so the number of moves of each follows from whose turn it is.
  const yours = Math.floor((moves.length + (view.turn === reader ? 0 : 1)) / 2);
  return lossHeadline(result, winner, yours, moment);
}

/** “9th” in the language of the reader. */
export function ordinal(n: number): string {
  const form = new Intl.PluralRules(activeLanguage(), { type: 'ordinal' }).select(n);
  return t(`ordinal.${form}` as Key, { n });
}

/** Until when the reader who lost stood well. */
export const stoodUntil = ({ stood, nth, side, reader }: Standing): string =>
  stood && side === reader ? t(`end.${stood}-until`, { nth: ordinal(nth) }) : '';

/** Which move the reader could have stopped the last line with. */
export const leftOpen = (game: string, { missed, side, reader }: Standing): string =>
  missed && side === reader ? t('end.open', { move: choiceSpoken(game, missed) }) : '';

/** The result as it is read out, once. */
export function resultSpoken(table: Snapshot, headline: string, moment: Standing | undefined): string {
  const { winner } = table.result!;
  const reader = yourSide(table);
  if (!winner || !reader || reader === winner) return `${headline.replace(/[^.!?]$/, '$&.')} ${howItEnded(table)}`;
  const wins = `${t('end.wins', { name: calledAt(table)(winner) })}.`;
  const story = [(moment && stoodUntil(moment)) || howItEnded(table), moment && leftOpen(table.settings.game, moment)];
  return [wins, headline, ...story].filter(Boolean).join(' ');
}

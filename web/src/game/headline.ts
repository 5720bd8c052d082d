// The verdict on a position as a headline to the reader.

import { formatList, t, tn } from '../i18n.svelte';
import type { Side, Snapshot, Verdict, View } from '../protocol';
import { other, yourSide } from '../sides';
import { spot } from './cells';
import { infoOf, namesColumns } from './games.svelte';
import { calledAt } from './phrases';
import { provenOf, winnersMoves } from './verdicts';

/** Who wins, or is better: “You win in 7”, “Zigzag is a little better”. Empty if that is not known in words. */
export function outcomeText(
  verdict: Verdict,
  turn: Side,
  you: Side | undefined,
  called: (side: Side) => string,
): string {
  if (verdict.kind === 'proven') {
    if (verdict.result === 'draw') return t('card.draw');
    const winner = verdict.result === 'win' ? turn : other(turn);
    const n = winnersMoves(verdict);
    if (winner !== you) return `${called(winner)} ${tn('verdict.win', n)}`;
    const text = tn('verdict.win-you', n);
    return text.charAt(0).toLocaleUpperCase() + text.slice(1);
  }
  const { advantage, chance } = verdict;
  if (!advantage) return '';
  if (advantage === 'even') return t('card.even');
  const better = chance > 0 ? turn : other(turn);
  return t(`card.${better === you ? 'you' : 'they'}-${advantage}`, { name: called(better) });
}

/** `dangers` are the cells where the opponent would win at once. Empty if nothing is known. */
export function verdictHeadline(
  table: Pick<Snapshot, 'settings' | 'seats' | 'you'>,
  view: View,
  verdict: Verdict | undefined,
  dangers: string[],
): string {
  if (view.outcome || !verdict) return '';
  if (dangers.length && provenOf(verdict)?.result !== 'win') {
    const isColumn = namesColumns(infoOf(table.settings.game));
    const places = dangers.map((cell) => (isColumn ? t('say.column', { column: spot(cell).col + 1 }) : cell));
    return t('card.stop', { cells: formatList([...new Set(places)]) });
  }
  return outcomeText(verdict, view.turn, yourSide(table), calledAt(table));
}

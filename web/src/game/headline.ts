// The verdict on a position as a headline to the reader.

import { formatList, t, tn } from '../i18n.svelte';
import type { Side, Snapshot, Verdict, View } from '../protocol';
import { other, seat, yourSide } from '../sides';
import { infoOf } from './games.svelte';
import { occupantName, sideName } from './phrases';
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

/** What the sides of a table are called to its reader: by name, or by side where one person plays both. */
export const calledAt =
  ({ settings: { game }, seats, you }: Pick<Snapshot, 'settings' | 'seats' | 'you'>): ((side: Side) => string) =>
  (side) =>
    you.length > 1 ? sideName(infoOf(game), side) : occupantName(seats[seat(side)], game);

/** `dangers` are the cells where the opponent would win at once. Empty if nothing is known. */
export function verdictHeadline(
  table: Pick<Snapshot, 'settings' | 'seats' | 'you'>,
  view: View,
  verdict: Verdict | undefined,
  dangers: string[],
): string {
  if (view.outcome || !verdict) return '';
  if (dangers.length && provenOf(verdict)?.result !== 'win') return t('card.stop', { cells: formatList(dangers) });
  return outcomeText(verdict, view.turn, yourSide(table), calledAt(table));
}

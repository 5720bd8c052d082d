// The verdict on a position as a headline to the reader.

import { formatList, t } from '../i18n.svelte';
import type { Snapshot, Verdict, View } from '../protocol';
import { yourSide } from '../sides';
import { infoOf } from './games.svelte';
import { rivalName, sideName } from './phrases';
import { provenOf, resultText } from './verdicts';

/** `dangers` are the cells where the opponent would win at once. Empty if nothing is known. */
export function verdictHeadline(
  table: Pick<Snapshot, 'settings' | 'seats' | 'you'>,
  view: View,
  verdict: Verdict | undefined,
  dangers: string[],
): string {
  if (view.outcome || !verdict) return '';
  const gameInfo = infoOf(table.settings.game);
  const you = yourSide(table);
  if (dangers.length && provenOf(verdict)?.result !== 'win') return t('card.stop', { cells: formatList(dangers) });
  if (verdict.kind === 'proven') {
    if (verdict.result === 'draw') return t('card.draw');
    const text = resultText(verdict, you && (view.turn === you ? 'you' : 'them'));
    const whole = you ? text : `${sideName(gameInfo, view.turn)} ${text}`;
    return whole.charAt(0).toLocaleUpperCase() + whole.slice(1);
  }
  const { advantage, chance } = verdict;
  if (!advantage) return '';
  if (advantage === 'even') return t('card.even');
  const mine = chance > 0 === ((you ?? 'first') === view.turn);
  const better = you ? rivalName(table) : sideName(gameInfo, mine ? 'first' : 'second');
  return t(`card.${you && mine ? 'you' : 'they'}-${advantage}`, { name: better });
}

// What is known about a position, in words and numbers for people. Every statement about a position is read off one
// assessment.

import type { AssessedMove, Assessment, Choice, GameInfo, Proven, Verdict } from '../protocol';
import { addressed, formatNumber, t, tn, type Role } from '../i18n.svelte';
import { spot } from './cells';
import { hasKinds, namesColumns } from './games.svelte';
import { provenOf } from './proven';

export { chanceOf, provenOf, thoughtOf } from './proven';

/** "In N" counts the winner's own moves; in some games the loser may end the game. */
export const winnersMoves = ({ result, plies }: Proven): number =>
  result === 'loss' ? Math.max(1, Math.floor(plies / 2)) : Math.ceil(plies / 2);

/** "wins in 5", "you win in 5", "draw". */
export function resultText(proven: Proven, role?: Role): string {
  return proven.result === 'draw'
    ? t('verdict.draw')
    : tn(addressed(`verdict.${proven.result}`, role), winnersMoves(proven));
}

/** "about 64 %". */
export const chanceText = (chance: number): string =>
  t('verdict.about', { percent: formatNumber(Math.round(50 + 50 * chance)) });

/** What is known about a move, for the side that plays it, which may be the reader. */
export function verdictText(verdict: Verdict, role?: Role): string {
  if (verdict.kind === 'proven') return resultText(verdict, role);
  const about = chanceText(verdict.chance);
  if (verdict.kind === 'estimate') return about;
  const { least, most } = verdict;
  const range = (from: Proven, to: Proven) => ({ from: winnersMoves(from), to: winnersMoves(to) });
  if (least.result === 'win') return t('verdict.win-between', range(most, least));
  if (most.result === 'loss') return t('verdict.loss-between', range(least, most));
  if (least.result === 'draw') return t('verdict.at-least-draw', { about });
  if (most.result === 'draw') return t('verdict.at-most-draw', { about });
  return about;
}

/** The moves that were looked at further than themselves, best first. */
export const linesOf = (assessment: Assessment | undefined, count: number): AssessedMove[] =>
  assessment?.moves.slice(0, count) ?? [];

export interface ColumnResult {
  text: string;
  class: Proven['result'];
  label: string;
}

/** The result of every column for the side to move, none for a full one, where moves are columns and all are proved. */
export function columnResults(
  assessment: Assessment,
  gameInfo: GameInfo,
  legal: Choice[],
  cols: number,
): (ColumnResult | null)[] | undefined {
  if (!namesColumns(gameInfo) || hasKinds(gameInfo)) return undefined;
  const results: (ColumnResult | null)[] = Array.from({ length: cols }, () => null);
  for (const choice of legal.filter(({ from }) => from === undefined)) {
    const proven = provenOf(assessment.moves.find(({ move }) => move === choice.move)?.verdict);
    if (!proven) return undefined;
    const { result } = proven;
    const text = result === 'draw' ? '=' : `${result === 'win' ? '+' : '−'}${winnersMoves(proven)}`;
    results[spot(choice.to).col] = { text, class: result, label: resultText(proven) };
  }
  return results;
}

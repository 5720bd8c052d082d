// The proven result of every column, for the side to move.

import type { Proven } from '../protocol.generated';
import { t, tn } from '../i18n.svelte';

export interface ColumnResult {
  text: string;
  class: Proven['result'];
  label: string;
}

export function columnResults(columns: (Proven | null)[]): (ColumnResult | null)[] {
  return columns.map((proven) => {
    if (!proven) return null;
    const { result, plies } = proven;
    if (result === 'draw') return { text: '=', class: result, label: t('verdict.draw') };
    return { text: `${result === 'win' ? '+' : '−'}${plies}`, class: result, label: tn(`verdict.${result}`, plies) };
  });
}

// Columns chosen by digits: one where nine are enough, two on wider boards.

import type { Choice, GameInfo, View } from '../protocol';
import { t } from '../i18n.svelte';
import { inColumn } from './input';

const SECOND_DIGIT_MS = 600;

/** What is shown, and what can be played on it. */
interface Shown {
  gameInfo: GameInfo;
  view: View;
  legal: Choice[];
  kind: string | undefined;
}

/** What to call with each digit; when the column is complete, its drop is played or refused in words. */
export function columnKeys(
  shown: () => Shown | undefined,
  play: (choice: Choice) => void,
  refuse: (sentence: string) => void,
): (digit: string) => void {
  let digits = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const done = (): void => {
    const column = Number(digits);
    digits = '';
    const at = shown();
    if (!at) return;
    const intent = inColumn(at.gameInfo, at.view, at.legal, at.kind, column);
    if ('move' in intent) play(intent.move);
    else if ('refused' in intent) refuse(t(intent.refused.key, intent.refused.values));
  };
  return (digit) => {
    clearTimeout(timer);
    digits += digit;
    const wanted = String(shown()?.view.cols ?? 1).length;
    if (digits.length < wanted) timer = setTimeout(done, SECOND_DIGIT_MS);
    else done();
  };
}

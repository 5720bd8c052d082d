// The keys of a table while its board has the focus: letters act or say something, digits choose columns.

import { t } from '../i18n.svelte';
import type { Choice, GameInfo, Side, Snapshot, View } from '../protocol';
import { change, settings, toggleArrows } from '../settings.svelte';
import { SIDES } from '../sides';
import { placed } from './cells';
import { columnKeys } from './columnKeys';
import { hasKinds, namesColumns, nextKind } from './games.svelte';
import { isMoving } from './input';
import { clockFace, kindName, moveSpoken, sideName, typedLetters } from './phrases';
import { stepKeys, type StepActions } from './stepKeys';

/** What the keys speak about. */
interface Shown {
  table: Snapshot;
  view: View;
  gameInfo: GameInfo;
  legal: Choice[];
  kind: string | undefined;
  hasTray: boolean;
  /** Whether the moment that decided the game can be shown. */
  hasMoment: boolean;
  ply: number;
  left: (side: Side) => number | undefined;
}

/** What the keys do. */
interface Actions extends StepActions {
  play: (choice: Choice) => void;
  say: (sentence: string) => void;
  pickKind: (kind: string) => void;
  takeBack: () => void;
  hint: () => void;
  flip: () => void;
  evaluate: () => void;
  threats: () => void;
  react: () => void;
  /** Switches between the moment that decided the game and its end. */
  moment: () => void;
}

/** The pieces of both sides and where they stand. */
function piecesSpoken({ gameInfo, view }: Shown): string {
  const all = SIDES.map((side) => {
    const at = placed(view)
      .filter(({ piece }) => piece.side === side)
      .map(({ cell, piece }) => (hasKinds(gameInfo) ? `${kindName(piece.kind)} ${cell}` : cell));
    return `${sideName(gameInfo, side)}: ${at.join(', ') || '–'}`;
  });
  return all.join('; ');
}

const lastSpoken = ({ table, view, ply }: Shown): string => {
  const made = ply > 0 ? table.moves[ply - 1] : undefined;
  return made ? t('say.last', { move: moveSpoken(table.settings.game, made.move, view) }) : t('moves.none');
};

const clocksSpoken = ({ table, gameInfo, left }: Shown): string =>
  table.clocks
    ? SIDES.map((side) => `${sideName(gameInfo, side)} ${clockFace(left(side)!)}`).join(', ')
    : t('clock.none');

/** What to call with each key; whether it meant something. */
export function tableKeys(shown: () => Shown | undefined, on: Actions): (event: KeyboardEvent) => boolean {
  const digit = columnKeys(shown, on.play, on.say);
  return (event) => {
    const { key } = event;
    const at = shown();
    if (!at) return false;
    const { gameInfo, legal, kind, hasTray, ply, table } = at;
    const does = (run: (() => void) | undefined): boolean => (run?.(), run !== undefined);
    const step = stepKeys(event, ply, on);
    if (step) return does(step);
    if ((key === 'Escape' || key === 'End') && table.result && ply < table.moves.length)
      return does(() => on.show(Infinity));
    if (!settings.letters) return false;
    if (/^\d$/.test(key) && gameInfo.falls && !isMoving(legal)) return does(() => digit(key));
    const piece = typedLetters(table.settings.game)[key.toLowerCase()];
    if (hasTray && !namesColumns(gameInfo) && piece && legal.some((choice) => choice.kind === piece))
      return does(() => on.pickKind(piece));
    const letters: Record<string, () => void> = {
      u: on.takeBack,
      h: on.hint,
      f: on.flip,
      e: on.evaluate,
      a: toggleArrows,
      t: on.threats,
      r: on.react,
      m: () => (at.hasMoment ? on.moment() : change({ sound: !settings.sound })),
      l: () => on.say(lastSpoken(at)),
      p: () => on.say(piecesSpoken(at)),
      c: () => on.say(clocksSpoken(at)),
      ...(hasTray && namesColumns(gameInfo) && { s: () => on.pickKind(nextKind(gameInfo, kind)!) }),
    };
    return does(letters[key.toLowerCase()]);
  };
}

// A move chosen ahead is played as soon as it is your turn and the picture is there; if it cannot be, it is dropped.

import { untrack } from 'svelte';

import { t } from '../i18n.svelte';
import type { Choice, GameInfo, Side } from '../protocol';
import type { Premove } from './boardInput.svelte';
import { cellName } from './cells';
import { placement } from './input';

interface Game {
  gameInfo: GameInfo;
  legal: Choice[];
  /** The side that may choose ahead now. */
  side: Side | undefined;
  /** Whether the turn has come, and the picture shows it at rest. */
  isReady: boolean;
}

/** The legal move that was meant; of another kind if the chosen one is used up. */
export function choiceOf({ from, at, kind }: Premove, gameInfo: GameInfo, legal: Choice[]): Choice | undefined {
  if (from) return legal.find((choice) => choice.from === from && choice.to === cellName(at));
  return placement(gameInfo, legal, legal.some((choice) => choice.kind === kind) ? kind : undefined, at);
}

export class Premoves {
  chosen = $state.raw<Premove>();

  constructor(
    private readonly game: () => Game,
    private readonly on: { play: (choice: Choice) => void; say: (sentence: string) => void },
  ) {
    $effect(() => {
      if (!this.chosen) return;
      const { isReady, gameInfo, legal } = game();
      if (!isReady) return;
      const choice = choiceOf(this.chosen, gameInfo, legal);
      this.chosen = undefined;
      untrack(() => (choice ? on.play(choice) : on.say(t('premove.illegal'))));
    });
  }

  get side(): Side | undefined {
    return this.game().side;
  }

  readonly onchoose = (next: Premove | undefined): void => {
    this.chosen = next;
    this.on.say(t(next ? 'premove.chosen' : 'premove.cancelled'));
  };
}

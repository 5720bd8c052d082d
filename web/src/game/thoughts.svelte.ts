// What programs at a table think, where help is allowed: why they made their moves, and what they consider just now.

import type { Thought } from '../protocol';
import { isYourTurn, seat, yourSide } from '../sides';
import type { Connection } from '../socket.svelte';
import type { Advice } from './advice.svelte';
import { mayHelp } from './help';
import { infoOf } from './games.svelte';
import { occupantName } from './phrases';
import type { TablePicture } from './picture.svelte';
import type { Table } from './table.svelte';

export class ProgramThoughts {
  /** Why the last move shown was made, if a program made it. */
  readonly last = $derived.by((): Thought | undefined => {
    const { now } = this.table;
    const { ply } = this.picture;
    return now && ply > 0 && mayHelp(now) ? now.moves[ply - 1]?.thought : undefined;
  });
  /** What the program to move considers just now. */
  readonly current = $derived.by(() => {
    const { now, assessment } = this.table;
    const { ply, isLive } = this.picture;
    return now?.status === 'playing' && isLive && !isYourTurn(now) && assessment?.ply === ply && assessment.moves.length
      ? assessment
      : undefined;
  });
  /** How much was thought of each free cell: by the analysis where it is shown, or by the program that moved. */
  readonly indices = $derived.by(() => {
    const { detailed, analysis, reasons } = this.advice;
    return reasons?.choiceIndices((detailed ? analysis.known?.reasons : undefined) ?? this.last?.reasons ?? []);
  });
  /** One sentence about the last move of a program. */
  readonly why = $derived.by((): string => {
    const { last, table, picture, advice } = this;
    const { now } = table;
    const { ply, frame, isLive } = picture;
    if (!last || !now || !frame || !isLive || !advice.reasons) return '';
    const { game } = now.settings;
    const mover = table.mover(ply);
    const [first] = advice.reasons.sentences(last.reasons, {
      game,
      gameInfo: infoOf(game),
      view: frame.view,
      move: last.move,
      candidates: last.candidates.length,
      line: last.line,
      name: occupantName(now.seats[seat(mover)], game),
      mover,
      you: yourSide(now),
    });
    return first?.text ?? '';
  });

  constructor(
    private readonly table: Table,
    private readonly picture: TablePicture,
    private readonly advice: Advice,
    connection: Connection,
  ) {
    const subscribe = (on: boolean): void => void connection.ask('think', { table: table.id, on }).catch(() => {});
    $effect(() => {
      const { now } = table;
      if (!advice.detailed || connection.link !== 'online' || !now?.seats.some(({ kind }) => kind === 'program'))
        return;
      subscribe(true);
      return () => subscribe(false);
    });
  }
}

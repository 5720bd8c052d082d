// What programs at a table think, where help is allowed: why they made their moves, and what they consider just now.

import type { Thought } from '../protocol';
import { isYourTurn } from '../sides';
import type { Connection } from '../socket.svelte';
import type { Advice } from './advice.svelte';
import { Held } from './held.svelte';
import { mayHelp } from './help';
import type { TablePicture } from './picture.svelte';
import type { Table } from './table.svelte';

/** Whether a level made a weak move on purpose. That is said once a game. */
const isSlip = ({ reasons }: Thought): boolean => reasons.some(({ reason }) => reason === 'careless');

export class ProgramThoughts {
  /** Why the last move shown was made, if a program made it. */
  readonly last = $derived.by((): Thought | undefined => {
    const { now } = this.table;
    const { ply } = this.picture;
    const thought = now && ply > 0 && mayHelp(now) ? now.moves[ply - 1]?.thought : undefined;
    return thought &&
      isSlip(thought) &&
      now!.moves.slice(0, ply - 1).some((made) => made.thought && isSlip(made.thought))
      ? { ...thought, reasons: [] }
      : thought;
  });
  /** What the program to move considers just now. */
  readonly current = $derived.by(() => {
    const { now, assessment } = this.table;
    const { ply, isLive } = this.picture;
    return now?.status === 'playing' && isLive && !isYourTurn(now) && assessment?.ply === ply && assessment.moves.length
      ? assessment
      : undefined;
  });
  readonly #indices: Held<Map<string, number> | undefined>;
  constructor(
    private readonly table: Table,
    private readonly picture: TablePicture,
    advice: Advice,
    connection: Connection,
  ) {
    this.#indices = new Held(() => {
      const { evaluating, analysis, reasons } = advice;
      return reasons?.choiceIndices((evaluating ? analysis.known?.reasons : undefined) ?? this.last?.reasons ?? []);
    });
    const subscribe = (on: boolean): void => void connection.ask('think', { table: table.id, on }).catch(() => {});
    $effect(() => {
      const { now } = table;
      if (!advice.evaluating || connection.link !== 'online' || !now?.seats.some(({ kind }) => kind === 'program'))
        return;
      subscribe(true);
      return () => subscribe(false);
    });
  }

  /** How much was thought of each free cell: by the analysis where it is shown, or by the program that moved. */
  get indices(): Map<string, number> | undefined {
    return this.#indices.value;
  }
}

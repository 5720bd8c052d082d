// The messages of server and core, generated into the npm package, and forms of them that only the page uses.

import type { Choice, GameRecord, Status, View } from '../../js/protocol';

export type * from '../../js/protocol';

/** A game up to some move, as a client records it. */
export type Played = Pick<GameRecord, 'game' | 'moves'> & { position?: string | undefined };

/** The board after some moves, and the legal moves. */
export interface Frame {
  view: View;
  legal: Choice[];
}

/** Which tables a list contains. */
export interface TableFilter {
  status?: Status;
  game?: string;
  player?: string;
  /** Only games with a move within the last minutes. */
  live?: boolean;
  /** Only your games in which it is your turn. */
  turn?: boolean;
  /** Includes the boards; live games always include them. */
  boards?: boolean;
  before?: string | undefined;
}

// Where verdicts, hints and the best move may be shown. In one place, because a page that helps a player against another
// person by mistake spoils the game of both.

import type { Snapshot } from '../protocol';

/**
 * After the end always; before it only in games that are not rated, against programs or of one reader with both sides.
 * Not for spectators of people either: they could tell the players.
 */
export function mayHelp({
  status,
  seats,
  you,
  settings,
}: Pick<Snapshot, 'status' | 'seats' | 'you' | 'settings'>): boolean {
  if (status === 'ended') return true;
  return !settings.rated && (you.length === 2 || seats.some(({ kind }) => kind === 'program'));
}

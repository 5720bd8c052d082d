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
  view,
}: Pick<Snapshot, 'status' | 'seats' | 'you' | 'settings' | 'view'>): boolean {
  if (status === 'ended') return true;
  // What is best in an opening is a matter of choice, not of search.
  return !view.opening && !settings.rated && (you.length === 2 || seats.some(({ kind }) => kind === 'program'));
}

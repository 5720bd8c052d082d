// Even matches: which opponent comes next, from the games so far, of this browser and of the account.

import { api, local } from '../api';
import { findGame } from '../game/games.svelte';
import type { EvenGame, EvenMatch, TableSummary } from '../protocol';
import { currentUser } from '../user.svelte';

/** The most games of a list that are looked at. */
const MOST_LISTED = 100;
/** The id of the reader at tables of this browser. */
const HERE = 'g:here';

/** A finished game of the reader against a program, as points. */
function met({ seats, winner, reason }: TableSummary): EvenGame[] {
  const at = seats.findIndex((one) => one.kind === 'person' && (one.id === HERE || one.id === currentUser()?.id));
  const program = seats[1 - at];
  if (at < 0 || program?.kind !== 'program' || !reason || reason === 'aborted') return [];
  return [{ program: program.name, points: !winner ? 0.5 : winner === (at ? 'second' : 'first') ? 1 : 0 }];
}

/** The next even match of a game on its usual board. */
export async function nextEven(game: string): Promise<EvenMatch> {
  const standard = findGame(game)?.standard ?? game;
  const list: TableSummary[] = [];
  let before: string | undefined;
  do {
    const page = await api.tables({ player: 'me', status: 'ended', ...(before && { before }) });
    list.push(...page.tables);
    before = page.next ?? undefined;
  } while (before && list.length < MOST_LISTED);
  const games = list
    .filter((one) => one.game === standard)
    .sort((a, b) => a.updated_at - b.updated_at)
    .flatMap(met);
  return (await (await local()).loadCore()).ask({ skills: { even: { game: standard, games } } });
}

// What a tournament means for its players, in words.

import { formatNumber, t, tn } from '../i18n.svelte';
import type { TournamentFormat, TournamentGame, TournamentStanding, TournamentView } from '../protocol';
import { seat } from '../sides';

export const formatText = (format: TournamentFormat): string => {
  switch (format.kind) {
    case 'swiss':
      return format.rounds ? tn('tournament.swiss-rounds', format.rounds) : t('tournament.format-swiss');
    case 'arena':
      return tn('tournament.arena-minutes', format.minutes);
    default:
      return t(`tournament.format-${format.kind}`);
  }
};

const QUARTERS = ['', '¼', '½', '¾'];
/** Points with halves and quarters as fractions. */
export function pointsOf(points: number): string {
  const whole = Math.floor(points);
  const quarters = QUARTERS[Math.round((points - whole) * 4)] ?? '';
  return whole === 0 && quarters ? quarters : `${formatNumber(whole)}${quarters}`;
}

/** What a game gave a player: 1, ½, 0; none while it is open. */
export function scored({ players, result }: TournamentGame, player: number): 0 | 0.5 | 1 | undefined {
  if (!result) return undefined;
  if (result.winner === null) return 0.5;
  return players[seat(result.winner)] === player ? 1 : 0;
}

/** The open game of a player. */
export const openGame = ({ games }: TournamentView, player: number): TournamentGame | undefined =>
  games.find(({ players, result, table }) => !result && table && players.includes(player));

export const standingOf = ({ standings }: TournamentView, player: number): TournamentStanding | undefined =>
  standings.find((standing) => standing.player === player);

/** Whether players may come when it has begun. */
export const takesLate = ({ format }: TournamentView): boolean => format.kind === 'swiss' || format.kind === 'arena';

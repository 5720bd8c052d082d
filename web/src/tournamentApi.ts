// Tournaments on the server: by HTTP, and followed over the socket.

import { ApiFailure, query, segment, send } from './http';
import type {
  NewTournament,
  TableList,
  TournamentCommand,
  TournamentCreated,
  TournamentGame,
  TournamentSummary,
  TournamentView,
} from './protocol';
import { connection } from './socket.svelte';

export const tournamentApi = {
  list: () => send<TournamentSummary[]>('GET', '/tournaments'),
  open: (tournament: NewTournament) => send<TournamentCreated>('POST', '/tournaments', tournament),
  view: (id: string) => send<TournamentView>('GET', `/tournaments/${segment(id)}`),
  boards: (id: string) => send<TableList>('GET', `/tournaments/${segment(id)}/boards`),
  games: (id: string, before: number) =>
    send<TournamentGame[]>('GET', `/tournaments/${segment(id)}/games${query({ before })}`),
  command: (id: string, command: TournamentCommand) =>
    send<TournamentView>('POST', `/tournaments/${segment(id)}`, command),
};

/** Tells a tournament now and after every change, also after a lost connection, until the returned function is called. */
export function follow(id: string, tell: (view: TournamentView) => void, fail: (error: unknown) => void): () => void {
  const ask = (): void => {
    connection.ask('watch-tournament', { id }).catch((error: unknown) => {
      // Without an answer the connection comes back by itself.
      if (!(error instanceof ApiFailure) || error.code !== 'no-answer') fail(error);
    });
  };
  const ends = [
    connection.on<TournamentView>('tournament', (view) => view.id === id && tell(view)),
    connection.on('connect', ask),
  ];
  if (connection.link === 'online') ask();
  return () => {
    for (const end of ends) end();
    void connection.ask('leave-tournament', { id }).catch(() => {});
  };
}

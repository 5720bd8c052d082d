// The part of the server's HTTP side that concerns people, accounts and profiles: no board needs it.

import { query, segment, send } from './http';
import type {
  ClockKind,
  Me,
  NewReport,
  Profile,
  RankingEntry,
  RatingPoint,
  RecoveryCode,
  SessionSummary,
  TableCreated,
  TableFilter,
  TableList,
  TokenCreated,
  TokenSummary,
} from './protocol';

export const accountApi = {
  code: (code: string) => send<TableCreated>('GET', `/codes/${segment(code)}`),
  report: (report: NewReport) => send<unknown>('POST', '/reports', report),
  rename: (name: string) => send<Me>('PUT', '/me', { name }),
  ranking: (game: string, kind: ClockKind, offset = 0) =>
    send<RankingEntry[]>('GET', `/ranking/${segment(game)}${query({ kind, offset })}`),
  profile: (name: string) => send<Profile>('GET', `/players/${segment(name)}`),
  gamesOf: (name: string, filter: TableFilter = {}) =>
    send<TableList>('GET', `/players/${segment(name)}/games${query({ ...filter })}`),
  ratingsOf: (name: string, game: string, kind: ClockKind) =>
    send<RatingPoint[]>('GET', `/players/${segment(name)}/ratings${query({ game, kind })}`),
  signUp: (name: string, password: string) => send<Me>('POST', '/account', { name, password }),
  signIn: (name: string, password: string) => send<Me>('POST', '/session', { name, password }),
  changePassword: (old: string, password: string) => send<unknown>('PUT', '/account/password', { old, new: password }),
  recoveryCode: (password: string) => send<RecoveryCode>('POST', '/account/recovery-code', { password }),
  recover: (name: string, code: string, password: string) =>
    send<Me>('POST', '/session/recovery', { name, code, password }),
  deleteAccount: (password: string) => send<unknown>('DELETE', '/account', { password }),
  signOut: () => send<unknown>('DELETE', '/session'),
  sessions: () => send<SessionSummary[]>('GET', '/sessions'),
  endSession: (id: string) => send<unknown>('DELETE', `/sessions/${segment(id)}`),
  tokens: () => send<TokenSummary[]>('GET', '/tokens'),
  makeToken: (label: string) => send<TokenCreated>('POST', '/tokens', { label }),
  revokeToken: (id: string) => send<unknown>('DELETE', `/tokens/${segment(id)}`),
};

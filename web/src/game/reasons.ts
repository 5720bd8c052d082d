// Reasons of programs as sentences: each typed fact has its words, and the cells it speaks of. Nothing is
// added to what the program said.

import type { Kind, Proven, Reason, Side, Thought, View } from '../protocol';
import { formatNumber, has, t, tn, type Key, type PluralKey } from '../words.svelte';
import { placed } from './cells';
import type { Look } from './looks';
import { cellsText, moveText, sideName } from './say';

export interface Sentence {
  text: string;
  cells: string[];
}

export interface Term {
  name: string;
  count: number;
  weight: number;
}

/** What a sentence may refer to besides its own fact. */
export interface About {
  game: string;
  look: Look;
  move: string;
  candidates: number;
  line: string[];
  /** The board on which it is played or was just played, to name the pieces. */
  view?: View | undefined;
}

const number = (value: unknown): number => (typeof value === 'number' ? value : 0);
const cell = (value: unknown): string => (typeof value === 'string' ? value : '');
const cells = (value: unknown): string[] => (Array.isArray(value) ? value.filter((c): c is string => typeof c === 'string') : []);
const side = (value: unknown): Side => (value === 'second' ? 'second' : 'first');

export const termsOf = (reasons: Reason[]): Term[] =>
  reasons
    .flatMap((reason) => (reason.reason === 'evaluation' ? ((reason['terms'] as Term[] | undefined) ?? []) : []))
    .filter(({ count, weight }) => count * weight !== 0);

export const termName = (name: string): string => (has(`term.${name}`) ? t(`term.${name}` as Key) : name);

/** The choice index of each cell, to be written on it. */
export function choiceIndices(reasons: Reason[]): Map<string, string> | undefined {
  const reason = reasons.find((reason) => reason.reason === 'choice-index');
  const table = reason?.['cells'] as { cell: string; index: number }[] | undefined;
  return table && new Map(table.map(({ cell, index }) => [cell, formatNumber(index)]));
}

export function provenText({ result, plies }: Proven): string {
  if (result === 'draw') return t('proven.draw');
  return tn(`proven.${result}` as PluralKey, plies);
}

/** The sentence of a reason; none for facts that are shown in another way or are not known here. */
export function sentence(reason: Reason, about: About): Sentence | undefined {
  const { look } = about;
  const move = lineText({ ...about, line: [about.move] });
  const only = (text: string, at: string[] = []): Sentence => ({ text, cells: at });
  switch (reason.reason) {
    case 'random':
      return only(tn('why.random', about.candidates, { move }));
    case 'choice-index':
      return only(t('why.choice-index'));
    case 'careless':
    case 'opening':
    case 'centre':
    case 'corner':
    case 'side':
    case 'all-lose':
      return only(t(`why.${reason.reason}`));
    case 'win':
      return only(t('why.win', { move }), cells(reason['cells']));
    case 'block':
      return only(t('why.block', { move }), cells(reason['cells']));
    case 'join': {
      const length = number(reason['length']);
      return only(length <= 1 ? t('why.join-none', { move }) : t('why.join', { move, n: length }));
    }
    case 'minimax':
      return only(tn('why.minimax', number(reason['depth']), { value: number(reason['value']), line: lineText(about) }));
    case 'proven':
      return only(provenText({ result: reason['result'] as Proven['result'], plies: number(reason['plies']) }));
    case 'evaluation':
      return undefined;
    case 'line': {
      const at = cells(reason['cells']);
      return only(t('why.line', { side: sideName(look, side(reason['side'])), n: at.length, cells: cellsText(at) }), at);
    }
    case 'unproven':
      return only(t('why.unproven', { lower: number(reason['lower']), upper: number(reason['upper']) }));
    case 'book':
      return only(tn('why.book', number(reason['depth'])));
    case 'solved':
      return solved(reason, look);
    case 'forced':
      return only(t('why.forced', { line: lineText({ ...about, line: cells(reason['moves']) }) }));
    case 'second-best': {
      const line = lineText({ ...about, line: cells(reason['moves']) });
      const score = scoreText(number(reason['score']), reason['proven'] as Proven | null);
      const changes = ((reason['changes'] as { term: string; points: number }[] | undefined) ?? [])
        .map(({ term, points }) => `${termName(term)} ${formatNumber(points, { signDisplay: 'exceptZero' })}`)
        .join(', ');
      return only(changes ? t('why.second-best-changes', { line, score, changes }) : t('why.second-best', { line, score }));
    }
    default:
      return other(reason, look, move);
  }
}

function solved(fact: Reason | Record<string, unknown>, look: Look): Sentence | undefined {
  const at = fact['cell'] === undefined ? cells(fact['cells']) : [cell(fact['cell'])];
  const named = { cells: cellsText(at) };
  const only = (text: string, where: string[] = at): Sentence => ({ text, cells: where });
  switch (fact['fact']) {
    case 'completes-four':
    case 'blocks':
    case 'cannot-block':
    case 'makes-two-threats':
      return only(t(`fact.${fact['fact']}` as Key, named));
    case 'forced-plies':
      return only(tn('fact.forced-plies', number(fact['plies'])));
    case 'standing':
      return only(t('fact.standing', { side: sideName(look, side(fact['side'])), ...named, row: row(fact['parity']) }));
    case 'cannot-win':
      return only(t('fact.cannot-win', { side: sideName(look, side(fact['side'])) }));
    case 'decides': {
      const threat = (fact['threat'] ?? {}) as Record<string, unknown>;
      const where = cell(threat['cell']);
      const how = t(`decision.${String(fact['by'])}` as Key);
      const who = sideName(look, side(threat['side']));
      return only(t('fact.decides', { side: who, cells: where, row: row(threat['parity']), how }), [where]);
    }
    default:
      return undefined;
  }
}

const row = (parity: unknown): string => t(parity === 'even' ? 'row.even' : 'row.odd');

/** Reasons that come with cells and need no more than words: `why.<reason>` if the page has them. */
function other(reason: Reason, look: Look, move: string): Sentence | undefined {
  const key = `why.${reason.reason}`;
  if (!has(key)) return undefined;
  const at = reason['cell'] === undefined ? cells(reason['cells']) : [cell(reason['cell'])];
  const values = { move, cells: cellsText(at), side: sideName(look, side(reason['side'])), n: at.length };
  return { text: t(key, values), cells: at };
}

/** What a program said about cells where a line can be completed, in one text. */
export function threatsIn(thought: Thought | null | undefined, about: Pick<About, 'game' | 'look' | 'view'>): string {
  if (!thought) return t('say.no-threats');
  const { move, candidates, line, reasons } = thought;
  const told = sentences(reasons, { ...about, move, candidates: candidates.length, line }).filter(({ cells }) => cells.length);
  return told.map(({ text }) => text).join(' ') || t('say.no-threats');
}

/** Moves in a row as they are listed. A piece is named by where it stands, or stands since it moved. */
export function lineText({ game, line, view }: Pick<About, 'game' | 'line' | 'view'>): string {
  const kinds = new Map<string, Kind>(view && placed(view).map(({ cell, piece }) => [cell, piece.kind]));
  return line
    .map((move) => {
      const [, from, to] = /^([a-z]+\d+)([a-z]+\d+)$/.exec(move) ?? [];
      if (!from || !to) return moveText(game, move);
      const kind = kinds.get(from) ?? kinds.get(to);
      kinds.delete(from);
      if (kind) kinds.set(to, kind);
      return moveText(game, move, kind);
    })
    .join(' ');
}

/** All that a program said, as sentences. A proved result says more than the points that stand for it. */
export function sentences(reasons: Reason[], about: About): Sentence[] {
  const isProven = reasons.some(({ reason }) => reason === 'proven');
  return reasons.flatMap((reason) => (isProven && reason.reason === 'minimax' ? [] : (sentence(reason, about) ?? [])));
}

/** A score as lichess writes it: `#5` for a forced result, otherwise the points. */
export function scoreText(score: number, proven?: Proven | null): string {
  if (!proven) return formatNumber(score, { signDisplay: 'exceptZero' }).replace('-', '−');
  if (proven.result === 'draw') return '=';
  return `${proven.result === 'win' ? '' : '−'}#${proven.plies}`;
}

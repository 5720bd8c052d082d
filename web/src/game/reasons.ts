// Reasons of programs as sentences: each typed fact has its words, and the cells it speaks of. Nothing is
// added to what the program said.

import type { GameInfo, Proven, Reason, Side, SolverFact, SolverThreat, Term, Thought, View } from '../protocol';
import {
  addressed,
  formatList,
  formatNumber,
  has,
  t,
  tn,
  type Key,
  type PluralKey,
  type Role,
  type Values,
} from '../i18n.svelte';
import { other } from '../sides';
import { cellSpoken, cellsText } from './cellNames';
import { placed } from './cells';
import { size } from './games.svelte';
import { moveText, sideName } from './phrases';
import { resultText, winnersMoves } from './verdicts';

export { columnResults } from './verdicts';

export interface Sentence {
  text: string;
  cells: string[];
  /** The lines that it speaks of, and whose they are. */
  lines?: string[][] | undefined;
  side?: Side | undefined;
}

/** What a sentence may refer to besides its own fact. */
export interface About {
  game: string;
  gameInfo: GameInfo;
  move: string;
  candidates: number;
  line: string[];
  /** The name of the player whose move it is. */
  name?: string | undefined;
  /** The board on which it is played or was just played, to name the pieces. */
  view?: View | undefined;
  /** The side whose move it is, and the reader's own; a reader of both sides or of none has none. */
  mover?: Side | undefined;
  you?: Side | undefined;
  /** What a side is called, where its player is known. */
  called?: ((side: Side) => string) | undefined;
  /** Whether it is proved that the mover wins. */
  wins?: boolean;
}

type Line = Pick<About, 'game' | 'line' | 'view'>;

/** The role of the reader in a sentence about this side. */
export const roleOf = (side: Side | undefined, you: Side | undefined): Role | undefined =>
  side && you && (side === you ? 'you' : 'them');

export const termsOf = (reasons: Reason[]): Term[] =>
  reasons
    .flatMap((reason) => (reason.reason === 'evaluation' ? reason.terms : []))
    .filter(({ count, weight }) => count * weight !== 0);

export const termName = (name: string): string => (has(`term.${name}`) ? t(`term.${name}` as Key) : name);

/** The choice index of each cell that was free. */
export function choiceIndices(reasons: Reason[]): Map<string, number> | undefined {
  const reason = reasons.find((reason) => reason.reason === 'choice-index');
  return reason && new Map(reason.cells.map(({ cell, index }) => [cell, index]));
}

export function provenText(proven: Proven, role?: Role): string {
  const { result } = proven;
  return result === 'draw'
    ? t('proven.draw')
    : tn(addressed(`proven.${result}` as PluralKey, role), winnersMoves(proven));
}

/** The most moves of an expected line in a sentence. */
const EXPECTED = 3;

/** A small number in words, a large one in digits. */
const numberText = (n: number): string => (has(`number.${n}`) ? t(`number.${n}` as Key) : formatNumber(n));

const doubleText = (gameInfo: GameInfo, cells: string[]): string =>
  t('why.double', { n: numberText(cells.length), cells: cellsText(gameInfo, cells) });

const calledIn = ({ gameInfo, called }: About, side: Side): string => called?.(side) ?? sideName(gameInfo, side);

/** The lines of the opponent that a reason speaks of. */
const linesOf = ({ lines }: { lines?: string[][] }, mover: Side | undefined): Partial<Sentence> =>
  lines?.length && mover ? { lines, side: other(mover) } : {};

/** What the bounds of a score say about who wins. */
function unprovenText(lower: number, upper: number, role: Role | undefined): string {
  if (lower > 0) return t(addressed('why.unproven-win', role));
  if (upper < 0) return t(addressed('why.unproven-loss', role));
  return t(lower === 0 ? 'why.unproven-not-lost' : upper === 0 ? 'why.unproven-not-won' : 'why.unproven');
}

/** The sentence of a reason; none for facts that are shown in another way or are not known here. */
export function sentence(reason: Reason, about: About): Sentence | undefined {
  const { gameInfo, you } = about;
  const role = roleOf(about.mover, you);
  const move = lineText({ ...about, line: [about.move] });
  const run = size(about.game)?.run ?? gameInfo.size.run.usual;
  const only = (text: string, at: string[] = []): Sentence => ({ text, cells: at });
  switch (reason.reason) {
    case 'random':
      return only(tn('why.random', about.candidates, { move }));
    case 'choice-index':
      return only(t('why.choice-index'));
    case 'careless':
      return only(t('why.slip', { name: about.name ?? t('against.program') }));
    case 'opening':
    case 'centre':
    case 'corner':
    case 'side':
    case 'all-lose':
      return only(t(`why.${reason.reason}`));
    case 'win':
      return only(t('why.wins', { n: numberText(run) }));
    case 'block':
      return only(t(addressed('why.stops', role), { n: numberText(run - 1) }));
    case 'join':
      return only(reason.length <= 1 ? t('why.three-none') : t('why.three', { n: numberText(reason.length) }));
    case 'minimax':
      return only(expectedText(about));
    case 'proven':
      return only(provenText(reason, role));
    case 'evaluation':
      return undefined;
    case 'corridors': {
      const counted = reason.terms.filter(({ count }) => count !== 0);
      const terms = counted.map(
        ({ name, count, weight }) => `${termName(name)} ${formatNumber(count)} × ${formatNumber(weight)}`,
      );
      return only(
        t(addressed('why.corridors', roleOf(reason.side, you)), {
          side: calledIn(about, reason.side),
          value: reason.value,
          terms: terms.join(', '),
        }),
      );
    }
    case 'line': {
      const { side, cells } = reason;
      return only(
        t(addressed('why.line', roleOf(side, you)), {
          side: calledIn(about, side),
          n: cells.length,
          cells: cellsText(gameInfo, cells),
        }),
        cells,
      );
    }
    case 'unproven':
      return only(unprovenText(reason.lower, reason.upper, role));
    case 'book':
      return only(tn('why.book', reason.depth));
    case 'solved':
      return solved(reason, about);
    case 'forced':
      return only(t('why.forced', { line: thenText({ ...about, line: reason.moves }) }));
    case 'second-best': {
      // What is only estimated stays out.
      const line = thenText({ ...about, line: reason.moves.slice(0, EXPECTED) });
      if (reason.proven) return only(t('why.second-best', { line, verdict: resultText(reason.proven, role) }));
      const less = formatList(reason.changes.filter(({ points }) => points > 0).map(({ term }) => termName(term)));
      return only(less ? t('why.second-best-less', { line, less }) : t('why.second-best-only', { line }));
    }
    case 'answer':
      return {
        ...only(
          t(addressed('why.stops-at', role), { n: numberText(run - 1), cells: cellsText(gameInfo, reason.cells) }),
          reason.cells,
        ),
        ...linesOf(reason, about.mover),
      };
    case 'double-threat':
      return { ...only(doubleText(gameInfo, reason.cells), reason.cells), side: about.mover };
    case 'cannot-answer':
      return {
        ...only(t(addressed('why.cannot-answer', role), { cells: cellsText(gameInfo, reason.cells) }), reason.cells),
        ...linesOf(reason, about.mover),
      };
    case 'threat':
      return {
        ...only(t(addressed('why.threat', role), { cells: cellsText(gameInfo, reason.cells) }), reason.cells),
        side: about.mover,
      };
    default:
      // A newer server may give reasons that this page does not know.
      return undefined;
  }
}

function solved(fact: SolverFact, about: About): Sentence | undefined {
  const { gameInfo, you } = about;
  const role = roleOf(about.mover, you);
  switch (fact.fact) {
    case 'completes-four':
      return { text: t('fact.completes-four', { cells: cellSpoken(gameInfo, fact.cell) }), cells: [fact.cell] };
    case 'blocks':
      return { text: t(addressed('why.takes', role), { cells: cellSpoken(gameInfo, fact.cell) }), cells: [fact.cell] };
    case 'cannot-block':
      return {
        text: t(addressed('fact.cannot-block', role), { cells: cellsText(gameInfo, fact.cells) }),
        cells: fact.cells,
      };
    case 'makes-two-threats':
      return { text: doubleText(gameInfo, fact.cells), cells: fact.cells };
    case 'forced-plies':
      return { text: tn('fact.forced-plies', fact.plies), cells: [] };
    case 'standing':
      return {
        text: t(addressed('fact.standing', roleOf(fact.side, you)), threat(fact, about)),
        cells: [fact.cell],
      };
    case 'cannot-win':
      return {
        text: t(addressed('fact.cannot-win', roleOf(fact.side, you)), { side: calledIn(about, fact.side) }),
        cells: [],
      };
    case 'decides': {
      const winner = roleOf(fact.threat.side, you);
      const how = t(addressed(`decision.${fact.by}`, winner));
      return {
        text: t(addressed('fact.decides', winner), { ...threat(fact.threat, about), how }),
        cells: [fact.threat.cell],
      };
    }
    default:
      return undefined;
  }
}

const threat = ({ side, cell, parity }: SolverThreat, about: About): Values => ({
  side: calledIn(about, side),
  cells: cellSpoken(about.gameInfo, cell),
  row: t(`row.${parity}`),
});

/** What a program said about cells where a line can be completed, in one text. */
export function threatsIn(
  thought: Thought | null | undefined,
  about: Pick<About, 'game' | 'gameInfo' | 'view' | 'mover' | 'you' | 'called'>,
): string {
  if (!thought) return t('say.no-threats');
  const { move, candidates, line, reasons } = thought;
  const told = sentences(reasons, { ...about, move, candidates: candidates.length, line }).filter(
    ({ cells }) => cells.length,
  );
  return told.map(({ text }) => text).join(' ') || t('say.no-threats');
}

/** The moves of a line, each as it is listed. A piece is named by where it stands, or stands since it moved. */
export function lineTexts({ game, line, view }: Line): string[] {
  const kinds = new Map<string, string>(view && placed(view).map(({ cell, piece }) => [cell, piece.kind]));
  return line.map((move) => {
    const [, from, to] = /^([a-z]+\d+)([a-z]+\d+)$/.exec(move) ?? [];
    if (!from || !to) return moveText(game, move);
    const kind = kinds.get(from) ?? kinds.get(to);
    kinds.delete(from);
    if (kind) kinds.set(to, kind);
    return moveText(game, move, kind);
  });
}

/** Moves in a row as they are listed. */
export const lineText = (about: Line): string => lineTexts(about).join(' ');

/** Moves one after the other in a sentence: “4, then 3, then 5”. */
function thenText(about: Line): string {
  const [move = '', ...rest] = lineTexts(about);
  return rest.reduce((first, next) => t('why.then', { first, next }), move);
}

/** What a program expects: the beginning of its line. */
export const expectedText = (about: Line): string =>
  t('why.expects', { line: thenText({ ...about, line: about.line.slice(0, EXPECTED) }) });

/** Everything that a program said, as sentences. A proved result replaces the points that stand for it. */
export function sentences(reasons: Reason[], about: About): Sentence[] {
  const isProven = reasons.some(({ reason }) => reason === 'proven');
  return reasons.flatMap((reason) => (isProven && reason.reason === 'minimax' ? [] : (sentence(reason, about) ?? [])));
}

/** The reasons that people see on the board, the strongest first. All others are details of the search. */
const SEEN = [
  ['win', 'completes-four'],
  ['double-threat', 'makes-two-threats'],
  ['answer', 'block', 'blocks'],
  ['threat'],
  ['cannot-answer', 'cannot-block'],
  ['line', 'join'],
  ['choice-index'],
  ['centre', 'corner', 'side', 'opening'],
  ['careless', 'random'],
];
/** The most reasons that are shown at once. */
const MOST = 2;

const strength = (reason: Reason): number => {
  const name = reason.reason === 'solved' ? reason.fact : reason.reason;
  return SEEN.findIndex((names) => names.includes(name));
};

/** Why a move was made: what there is to see on the board, and what the search found. Only the first is shown unasked. */
export interface Explanation {
  seen: Sentence[];
  details: string[];
}

/** A careless move may still win, or have its merits: then it is no slip. */
const isSlip = (reasons: Reason[], { wins }: About): boolean =>
  !wins && reasons.every(({ reason }) => reason === 'careless');

/** `arrived` is the cell where the moved piece stands, which every reason shows. */
export function explanation(reasons: Reason[], about: About, arrived: string | undefined): Explanation {
  const visible = reasons.filter((reason) => strength(reason) >= 0).toSorted((a, b) => strength(a) - strength(b));
  const ranked = visible.filter(({ reason }) => reason !== 'careless' || isSlip(visible, about));
  const seen = ranked.flatMap((reason): Sentence[] => {
    const told = sentence(reason, about);
    return told ? [{ ...told, cells: [...new Set([...told.cells, ...(arrived ? [arrived] : [])])] }] : [];
  });
  // A sentence that says the same again is none.
  const first = seen.filter(({ text }, at) => seen.findIndex((other) => other.text === text) === at).slice(0, MOST);
  const details = sentences(
    reasons.filter((reason) => strength(reason) < 0),
    about,
  ).map(({ text }) => text);
  return { seen: first, details };
}

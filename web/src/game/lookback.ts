// The look back at a finished game: the move that decided it, what would have been better there, and why. All of it is
// read off the review of the game and the assessments of two of its positions.

import { api, localCore } from '../api';
import { t, type Key } from '../i18n.svelte';
import type { Assessment, Choice, GameResult, ReviewedMove, Side, Snapshot, Thought, View } from '../protocol';
import { read, write } from '../settings.svelte';
import { other, yourSide } from '../sides';
import { AHEAD, positionsAhead } from './ahead';
import { pieceAt, spot } from './cells';
import { infoOf } from './games.svelte';
import { momentSentence, momentsOf } from './moments';
import { calledAt, choiceSpoken, moveSpoken } from './phrases';
import { sentences } from './reasons';
import { directionOf, ordinal, type Standing } from './results';
import { chanceOf, provenOf, thoughtOf } from './verdicts';

/** The decisive move of a review, and whether it was the right one. */
export interface Turning {
  move: ReviewedMove;
  isRight: boolean;
}

/** A position of a finished game in which one move decided the result. */
export interface Moment extends Standing {
  /** The number of moves before it. */
  before: number;
  /** The move that was played, if it was wrong. */
  wrong: Choice | undefined;
  /** The one right move. */
  right: Choice;
  /** Lines that the winner was after, and the cells that they lack. */
  lines: string[][];
  needs: string[];
  /** The position, to play on from. */
  view: View;
  position: string;
  /** The answer to the wrong move. */
  reply: string | undefined;
  /** The position after it, and the one after the right move. */
  after: View | undefined;
  better: View;
  /** How the game went on from the position, and how it could have. */
  course: { played: string[]; better: string[] };
  /** What the players are called. */
  called: (side: Side) => string;
  /** What is known about the right move and about the answer to the wrong one. */
  known: { review: ReviewedMove; right: Assessment; reply: Assessment | undefined };
}

/** How long a position of a moment is assessed, in milliseconds. */
const TIME_MS = 400;
/** How long after the end of a game its review for the profile begins, in milliseconds. */
const LEARN_MS = 4_000;
/** From which expected result on a side was ahead. */
const ADVANTAGE = 0.35;
/** The reasons that say what a move does on the board. */
const FACTS = new Set([
  ...['win', 'block', 'answer', 'threat', 'double-threat'],
  ...['completes-four', 'blocks', 'cannot-block', 'makes-two-threats'],
]);

/** Whether there is such a moment to look for: not in games of a few moves, nor where none was won. */
export const mayTurn = ({ winner, reason }: GameResult, moves: number): boolean =>
  winner !== null && reason !== 'aborted' && moves >= 4;

/** How many moves away a loss is at least, if it is proven. */
const lossIn = ({ verdict }: ReviewedMove['played']): number => {
  if (verdict.kind === 'between') return verdict.most.result === 'loss' ? verdict.least.plies : Infinity;
  const proven = provenOf(verdict);
  return proven?.result === 'loss' ? proven.plies : Infinity;
};

/** The last move of the loser, if it left a line open that another move would have stopped. */
export function openIn(review: ReviewedMove[], winner: Side): ReviewedMove | undefined {
  const last = review.findLast(({ side }) => side !== winner);
  return last && lossIn(last.played) <= 2 && lossIn(last.best) > 2 ? last : undefined;
}

/** From how many moves on a proven loss is far: to defend was worth more than what had decided before. */
const FAR = 10;
/** How many moves a lost game could have lasted: not where the best move was not lost, which has a mark of its own. */
const couldLast = ({ best }: ReviewedMove): number =>
  provenOf(best.verdict) && lossIn(best) === Infinity ? 0 : lossIn(best);

/** Whether a move brought near a loss that was far; where that takes long to prove, nothing is proven of the best move. */
function hastens(move: ReviewedMove): boolean {
  const [near, far] = [lossIn(move.played), couldLast(move)];
  return near <= FAR && far >= FAR && far >= 2 * near;
}

/** How many moves longer a lost game would have lasted with the best move. */
const shortened = (move: ReviewedMove): number => Math.min(couldLast(move), 2 * FAR) - lossIn(move.played);

/** Of moves in a lost game, the one that shortened it most; the last of several. */
function hastiest(moves: ReviewedMove[]): ReviewedMove | undefined {
  const most = Math.max(...moves.map(shortened));
  return most >= 2 ? moves.findLast((move) => shortened(move) === most) : undefined;
}

/**
 * The last blunder of the loser, or the last result that it threw away; before it the move that brought the end near in a
 * game that would have lasted, and after it any line that it left open. Where there is none of them, a lesser mistake, or the
 * move that shortened a lost game most. For a reader who won, the move that made use of it. None if no other move of the
 * loser would have been better, or would have lasted longer.
 */
export function turningOf(
  review: ReviewedMove[],
  winner: Side | null | undefined,
  you: Side | undefined,
): Turning | undefined {
  if (!winner) return undefined;
  const own = review.filter(({ side }) => side !== winner);
  const fault =
    own.findLast((move) => hastens(move) || /^(blunder|throws)/.test(move.mark ?? '')) ??
    openIn(review, winner) ??
    own.findLast(({ mark }) => mark === 'mistake') ??
    hastiest(own) ??
    own.findLast(({ mark }) => mark);
  if (!fault) return undefined;
  if (you !== winner) return { move: fault, isRight: false };
  const use = review.find(({ number }) => number === fault.number + 1);
  return use && { move: use, isRight: true };
}

/** Finds the moment of a finished game, if it has one. */
export async function findMoment(table: Snapshot): Promise<Moment | undefined> {
  const { result, moves, settings, you, view } = table;
  // What the game says about its reader; without the core the page Improve learns it later.
  if (localCore())
    setTimeout(
      () => void import('../improve/learn').then(({ learnFrom }) => learnFrom(table)).catch(() => {}),
      LEARN_MS,
    );
  if (!result || !mayTurn(result, moves.length)) return undefined;
  const after = (count: number) => ({
    game: settings.game,
    position: settings.position,
    moves: moves
      .slice(0, count)
      .map(({ move }) => move)
      .join(' '),
  });
  const reviewed: ReviewedMove[] = [];
  const [plies] = await Promise.all([
    api.positions(after(moves.length)),
    api.review(after(moves.length), (move) => reviewed.push(move)),
  ]);
  const reader = yourSide({ you });
  const turning = turningOf(reviewed, result.winner, reader);
  if (!turning) return undefined;
  const { number, side, best, played } = turning.move;
  const step = plies[number - 1]!;
  const choice = (move: string): Choice | undefined => step.legal.find((choice) => choice.move === move);
  const right = choice(turning.isRight ? played.move : best.move);
  if (!right) return undefined;
  const open = result.reason === 'rules' && result.winner ? openIn(reviewed, result.winner) : undefined;
  const missed = open && open.number > number ? open : undefined;
  const goesOn = !turning.isRight && number < moves.length;
  const [known, reply, better] = await Promise.all([
    api.analysis(after(number - 1), 1, TIME_MS),
    goesOn ? api.analysis(after(number), 1, TIME_MS) : undefined,
    positionsAhead(after(number - 1), [right.move]),
  ]);
  const line = known.moves[0]?.line ?? [];
  const threatened = (known.reasons ?? []).flatMap((reason) => ('lines' in reason ? (reason.lines ?? []) : []));
  const won = view.line ?? [];
  const lines = turning.isRight ? (won.length ? [won] : []) : distinct([...threatened, ...(won.length ? [won] : [])]);
  const double = (reply?.reasons ?? []).flatMap((reason) =>
    reason.reason === 'double-threat' || (reason.reason === 'solved' && reason.fact === 'makes-two-threats')
      ? reason.cells
      : [],
  );
  const proven = provenOf(best.verdict);
  const chance = chanceOf(best.verdict);
  return {
    before: number - 1,
    side,
    nth: reviewed.filter((move) => move.side === side && move.number <= number).length,
    reader,
    called: calledAt(table),
    missed: missed && plies[missed.number - 1]!.legal.find(({ move }) => move === missed.best.move),
    wrong: turning.isRight ? undefined : choice(played.move),
    right,
    stood: proven?.result === 'draw' || Math.abs(chance) < ADVANTAGE ? 'level' : chance > 0 ? 'ahead' : undefined,
    lines: lines.slice(0, 2),
    needs: [...new Set([...lines.slice(0, 2).flat(), ...double])],
    view: step.view,
    position: step.position,
    reply: goesOn ? moves[number]!.move : undefined,
    after: goesOn ? plies[number + 1]?.view : undefined,
    better: better[0]!.view,
    course: {
      played: moves.slice(number - 1, number - 1 + AHEAD).map(({ move }) => move),
      better: line[0] === right.move ? line : [right.move],
    },
    known: { review: turning.move, right: known, reply },
  };
}

/** The moments found lately. Where their type changes, so must this name: an older page may have stored them. */
const STORED = 'alinea.moments';
const MOST = 5;
/** The moment of a game as its end shows it. */
export interface Seen {
  moment: Moment;
  /** Whether the headline speaks of it: not where it came later. */
  said: boolean;
  /** Keeps it for who comes back to the game or loads the page anew; `said` is true where it was in time for the headline. */
  keep: (said: boolean) => void;
}
type Kept = Omit<Moment, 'called'> & { said: boolean };

/** The moment of a finished game, if it has one, as it was seen before where it was. */
export async function lookBack(table: Snapshot): Promise<Seen | undefined> {
  const all = read<[string, Kept][]>(STORED) ?? [];
  const kept = all.find(([id]) => id === table.table)?.[1];
  if (kept) return { moment: { ...kept, called: calledAt(table) }, said: kept.said, keep: () => {} };
  const moment = await findMoment(table);
  const keep = (said: boolean): void => write(STORED, [[table.table, { ...moment, said }], ...all].slice(0, MOST));
  return moment && { moment, said: true, keep };
}

function distinct(lines: string[][]): string[][] {
  const seen = new Set<string>();
  return lines.filter((line) => {
    const name = line.toSorted().join();
    return !seen.has(name) && seen.add(name);
  });
}

const upper = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);

/** Which move would have been right: “Column 4 was the move”. */
export const rightWas = (game: string, { right }: Moment): string =>
  upper(t('moment.was', { move: choiceSpoken(game, right) }));

/** The move that won, as the beginning of a text: “Column 4.” */
export const rightIs = (game: string, { right }: Moment): string => `${upper(choiceSpoken(game, right))}.`;

/** What the right move does, in sentences: what it closes or makes on the board, then the result that it keeps. */
export function whyRight(game: string, moment: Moment, line: string[]): string {
  const { lines, right, known, side, wrong, view } = moment;
  const proven = provenOf(wrong ? known.review.best.verdict : known.review.played.verdict);
  // A line that was not begun is not blocked yet.
  const begun = line.filter((cell) => pieceAt(view, spot(cell))?.side === other(side)).length >= 2;
  const closes = wrong && begun && line.includes(right.to) && lines.some((each) => each.includes(right.to));
  const fact = closes
    ? t(`moment.closes-${directionOf(line).replace(/rising|falling/, 'diagonal')}` as Key)
    : factOf(game, thoughtOf(known.right), side, moment);
  const isLost = wrong && lossIn(known.review.played) < Infinity && (!proven || proven.result === 'loss');
  const kept = proven && proven.result !== 'loss' ? t(`moment.keeps-${proven.result}`) : '';
  const keeps = isLost ? (fact ? '' : t('moment.lasts')) : kept;
  const only =
    !wrong &&
    known.right.final &&
    known.right.moves.filter(({ verdict }) => provenOf(verdict)?.result === 'win').length;
  return (
    [fact, only === 1 ? t('moment.only') : wrong ? keeps : ''].filter(Boolean).join(' ') ||
    [
      wrong && t(side === moment.reader ? 'moment.you-played' : 'moment.played', { move: choiceSpoken(game, wrong) }),
      momentOf(moment),
    ]
      .filter(Boolean)
      .join('. ')
  );
}

/** What the decisive move changed: “You throw away the win”. */
export const momentOf = ({ known, reader, called }: Moment): string =>
  momentsOf([known.review])
    .map((moment) => momentSentence(moment, called, reader))
    .join('');

/** The moment as it is read out. */
export function momentSpoken(game: string, moment: Moment, line: string[]): string {
  const { side, reader, wrong, right, called } = moment;
  const nth = ordinal(moment.nth);
  const isYours = side === reader;
  const [better, played] = [choiceSpoken(game, right), wrong && choiceSpoken(game, wrong)];
  return [
    isYours ? t('moment.before', { nth }) : t('moment.before-their', { name: called(side), nth }),
    played
      ? t(isYours ? 'moment.spoken' : 'moment.spoken-their', { played, better })
      : t('moment.spoken-right', { move: better }),
    whyRight(game, moment, line),
  ].join(' ');
}

/** What the answer to the wrong move made: “Zigzag plays column 2. It makes two threats at once: b3 and d4.” */
export function whatHappened(game: string, moment: Moment): string {
  const { reply, known, side, after, called } = moment;
  if (reply === undefined) return '';
  const expected = known.reply && known.reply.moves[0]?.move === reply;
  return [
    t('say.played', { name: called(other(side)), move: moveSpoken(game, reply, after) }),
    expected ? factOf(game, thoughtOf(known.reply!), other(side), moment) : '',
  ]
    .filter(Boolean)
    .join(' ');
}

/** The first reason of a thought that is a fact on the board. */
function factOf(
  game: string,
  thought: Thought | undefined,
  mover: Side,
  { reader: you, called }: Pick<Moment, 'reader' | 'called'>,
): string {
  const facts = (thought?.reasons ?? []).filter((reason) =>
    FACTS.has(reason.reason === 'solved' ? reason.fact : reason.reason),
  );
  const about = { game, gameInfo: infoOf(game), move: thought?.move ?? '', candidates: 1, line: thought?.line ?? [] };
  return sentences(facts, { ...about, mover, you, called })[0]?.text ?? '';
}

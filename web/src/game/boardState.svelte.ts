// The state of a board: what follows from the position, from what may be played and from the pointer. The parts of the
// board draw it.

import type { Snippet } from 'svelte';

import { formatNumber, t } from '../i18n.svelte';
import type { Choice, GameInfo, Piece, Side, View } from '../protocol';
import { seat } from '../sides';
import { BoardInput, type Movable, type Premovable } from './boardInput.svelte';
import { cellName, fallsNow, pieceAt, placed, spot, steady, type Spot } from './cells';
import type { Ending } from './ending.svelte';
import { Held } from './held.svelte';
import { canPick, columnName, isMoving, placement, targets } from './input';
import { layoutOf, left, top, type Arrow } from './layout';
import { isLarge, type Pane } from './pane.svelte';
import { pieceName } from './phrases';
import type { ColumnResult } from './verdicts';

/** The moment that decided a game, as it is drawn. */
export interface MomentMarks {
  /** Lines that one side was after, the cells that they lack, and that side. */
  lines: string[][];
  needs: string[];
  after: Side;
  /** The side to move, its right move, and the wrong one that was played. */
  side: Side;
  right: Choice;
  wrong?: Choice | undefined;
}

/** Lines of one side that are drawn from piece to piece, with the cells that they lack. */
export interface Links {
  lines: string[][];
  side: Side;
  /** Where not all empty cells of the lines are meant. */
  needs?: string[] | undefined;
}

/** Pieces of a line of play that could follow, numbered in their order. */
export interface Followed extends Piece {
  cell: string;
  n: number;
}

/** What the board shows while one points at a sentence or a line of play. */
export interface Pointed {
  /** The cells whose pieces stay bright while the others fade. */
  focus?: string[] | undefined;
  links?: Links | undefined;
  follows?: Followed[] | undefined;
  /** How many of them are played; the last one is ringed. */
  reached?: number | undefined;
}

/** What a page marks on the board. */
export interface Marks extends Pointed {
  /** The cells where to look. */
  lit?: string[];
  arrows?: Arrow[];
  /** How much a program thought of each cell that was free. */
  dials?: Map<string, number> | undefined;
  /** Lines that the side not to move could complete at once. */
  threats?: string[][];
  /** What to write over the columns. */
  results?: (ColumnResult | null)[] | undefined;
  moment?: MomentMarks | undefined;
}

/** The room above the board. */
export interface Rail {
  /** The side whose program thinks: its piece drifts along the rail. */
  thinking?: Side | undefined;
  ending?: Ending | undefined;
  /** What stands there instead of words. */
  tabs?: Snippet | undefined;
}

export interface BoardProps {
  gameInfo: GameInfo;
  view: View;
  /** The number of moves made, to know what to animate. */
  ply: number;
  label: string;
  flipped?: boolean;
  /** How a piece arrives: as in a game, quickly, or at once. */
  animation?: 'full' | 'quick' | 'none';
  movable?: Movable;
  premovable?: Premovable;
  marks?: Marks;
  /** What a narrow screen shows of a large board, and the move to be confirmed; without it the board scrolls. */
  pane?: Pane;
  rail?: Rail;
  /** The last piece has arrived and rests. */
  onsettled?: (ply: number) => void;
  /** What the board says: that a piece was picked, or why nothing can be played. */
  onsay?: (sentence: string, isRefusal: boolean) => void;
  /** Other keys while the board has the focus; true if it was handled. */
  onkey?: (event: KeyboardEvent) => boolean;
}

/** A cell as the grid names it. */
interface GridCell extends Spot {
  name: string;
  isCursor: boolean;
  isPicked: boolean;
}

/** The least size of a cell, in pixels: what a finger or a shaking hand can hit. A larger board scrolls. */
export const LEAST = 24;

const NONE: Choice[] = [];
const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

export class BoardState {
  /** The width of the drawing and of the room for it, in pixels. */
  width = $state(0);
  room = $state(0);
  readonly input = new BoardInput(this);
  readonly #steadyPieces = steady<Piece & { cell: string }>('cell');

  readonly rowsFromTop = $derived.by(() =>
    this.flipped && !this.gameInfo.falls ? upTo(this.rows) : upTo(this.rows).toReversed(),
  );
  readonly colsFromLeft = $derived.by(() => (this.flipped ? upTo(this.cols).toReversed() : upTo(this.cols)));
  readonly layout = $derived.by(() =>
    layoutOf(this.gameInfo, this.rows, this.cols, {
      flipped: this.flipped,
      rail: this.drops,
      tight: !this.isPart && this.room > 0 && this.room < (this.cols + 1.6) * LEAST,
      ...(this.width > 0 && { unit: this.width / (this.cols + 0.6) }),
    }),
  );
  /** Cells too small for a finger: it is shown what it points at, and asked before it counts. */
  readonly tiny = $derived.by(
    () => !this.gameInfo.falls && this.width > 0 && (this.isPart || (this.width * 100) / this.layout.width < 30),
  );
  /** Whether only a part of the board is shown. */
  readonly isPart = $derived.by(
    () => Boolean(this.given.pane) && !this.gameInfo.falls && isLarge(this.rows, this.cols, this.room),
  );
  /** How much of the board is out of sight; it may be some of its frame. */
  readonly spare = $derived(Math.max(0, this.width - this.room));
  readonly scrolls = $derived.by(() => this.spare > (2 * this.layout.pad * this.width) / this.layout.width + 1);

  readonly legal = $derived.by(() => this.given.movable?.legal ?? NONE);
  readonly #moving = $derived(isMoving(this.legal));
  readonly #kind = $derived.by(() => this.given.movable?.kind);
  /** Where the picked piece can go. */
  readonly dots = $derived(targets(this.legal, this.input.picked));
  /** The move that would be played, or is on its way. */
  readonly ghost = $derived.by((): Choice | undefined => {
    const { armed, finger, over } = this.input;
    const { pending, kind } = this.given.movable ?? {};
    if (pending) return pending;
    if (!finger && armed !== undefined) return this.armed;
    const at = finger ?? over;
    return at && !canPick(this.legal, cellName(at)) ? placement(this.gameInfo, this.legal, kind, at) : undefined;
  });
  readonly ghostPiece = $derived.by(
    (): Piece | undefined =>
      // In an opening, a player may place stones of either side.
      this.ghost && {
        side: this.view.opening?.stone ?? this.given.movable?.turn ?? this.view.turn,
        kind: this.ghost.kind,
      },
  );
  #kept: Piece | undefined;
  /** The same, kept unseen while there is none: to draw a piece anew takes longer than to move it. */
  readonly keptPiece = $derived.by(() => (this.#kept = this.ghostPiece ?? this.#kept));
  /** The column under the pointer, where a piece would fall into it. */
  readonly hoverColumn = $derived.by(() =>
    this.drops && !this.#moving && this.legal.length && !this.given.movable?.pending ? this.input.over?.col : undefined,
  );

  /** From the far side of the board to the near one, as they cover each other. */
  readonly pieces = $derived.by(() => {
    const all = this.#steadyPieces(placed(this.view).map(({ cell, piece }) => ({ cell, ...piece })));
    return this.flipped && !this.gameInfo.falls ? all.toReversed() : all;
  });
  /** The line that won. */
  readonly winning = $derived.by(() => new Set(this.view.line ?? []));
  readonly end = $derived.by((): Ending | undefined => {
    const ending = this.given.rail?.ending;
    return this.view.line ? (ending ?? { mood: 'win', drawn: true, moves: false }) : ending;
  });
  /** Whether the line that won is drawn. */
  readonly isLineDrawn = $derived.by(() => Boolean(this.view.line && this.view.line.length > 1 && this.end?.drawn));
  /** Where the chosen next move would land as the board is now. */
  readonly premoved = $derived.by((): { at: Spot; piece: Piece } | undefined => {
    const { side, chosen } = this.given.premovable ?? {};
    if (!side || !chosen) return undefined;
    const { col, row: chosenRow } = chosen.at;
    const row =
      this.drops && !chosen.from ? upTo(this.rows).find((row) => !pieceAt(this.view, { col, row })) : chosenRow;
    if (row === undefined) return undefined;
    const piece = chosen.from
      ? pieceAt(this.view, spot(chosen.from))
      : { side, kind: chosen.kind ?? this.gameInfo.sides[seat(side)].emblem };
    return piece ? { at: { col, row }, piece } : undefined;
  });

  readonly lit = $derived.by(() => new Set(this.marks.lit));
  readonly focus = $derived.by(() => this.marks.focus && new Set(this.marks.focus));
  /** Where a piece would arrive if its cell, or its column, were chosen. */
  readonly #landings = $derived.by(() => {
    const wanted = this.#kind;
    const placing = ({ from, kind }: Choice): boolean => from === undefined && (!wanted || kind === wanted);
    return new Set((this.#moving ? this.dots : this.legal.filter(placing)).map(({ to }) => to));
  });
  /** The cells as they are read out, by rows from the top. */
  readonly #names = $derived.by(() => {
    const nameOf = this.#namer();
    return this.rowsFromTop.map((row) => this.colsFromLeft.map((col) => nameOf({ col, row }, cellName({ col, row }))));
  });
  #before: GridCell[][] = [];
  /** With what the pointer and the keys do there. Cells and rows stay the same objects while nothing about them changes. */
  readonly grid = $derived.by(() => {
    const { cursor, picked } = this.input;
    return (this.#before = this.rowsFromTop.map((row, r) => {
      const before = this.#before[r];
      const cells = this.colsFromLeft.map((col, c): GridCell => {
        const name = this.#names[r]![c]!;
        const isCursor = cursor.col === col && cursor.row === row;
        const isPicked = picked !== undefined && picked === cellName({ col, row });
        const old = before?.[c];
        const isOld = old?.name === name && old.isCursor === isCursor && old.isPicked === isPicked;
        return isOld ? old : { col, row, name, isCursor, isPicked };
      });
      return before?.length === cells.length && cells.every((cell, c) => cell === before[c]) ? before : cells;
    }));
  });

  readonly #rows: Held<number>;
  readonly #cols: Held<number>;
  readonly #drops: Held<boolean>;

  /** `given` is read anew with each use. */
  constructor(readonly given: BoardProps) {
    this.#rows = new Held(() => this.view.rows);
    this.#cols = new Held(() => this.view.cols);
    this.#drops = new Held(() => fallsNow(this.gameInfo, this.view));
  }

  get rows(): number {
    return this.#rows.value;
  }

  get cols(): number {
    return this.#cols.value;
  }

  /** Whether pieces fall into columns now. */
  get drops(): boolean {
    return this.#drops.value;
  }

  /** The move that waits to be chosen once more. */
  get armed(): Choice | undefined {
    return this.legal.find(({ move }) => move === this.input.armed);
  }

  get view(): View {
    return this.given.view;
  }

  get gameInfo(): GameInfo {
    return this.given.gameInfo;
  }

  get flipped(): boolean {
    return this.given.flipped ?? false;
  }

  get marks(): Marks {
    return this.given.marks ?? {};
  }

  /** Where a cell is in the drawing. */
  readonly place = (at: Spot): string => `translate(${left(this.layout, at)} ${top(this.layout, at)})`;

  /** Names cells as they are read out. What all of them share is looked up once: this runs with every move. */
  #namer(): (at: Spot, cell: string) => string {
    const { view, gameInfo, winning, drops } = this;
    const { picked } = this.input;
    const { dials } = this.marks;
    const landings = this.#landings;
    const [empty, legal] = [t('board.empty'), t('board.legal')];
    const columns = upTo(this.cols).map((col) => t('board.column', { column: columnName(gameInfo, col) }));
    const fouls = new Map(view.forbidden?.map(({ cell, foul }) => [cell, t('foul.cell', { foul: t(`foul.${foul}`) })]));
    return (at, cell) => {
      const piece = pieceAt(view, at);
      const parts = [cell, piece ? pieceName(gameInfo, piece) : (fouls.get(cell) ?? empty)];
      if (winning.has(cell)) parts.push(t('board.winning'));
      else if (view.last.includes(cell)) parts.push(t('board.last'));
      if (picked === cell) parts.push(t('board.picked'));
      else if (landings.has(cell)) parts.push(legal);
      else if (!piece && drops) parts.push(columns[at.col]!);
      const index = dials?.get(cell);
      if (index !== undefined) parts.push(formatNumber(index));
      return parts.join(', ');
    };
  }
}

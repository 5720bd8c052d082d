// What fingers, mouse and keys do on a board: where the cursor is, what is picked, what waits to be confirmed. The board
// draws this state and says what may be played; it reports a chosen move and plays nothing itself.

import { t } from '../i18n.svelte';
import type { Choice, GameInfo, Side, View } from '../protocol';
import { cellName, pieceAt, type Spot } from './cells';
import { act, isMoving, targets } from './input';
import { pieceName } from './phrases';

/** A move chosen before the opponent has moved: whether it is legal is known later. */
export interface Premove {
  from?: string | undefined;
  at: Spot;
  kind?: string | undefined;
}

/** What the reader may play now, and how it is chosen. */
export interface Movable {
  legal: Choice[];
  /** The kind of piece to place, where there are several. */
  kind?: string | undefined;
  /** Whether a move has to be chosen twice. */
  confirm?: boolean;
  /** A move on its way to the server. */
  pending?: Choice | undefined;
  /** Whose move it is, where the picture is still behind the game. */
  turn?: Side | undefined;
  onmove?: (choice: Choice) => void;
}

/** The side that may choose its next move already, and what it chose. */
export interface Premovable {
  side: Side | undefined;
  chosen: Premove | undefined;
  onchoose: (premove: Premove | undefined) => void;
}

/** The board as it is now. */
interface Board {
  readonly given: {
    view: View;
    gameInfo: GameInfo;
    flipped?: boolean;
    movable?: Movable;
    premovable?: Premovable;
    onsay?: (sentence: string, isRefusal: boolean) => void;
    onkey?: (event: KeyboardEvent) => boolean;
  };
  readonly legal: Choice[];
  /** Whether pieces fall into columns now. */
  readonly drops: boolean;
  /** Whether cells are too small for a finger: it is shown what it points at, and asked before it counts. */
  readonly tiny: boolean;
}

const SHAKE_MS = 160;
/** How long after a finger has left a click may come. */
const TAP_MS = 400;

/** The spot of the cell that an event happened on. */
function spotOf(target: EventTarget | null): Spot | undefined {
  const cell = (target as Element | null)?.closest?.('[data-spot]');
  if (!(cell instanceof HTMLElement)) return undefined;
  const [col, row] = cell.dataset['spot']!.split(',').map(Number);
  return { col: col!, row: row! };
}

export class BoardInput {
  /** The cell that holds the focus of the board. */
  cursor = $state.raw<Spot>({ col: 0, row: 0 });
  /** The cell under the pointer or the keys. */
  over = $state<Spot>();
  picked = $state<string>();
  /** The move that waits to be chosen once more. */
  armed = $state<string>();
  shaken = $state<string>();
  /** Where a finger is that cannot see what it covers. */
  finger = $state<Spot>();
  /** The element whose cells take the focus. */
  grid!: HTMLElement;
  #dragFrom: Spot | undefined;
  #tapped = false;
  #tappedAt = -Infinity;

  constructor(private readonly board: Board) {}

  /** A new position: what was picked or chosen on the old one means nothing any more. */
  forget(): void {
    this.picked = undefined;
    this.armed = undefined;
    this.finger = undefined;
  }

  /** Brings the cursor back onto a board of another size. */
  centre(): void {
    const { view, gameInfo } = this.board.given;
    this.cursor = { col: Math.floor((view.cols - 1) / 2), row: gameInfo.falls ? 0 : Math.floor((view.rows - 1) / 2) };
  }

  choose(at: Spot): void {
    const { legal, drops, tiny } = this.board;
    const { view, gameInfo, movable, premovable, onsay } = this.board.given;
    this.#point(at);
    const cell = cellName(at);
    if (!legal.length || movable?.pending) {
      if (premovable?.side) this.#plan(at, premovable.side, premovable);
      else onsay?.(t(view.outcome ? 'refuse.over' : 'refuse.not-now'), true);
      return;
    }
    const ways = targets(legal, cell);
    const leaves = ways.some(({ to }) => to === cell);
    if (this.picked === cell && !leaves) {
      this.picked = undefined;
      return;
    }
    const intent = act(gameInfo, view, legal, movable?.kind, this.picked, at);
    if ('pick' in intent) {
      this.picked = intent.pick;
      this.armed = undefined;
      const piece = pieceAt(view, at);
      onsay?.(
        t(leaves ? 'say.picked-out' : 'say.picked', {
          piece: piece ? pieceName(gameInfo, piece) : '',
          cell,
          n: ways.length,
        }),
        false,
      );
    } else if ('refused' in intent) {
      this.shaken = drops && !isMoving(legal) ? `${at.col}` : cell;
      // Counted from the frame after the one that begins it: a slow browser would not show it at all.
      const end = (): unknown => setTimeout(() => (this.shaken = undefined), SHAKE_MS);
      requestAnimationFrame(() => requestAnimationFrame(end));
      onsay?.(t(intent.refused.key, intent.refused.values), true);
    } else if ((movable?.confirm || (tiny && this.#tapped)) && this.armed !== intent.move.move) {
      this.armed = intent.move.move;
      onsay?.(t('say.confirm', { cell: intent.move.to }), false);
    } else {
      this.play(intent.move);
    }
  }

  play(choice: Choice): void {
    this.board.given.movable?.onmove?.(choice);
    this.picked = undefined;
    this.armed = undefined;
    this.over = undefined;
  }

  /** Chooses the next move before the opponent has moved; once more takes it back. */
  #plan(at: Spot, side: Side, { chosen, onchoose }: Premovable): void {
    const { view, gameInfo, movable, onsay } = this.board.given;
    const cell = cellName(at);
    if (chosen) return onchoose(undefined);
    if (this.board.drops) return onchoose({ at, kind: movable?.kind });
    if (gameInfo.phases.length > 1) {
      if (this.picked === undefined) {
        if (pieceAt(view, at)?.side === side) this.picked = cell;
        else onsay?.(t('refuse.pick-own'), true);
        return;
      }
      if (this.picked !== cell) onchoose({ from: this.picked, at });
      this.picked = undefined;
      return;
    }
    if (pieceAt(view, at)) onsay?.(t('refuse.cell-taken', { cell }), true);
    else onchoose({ at, kind: movable?.kind });
  }

  /** A press focuses a cell, then chooses it: the second time nothing has changed. */
  #point(at: Spot): void {
    if (at.col !== this.cursor.col || at.row !== this.cursor.row) this.cursor = at;
  }

  #steer(dx: number, dy: number): void {
    const { view, gameInfo, flipped } = this.board.given;
    const [right, up] = [flipped ? -dx : dx, flipped && !gameInfo.falls ? -dy : dy];
    const within = (at: number, count: number): number => Math.max(0, Math.min(count - 1, at));
    this.cursor = { col: within(this.cursor.col + right, view.cols), row: within(this.cursor.row + up, view.rows) };
    this.over = this.cursor;
    this.grid.querySelector<HTMLElement>(`[data-spot="${this.cursor.col},${this.cursor.row}"]`)?.focus();
  }

  readonly onkeydown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { view, premovable, onkey } = this.board.given;
    const keys: Record<string, () => void> = {
      ArrowLeft: () => this.#steer(-1, 0),
      ArrowRight: () => this.#steer(1, 0),
      ArrowUp: () => this.#steer(0, 1),
      ArrowDown: () => this.#steer(0, -1),
      Home: () => this.#steer(-view.cols, 0),
      End: () => this.#steer(view.cols, 0),
      Enter: () => this.choose(this.cursor),
      ' ': () => this.choose(this.cursor),
    };
    if (event.key === 'Escape' && (this.picked !== undefined || this.armed !== undefined || premovable?.chosen)) {
      this.picked = undefined;
      this.armed = undefined;
      if (premovable?.chosen) premovable.onchoose(undefined);
    } else if (event.key === 'End' && onkey?.(event)) {
      // After a game it goes to its end.
    } else if (!event.shiftKey && event.key in keys) {
      keys[event.key]!();
    } else if (!onkey?.(event)) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  readonly onclick = (event: MouseEvent): void => {
    const at = spotOf(event.target);
    // A tap has chosen already: the click that follows belongs to it.
    if (at && event.timeStamp - this.#tappedAt > TAP_MS) this.choose(at);
  };

  readonly onpointermove = (event: PointerEvent): void => {
    if (event.pointerType !== 'touch') this.over = spotOf(event.target);
    else if (this.finger) this.finger = spotOf(this.#under(event)) ?? this.finger;
  };

  readonly onpointerleave = (): void => {
    this.over = undefined;
  };

  readonly onpointercancel = (): void => {
    this.finger = undefined;
  };

  readonly onpointerdown = (event: PointerEvent): void => {
    const { legal, tiny } = this.board;
    const at = spotOf(event.target);
    this.#tapped = event.pointerType === 'touch';
    this.#dragFrom = isMoving(legal) ? at : undefined;
    if (this.#tapped && tiny && legal.length && !isMoving(legal) && at) {
      this.finger = at;
      this.grid.setPointerCapture?.(event.pointerId);
    }
  };

  readonly onpointerup = (event: PointerEvent): void => {
    if (this.finger) {
      const at = this.finger;
      this.finger = undefined;
      this.#tappedAt = event.timeStamp;
      return this.choose(at);
    }
    const start = this.#dragFrom;
    this.#dragFrom = undefined;
    // To ask what lies there takes time with every press.
    const end = start && spotOf(this.#under(event));
    if (!end || cellName(start) === cellName(end)) return;
    const dragged = this.board.legal.find(({ from, to }) => from === cellName(start) && to === cellName(end));
    if (dragged) this.play(dragged);
  };

  /** What lies under a pointer, also inside an embedded board. */
  #under({ clientX, clientY }: PointerEvent): Element | null {
    return (this.grid.getRootNode() as Document | ShadowRoot).elementFromPoint(clientX, clientY);
  }

  readonly onfocusin = ({ target }: FocusEvent): void => {
    const at = spotOf(target);
    if (at) this.#point(at);
  };

  readonly onfocusout = ({ relatedTarget }: FocusEvent): void => {
    if (!this.grid.contains(relatedTarget as Node | null)) this.over = undefined;
  };
}

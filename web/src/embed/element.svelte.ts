// `<alinea-board>`: a board for pages of others, in one file. docs/how-to/embed-a-board.md describes it.

import { mount, unmount } from 'svelte';

import css from '../app.css?inline';
import { loadGames } from '../game/games.svelte';
import { languageOf, useLanguage } from '../i18n.svelte';
import EmbeddedBoard from './EmbeddedBoard.svelte';
import { EmbeddedGame, type Mode } from './game.svelte';

const MODES: readonly Mode[] = ['read', 'play', 'analyse'];
const THEMES = ['neon', 'light', 'colour-safe'];

/** Words and games, once for all boards of a page. */
let ready: Promise<unknown> | undefined;
const prepare = (): Promise<unknown> =>
  (ready ??= Promise.all([
    useLanguage([document.documentElement.lang, ...navigator.languages].map(languageOf).find(Boolean) ?? 'en', false),
    loadGames(),
  ]));

export class AlineaBoard extends HTMLElement {
  static readonly observedAttributes = ['game', 'moves', 'position', 'mode', 'opponent', 'side', 'theme'];

  readonly #game = new EmbeddedGame((event, detail) =>
    this.dispatchEvent(new CustomEvent(event, { detail, bubbles: true, composed: true })),
  );
  readonly #props = $state({ shown: this.#game, theme: 'neon' });
  #board: Record<string, unknown> | undefined;
  #isAwaited = false;

  connectedCallback(): void {
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`${css} :host { display: block; }`);
    root.adoptedStyleSheets = [sheet];
    this.#read();
    void prepare().then(() => {
      if (this.isConnected) this.#board ??= mount(EmbeddedBoard, { target: root, props: this.#props });
    });
  }

  disconnectedCallback(): void {
    this.#game.leave();
    if (this.#board) void unmount(this.#board);
    this.#board = undefined;
  }

  attributeChangedCallback(name: string): void {
    if (!this.isConnected) return;
    if (name === 'theme') return void (this.#props.theme = this.#theme());
    // Several attributes that change at once are one change.
    if (this.#isAwaited) return;
    this.#isAwaited = true;
    queueMicrotask(() => {
      this.#isAwaited = false;
      if (this.isConnected) this.#read();
    });
  }

  /** The moves made so far, also those of the reader. */
  get moves(): string {
    return this.#game.moves.join(' ');
  }

  set moves(moves: string) {
    this.setAttribute('moves', moves);
  }

  /** Plays a move as if the reader had made it; rejects what is not legal. */
  play(move: string): Promise<void> {
    return this.#game.play(move);
  }

  takeBack(): void {
    this.#game.takeBack();
  }

  /** Shows the position after this many moves. */
  show(ply: number): void {
    this.#game.show(ply);
  }

  #theme(): string {
    const theme = this.getAttribute('theme') ?? '';
    if (THEMES.includes(theme)) return theme;
    return matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'neon';
  }

  #read(): void {
    const mode = this.getAttribute('mode') as Mode;
    this.#props.theme = this.#theme();
    this.#game.mode = MODES.includes(mode) ? mode : 'read';
    this.#game.opponent = this.getAttribute('opponent') ?? 'level:3';
    this.#game.side = this.getAttribute('side') === 'second' ? 'second' : 'first';
    void this.#game.load(
      this.getAttribute('game') ?? 'connect-four',
      this.getAttribute('position') ?? '',
      this.getAttribute('moves') ?? '',
    );
  }
}

customElements.define('alinea-board', AlineaBoard);

// What the reader has chosen for this browser: theme, sound, movement, keys. Kept from visit to visit.

export type Theme = 'system' | 'neon' | 'light' | 'colour-safe';
export const THEMES: readonly Theme[] = ['system', 'neon', 'light', 'colour-safe'];

export interface Chosen {
  theme: Theme;
  sound: boolean;
  /** Whether pieces fall and slide. */
  motion: boolean;
  /** How long programs wait before their move is shown. */
  pace: 'slow' | 'natural' | 'instant';
  /** Whether the page shows who is winning where that is allowed; undefined until it is chosen. */
  evaluate: boolean | undefined;
  /** Whether that was offered: once, after the first loss. */
  eyeOffered: boolean;
  /** Whether reactions of players are shown over the board. */
  reactions: boolean;
  /** Whether single letters act while the board has the focus. */
  letters: boolean;
  /** Whether an arrow shows the best move while a position is evaluated. */
  arrows: boolean;
  /** Whether a move has to be confirmed; `auto` does so in rated games on touch screens. */
  confirm: 'auto' | 'never' | 'always';
  /** Whether to warn before a move that completes a line for the other side. */
  guard: boolean;
}

const USUAL: Chosen = {
  theme: 'system',
  sound: true,
  motion: true,
  pace: 'natural',
  evaluate: undefined,
  eyeOffered: false,
  reactions: true,
  letters: true,
  arrows: true,
  confirm: 'auto',
  guard: true,
};
const STORED = 'alinea.settings';

// Asked once: every new question lets the browser compute all styles first.
const lightColours = matchMedia('(prefers-color-scheme: light)');
const lessMotion = matchMedia('(prefers-reduced-motion: reduce)');

function stored(): Partial<Chosen> {
  return read<Partial<Chosen>>(STORED) ?? {};
}

export const settings: Chosen = $state({ ...USUAL, ...stored() });

export function change(part: Partial<Chosen>): void {
  Object.assign(settings, part);
  write(STORED, { ...settings });
  showLooks();
}

export function toggleArrows(): void {
  change({ arrows: !settings.arrows });
}

/** The theme in use, with the wish of the system resolved. */
export function activeTheme(): Exclude<Theme, 'system'> {
  if (settings.theme !== 'system') return settings.theme;
  return lightColours.matches ? 'light' : 'neon';
}

function showLooks(): void {
  document.documentElement.dataset['theme'] = activeTheme();
  document.documentElement.toggleAttribute('data-still', !moves());
}

/** Shows the page as it was chosen, and as the system wishes from now on. */
export function startAppearance(): void {
  showLooks();
  for (const wish of [lightColours, lessMotion]) wish.addEventListener('change', showLooks);
}

/** Whether pieces may move on the screen. */
export function moves(): boolean {
  return settings.motion && !lessMotion.matches;
}

/** What this browser remembers under a name; nothing if it is not allowed to, or it makes no sense. */
export function read<T>(name: string): T | null {
  try {
    const text = localStorage.getItem(name);
    return text === null ? null : (JSON.parse(text) as T);
  } catch {
    return null;
  }
}

export function write(name: string, value: unknown): void {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // A browser that does not let us remember is no reason not to play.
  }
}

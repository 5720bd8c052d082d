// Short messages: what is shown for a moment, and what screen readers are told.

export interface Toast {
  id: number;
  text: string;
  bad: boolean;
}

const SHOWN_MS = 5_000;

let next = 0;
let toasts = $state.raw<Toast[]>([]);
let polite = $state('');
let urgent = $state('');

export const shownToasts = (): Toast[] => toasts;
export const politeText = (): string => polite;
export const urgentText = (): string => urgent;

/** A time of zero keeps it until it is closed. */
export function toast(text: string, bad = false, forMs = SHOWN_MS): void {
  const id = ++next;
  toasts = [...toasts.slice(-2), { id, text, bad }];
  if (forMs > 0) setTimeout(() => dismiss(id), forMs);
}

export function dismiss(id: number): void {
  toasts = toasts.filter((toast) => toast.id !== id);
}

/** What was said of another page is no longer true on this one. */
export function silence(): void {
  polite = urgent = '';
}

/** The same text twice would not be read again, so it gets a space. */
const renewed = (before: string, text: string): string => (before === text ? `${text}\u00a0` : text);

export function announce(text: string, how: 'polite' | 'urgent' = 'polite'): void {
  if (how === 'polite') polite = renewed(polite, text);
  else urgent = renewed(urgent, text);
}

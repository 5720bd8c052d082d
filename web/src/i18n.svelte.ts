// What the page says, in the language of the reader. Keys are typed from the English words; only the
// words of the active language are loaded.

import type en from '../i18n/en.json';

export type Key = keyof typeof en;
type Words = Record<Key, string>;
/** Keys that come in plural forms, without the form: `moves` for `moves.one` and `moves.other`. */
export type PluralKey = { [K in Key]: K extends `${infer Stem}.other` ? Stem : never }[Key];
export type Values = Record<string, string | number>;

export const LANGUAGES = { en: 'English', es: 'Español', pt: 'Português', ca: 'Català' } as const;
export type Language = keyof typeof LANGUAGES;

const load: Record<Language, () => Promise<{ default: Words }>> = {
  en: () => import('../i18n/en.json'),
  es: () => import('../i18n/es.json'),
  pt: () => import('../i18n/pt.json'),
  ca: () => import('../i18n/ca.json'),
};

let words = $state.raw<Words>();
let language = $state<Language>('en');

const STORED = 'alinea.language';

function isLanguage(name: string | null | undefined): name is Language {
  return name != null && name in LANGUAGES;
}

/** The language asked for by the address, chosen before, or preferred by the browser. */
export function wantedLanguage(query: string, stored: string | null, preferred: readonly string[]): Language {
  const asked = new URLSearchParams(query).get('lang');
  const candidates = [asked, stored, ...preferred.map((tag) => tag.slice(0, 2).toLowerCase())];
  return candidates.find(isLanguage) ?? 'en';
}

/** A browser that does not let us remember is no reason not to speak. */
function remembering<T>(what: () => T): T | undefined {
  try {
    return what();
  } catch {
    return undefined;
  }
}

/** Loads the words; to be awaited before anything is drawn. */
export async function startI18n(): Promise<void> {
  await useLanguage(wantedLanguage(location.search, remembering(() => localStorage.getItem(STORED)) ?? null, navigator.languages), false);
}

export async function useLanguage(next: Language, remember = true): Promise<void> {
  words = (await load[next]()).default;
  language = next;
  document.documentElement.lang = next;
  if (remember) remembering(() => localStorage.setItem(STORED, next));
}

export function activeLanguage(): Language {
  return language;
}

export function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (all, name: string) => {
    const value = values[name];
    return value === undefined ? all : typeof value === 'number' ? formatNumber(value) : value;
  });
}

/** The words of a key with its blanks filled. */
export function t(key: Key, values: Values = {}): string {
  const text = words?.[key];
  return text === undefined ? key : fill(text, values);
}

/** The plural form that fits `n`; `{n}` is filled. */
export function tn(stem: PluralKey, n: number, values: Values = {}): string {
  const form = new Intl.PluralRules(language).select(n);
  const key = `${stem}.${form}` as Key;
  return t(words && key in words ? key : (`${stem}.other` as Key), { n, ...values });
}

/** Whether there are words for a key that was put together. */
export function has(key: string): key is Key {
  return words !== undefined && key in words;
}

/** Who the reader is in a sentence: the one who acts, or the one who meets it. */
export type Role = 'you' | 'them';

/** The form of a key that speaks to the reader, where there is one. */
export function addressed<K extends Key | PluralKey>(key: K, role: Role | undefined): K {
  const form = `${key}-${role}`;
  return has(form) || has(`${form}.other`) ? (form as K) : key;
}

export function formatNumber(n: number, options: Intl.NumberFormatOptions = {}): string {
  return new Intl.NumberFormat(language, options).format(n);
}

export function formatDate(ms: number, options: Intl.DateTimeFormatOptions = { dateStyle: 'medium' }): string {
  return new Intl.DateTimeFormat(language, options).format(ms);
}

export function formatList(items: string[]): string {
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(items);
}

// What the page says, in the language of the reader. Keys are typed from the English words; only the words of the active
// language are loaded, and of those first what a table says before anything else (`vite.config.ts` splits them).

import type en from '../i18n/en.json';
import { IS_EMBEDDED } from './site';

export type Key = keyof typeof en;
type Words = Record<Key, string>;
/** Keys that come in plural forms, without the form: `moves` for `moves.one` and `moves.other`. */
export type PluralKey = { [K in Key]: K extends `${infer Stem}.other` ? Stem : never }[Key];
export type Values = Record<string, string | number>;

export const LANGUAGES = {
  en: 'English',
  es: 'Español',
  'pt-PT': 'Português (Portugal)',
  'pt-BR': 'Português (Brasil)',
  ca: 'Català',
} as const;
export type Language = keyof typeof LANGUAGES;

type Part = Promise<{ default: Partial<Words> }>;
/** What a table says first, what the first page says besides, and all the rest. */
const load: Record<Language, Record<'first' | 'home' | 'more', () => Part[]>> = {
  en: {
    first: () => [import('words:en/first')],
    home: () => [import('words:en/home')],
    more: () => [import('words:en/more')],
  },
  es: {
    first: () => [import('words:es/first')],
    home: () => [import('words:es/home')],
    more: () => [import('words:es/more')],
  },
  'pt-PT': {
    first: () => [import('words:pt/first')],
    home: () => [import('words:pt/home')],
    more: () => [import('words:pt/more')],
  },
  // What Brazil says otherwise; the rest is the same.
  'pt-BR': {
    first: () => [import('words:pt/first'), import('words:pt-BR/first')],
    home: () => [import('words:pt/home'), import('words:pt-BR/home')],
    more: () => [import('words:pt/more'), import('words:pt-BR/more')],
  },
  ca: {
    first: () => [import('words:ca/first')],
    home: () => [import('words:ca/home')],
    more: () => [import('words:ca/more')],
  },
};
const loaded = async (parts: Part[]): Promise<Partial<Words>> =>
  Object.assign({}, ...(await Promise.all(parts)).map((part) => part.default));

let words = $state.raw<Partial<Words>>();
let isWhole = $state(false);
let rest: Promise<void> | undefined;
let language = $state<Language>('en');

const STORED = 'alinea.language';

/** The language of a tag such as `es-MX`, if we speak it. Portuguese is Brazil's unless the tag names another country. */
export function languageOf(tag: string | null): Language | undefined {
  const [base = '', region = ''] = (tag ?? '').toLowerCase().split('-');
  if (base === 'pt') return region === '' || region === 'br' ? 'pt-BR' : 'pt-PT';
  return base in LANGUAGES ? (base as Language) : undefined;
}

/** The language asked for by the address, chosen before, or preferred by the browser. */
export function wantedLanguage(query: string, stored: string | null, preferred: readonly string[]): Language {
  const asked = new URLSearchParams(query).get('lang');
  return [asked, stored, ...preferred].map(languageOf).find((language) => language !== undefined) ?? 'en';
}

/** A browser that does not let us remember is no reason not to speak. */
function remembering<T>(what: () => T): T | undefined {
  try {
    return what();
  } catch {
    return undefined;
  }
}

/** Loads the words of a table; to be awaited before anything is drawn. Other pages wait for `wordsOf` too. */
export async function startI18n(): Promise<void> {
  const wanted = wantedLanguage(
    location.search,
    remembering(() => localStorage.getItem(STORED)) ?? null,
    navigator.languages,
  );
  speak(wanted, await loaded(load[wanted].first()));
}

let home: Promise<void> | undefined;

/** Loads the words that the first page needs, once. */
const homeWords = (): Promise<void> =>
  (home ??= loaded(load[language].home()).then((more) => void (words = { ...words, ...more })));

/** Loads the words that are not there yet, once. */
export function allWords(): Promise<void> {
  return (rest ??= Promise.all([homeWords(), loaded(load[language].more())]).then(([, more]) => {
    words = { ...words, ...more };
    isWhole = true;
  }));
}

/** The words without which a page is not drawn: a table has its first ones, and the first page gets the others later, too. */
export const wordsOf = (page: string): Promise<void> | undefined =>
  page === 'game' ? undefined : page === 'home' ? homeWords() : allWords();

/** A part of the page that comes later, with all words that it may need. */
export const withWords = async <T>(part: Promise<T>): Promise<T> => (await allWords(), part);

export async function useLanguage(next: Language, remember = true): Promise<void> {
  const { first, home: ofHome, more } = load[next];
  const all = await loaded([first, ofHome, more].flatMap((part) => part()));
  home = rest = Promise.resolve();
  isWhole = true;
  speak(next, all);
  if (remember) remembering(() => localStorage.setItem(STORED, next));
}

function speak(next: Language, known: Partial<Words>): void {
  words = known;
  language = next;
  if (!IS_EMBEDDED) document.documentElement.lang = next;
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

/** The words of a key with its blanks filled; nothing while they are still to come. */
export function t(key: Key, values: Values = {}): string {
  return fill(words?.[key] ?? (words && !isWhole ? '' : key), values);
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

/** To make one takes a hundred times as long as to use it. */
const numberFormats = new Map<string, Intl.NumberFormat>();

export function formatNumber(n: number, options: Intl.NumberFormatOptions = {}): string {
  const key = `${language} ${JSON.stringify(options)}`;
  let format = numberFormats.get(key);
  if (!format) numberFormats.set(key, (format = new Intl.NumberFormat(language, options)));
  return format.format(n);
}

export function formatDate(ms: number, options: Intl.DateTimeFormatOptions = { dateStyle: 'medium' }): string {
  return new Intl.DateTimeFormat(language, options).format(ms);
}

export function formatList(items: string[]): string {
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(items);
}

// What was said in the chat, for the reader: reactions travel by their names, so that each side reads them in their own
// language.

import { has, t, type Key } from '../i18n.svelte';

export function saidText(text: string): string {
  const name = /^:([a-z-]+):$/.exec(text)?.[1];
  return name && has(`reaction.${name}`) ? t(`reaction.${name}` as Key) : text;
}

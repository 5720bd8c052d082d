// Handing an address on: by the system where it has a way, otherwise as a copy.

import { t } from './i18n.svelte';
import { toast } from './notices.svelte';

/** Copies a text, or shows it where that is not allowed. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(t('share.copied'));
  } catch {
    toast(text);
  }
}

export async function shareLink(address: string): Promise<void> {
  try {
    if (navigator.share && matchMedia('(pointer: coarse)').matches) await navigator.share({ url: address });
    else await copyText(address);
  } catch {
    toast(address);
  }
}

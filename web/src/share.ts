// Handing an address on: by the system where it has a way, otherwise as a copy.

import { t } from './i18n.svelte';
import { toast } from './notices.svelte';

export async function shareLink(address: string): Promise<void> {
  try {
    if (navigator.share && matchMedia('(pointer: coarse)').matches) await navigator.share({ url: address });
    else {
      await navigator.clipboard.writeText(address);
      toast(t('share.copied'));
    }
  } catch {
    toast(address);
  }
}

import { beforeAll, expect, it } from 'vitest';

import { guestWords, personName } from '../src/game/phrases';
import { useLanguage } from '../src/i18n.svelte';

beforeAll(() => useLanguage('en', false));

it('names a guest by the words of its numbers, in the language of the reader', async () => {
  expect(personName('37.20')).toBe('Teal Heron');
  await useLanguage('es', false);
  expect(personName('37.20')).toBe('Garza Turquesa');
});

it('leaves other names as they are', () => {
  const [first, second] = guestWords();
  for (const name of ['ada', 'Teal Heron', `${first.length}.0`, `0.${second.length}`, '1.2.3', '1'])
    expect(personName(name)).toBe(name);
});

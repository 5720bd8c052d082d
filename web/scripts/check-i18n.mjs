// Fails if a language misses a key, has one too many, or fills other blanks than the English words; and if
// the page uses a key that is not translated, or a translated key is never used.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (language) => JSON.parse(readFileSync(join(root, 'i18n', `${language}.json`), 'utf8'));
const blanks = (text) =>
  [...text.matchAll(/\{(\w+)\}/g)]
    .map(([, name]) => name)
    .sort()
    .join(' ');
const en = read('en');
const faults = [];

for (const language of ['es', 'pt', 'ca']) {
  const words = read(language);
  for (const key of Object.keys(en)) {
    if (!(key in words)) faults.push(`${language} misses ${key}`);
    else if (!words[key].trim()) faults.push(`${language} has no words for ${key}`);
    else if (blanks(words[key]) !== blanks(en[key])) faults.push(`${language} fills other blanks in ${key}`);
  }
  for (const key of Object.keys(words)) if (!(key in en)) faults.push(`${language} has ${key}, which English does not`);
}

// Brazil's words replace those of Portugal where they differ.
const [portugal, brazil] = [read('pt'), read('pt-BR')];
for (const [key, text] of Object.entries(brazil)) {
  if (!(key in en)) faults.push(`pt-BR has ${key}, which English does not`);
  else if (blanks(text) !== blanks(en[key])) faults.push(`pt-BR fills other blanks in ${key}`);
  if (text === portugal[key]) faults.push(`pt-BR repeats ${key}`);
}

const files = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? files(join(folder, entry.name)) : [join(folder, entry.name)],
  );
const source = files(join(root, 'src'))
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');
const plain = new Set([...source.matchAll(/['"`]([a-z][\w-]*(?:\.[\w-]+)*)['"`]/g)].map(([, key]) => key));
// A template such as `kind.${kind}` asks for all keys with that beginning.
const begun = [...source.matchAll(/`([a-z][\w-]*[.-](?:[\w-]+[.-])*)\$\{/g)].map(([, start]) => start);
for (const key of Object.keys(en)) {
  const stem = key.replace(/\.(one|other)$/, '').replace(/-(you|them)$/, '');
  if (!plain.has(key) && !plain.has(stem) && !begun.some((start) => key.startsWith(start)))
    faults.push(`${key} is never used`);
}
for (const stem of new Set([...source.matchAll(/\btn\('([^']+)'/g)].map(([, key]) => key))) {
  for (const form of ['one', 'other']) if (!(`${stem}.${form}` in en)) faults.push(`${stem}.${form} is not written`);
}

for (const fault of faults) console.error(fault);
if (faults.length) process.exit(1);
console.log(`${Object.keys(en).length} words in five languages`);

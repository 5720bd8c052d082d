// Prints the licences of everything that a release binary contains: the Rust crates that `alinea` depends on, with the C
// code inside them, and the npm packages bundled into the page. Identical texts are printed once.
//
// Usage: node scripts/third-party-licenses.mjs > THIRD-PARTY-LICENSES.txt, after `npm ci` in web/.
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

import { crates, npmPackages } from './third-party.mjs';

const LICENCE_FILE = /^(un)?licen[cs]e|^copying|^copyright|^notice/i;
/** Bundled C code has its licence in a subfolder, such as `c_src/mimalloc`. */
const MAX_FOLDERS = 3;

function licenceFiles(folder, depth = 0) {
  const entries = readdirSync(folder, { withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && LICENCE_FILE.test(entry.name))
    .map(({ name }) => join(folder, name));
  const folders =
    depth < MAX_FOLDERS
      ? entries.filter((entry) => entry.isDirectory() && !/^(tests?|benches|examples|node_modules)$/.test(entry.name))
      : [];
  return [...files, ...folders.flatMap(({ name }) => licenceFiles(join(folder, name), depth + 1))];
}

const titles = [];
const texts = new Map();
const missing = [];
const byName = (a, b) => a.name.localeCompare(b.name);
for (const [kind, list] of [
  ['crate', crates()],
  ['npm', npmPackages()],
]) {
  for (const { name, version, license, folder } of list.sort(byName)) {
    const title = `${name} ${version}`;
    titles.push(`${title} (${kind}): ${license ?? 'see its licence file'}`);
    const files = licenceFiles(folder);
    if (!files.length) missing.push(`${title}: ${license}`);
    for (const file of files) {
      const text = readFileSync(file, 'utf8').replaceAll('\r\n', '\n').trim();
      if (text) texts.set(text, [...(texts.get(text) ?? []), `${title}, ${relative(folder, file)}`]);
    }
  }
}

const out = [
  'Third-party software in Alinea',
  '==============================',
  '',
  ...titles,
  'Rust standard library (linked statically): MIT OR Apache-2.0, (c) The Rust Project Contributors',
  'SQLite (inside libsqlite3-sys): public domain',
];
if (missing.length) {
  out.push(
    '',
    'Packages that come without a licence file; the standard text of the licence named applies:',
    '',
    ...missing,
  );
}
for (const [text, owners] of texts) out.push('', '-'.repeat(100), ...owners, '-'.repeat(100), '', text);
process.stdout.write(`${out.join('\n')}\n`);

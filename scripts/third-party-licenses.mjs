// Prints the licences of everything that a release binary contains: the Rust crates that `alinea` depends on, with the C
// code inside them, and the npm packages bundled into the page. Identical texts are printed once.
//
// Usage: node scripts/third-party-licenses.mjs > THIRD-PARTY-LICENSES.txt, after `npm ci` in web/.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
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

/** The crates of the binary: normal dependencies only, since build scripts and procedural macros are not part of it. */
function crates() {
  const run = (command, ...args) => execFileSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
  const host = run('rustc', '-vV').match(/^host: (.*)$/m)[1];
  const metadata = JSON.parse(run('cargo', 'metadata', '--format-version', '1', '--locked', '--filter-platform', host));
  const packages = new Map(metadata.packages.map((found) => [found.id, found]));
  const nodes = new Map(metadata.resolve.nodes.map((node) => [node.id, node]));
  const isMacro = ({ targets }) => targets.some(({ kind }) => kind.includes('proc-macro'));
  const reached = new Set();
  const waiting = metadata.packages.filter(({ name }) => name === 'alinea-cli').map(({ id }) => id);
  while (waiting.length) {
    const id = waiting.pop();
    if (reached.has(id) || isMacro(packages.get(id))) continue;
    reached.add(id);
    for (const { pkg, dep_kinds: kinds } of nodes.get(id).deps) {
      if (kinds.some(({ kind }) => kind === null)) waiting.push(pkg);
    }
  }
  const ours = new Set(metadata.workspace_members);
  return [...reached]
    .filter((id) => !ours.has(id))
    .map((id) => packages.get(id))
    .map(({ name, version, license, manifest_path: manifest }) => ({
      name,
      version,
      license,
      folder: dirname(manifest),
    }));
}

/** The npm packages of the page, without those that only build or test it. */
function npmPackages() {
  const lock = JSON.parse(readFileSync(join(root, 'web/package-lock.json'), 'utf8'));
  return Object.entries(lock.packages)
    .filter(([path, { dev, optional, peer }]) => path && !dev && !optional && !peer)
    .map(([path, { version, license }]) => ({
      name: path.replace(/^.*node_modules\//, ''),
      version,
      license,
      folder: join(root, 'web', path),
    }))
    .filter(({ folder }) => existsSync(folder));
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

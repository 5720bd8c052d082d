// Checks what `make dist` has written: the checksums name every file and are right, nothing is missing, the archives have
// what they should, and every component of the bill of materials has a version and a licence. `make test-dist` runs it.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('../target/dist/', import.meta.url);
const read = (name) => readFileSync(new URL(name, folder));
const faults = [];
const check = (holds, fault) => holds || faults.push(fault);

const listed = new Map(
  read('SHA256SUMS')
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => [line.slice(66), line.slice(0, 64)]),
);
const files = readdirSync(folder).filter((name) => name !== 'SHA256SUMS');
for (const name of files) {
  const sum = createHash('sha256').update(read(name)).digest('hex');
  check(listed.get(name) === sum, `${name} has another checksum than SHA256SUMS says`);
}
for (const name of listed.keys()) check(files.includes(name), `${name} is in SHA256SUMS, but does not exist`);

/** The one file that matches, with the entries that it must have if it is an archive. */
function expect(pattern, entries = []) {
  const [name, ...others] = files.filter((name) => pattern.test(name));
  check(name && others.length === 0, `one file must match ${pattern}; ${name ? [name, ...others] : 'there is none'}`);
  if (!name || entries.length === 0) return;
  const options = { encoding: 'utf8', maxBuffer: 64 << 20 };
  const path = fileURLToPath(new URL(name, folder));
  const list = execFileSync(
    name.endsWith('.whl') ? 'python3' : 'tar',
    name.endsWith('.whl') ? ['-m', 'zipfile', '-l', path] : ['-tzf', path],
    options,
  );
  for (const entry of entries) check(list.includes(entry), `${name} has no ${entry}`);
}
expect(/^alinea-[\d.]+-[\w-]+\.tar\.gz$/, [
  '/alinea\n',
  '/README.md',
  '/THIRD-PARTY-LICENSES.txt',
  '/SHA256SUMS',
  '/LICENSE-MIT',
  '/docs/README.md',
]);
expect(/-cp39-abi3-.*manylinux.*x86_64\.whl$/, ['alinea/_native.abi3.so', 'alinea/py.typed']);
expect(/^alinea-[\d.]+\.tgz$/, ['package/index.js', 'package/index.d.ts', 'package/alinea.wasm']);
expect(/-site\.tar\.gz$/, ['site/index.html', 'site/sw.js']);
for (const crate of ['rules', 'solver', 'players', 'study'])
  expect(new RegExp(`^alinea-${crate}-[\\d.]+\\.crate$`), ['/Cargo.toml', '/src/lib.rs']);
expect(/^Containerfile$/);
expect(/\.cdx\.json$/);

const bill = JSON.parse(read(files.find((name) => name.endsWith('.cdx.json'))));
const seen = new Set();
for (const { name, version, licenses, purl } of bill.components) {
  check(version && licenses?.[0]?.expression, `${name} has no version or no licence`);
  check(!seen.has(purl), `${purl} is there twice`);
  seen.add(purl);
}
for (const purl of ['pkg:cargo/serde@', 'pkg:npm/svelte@'])
  check(
    [...seen].some((one) => one.startsWith(purl)),
    `the bill of materials has no ${purl}`,
  );

if (faults.length > 0) throw new Error(`target/dist is not right:\n${faults.join('\n')}`);
console.log(`${files.length} files and ${seen.size} components are as they should be`);

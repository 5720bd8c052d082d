// Fails if the page grew beyond its budget: what a browser loads before a game can be played, in kB gzip.

import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const dist = fileURLToPath(new URL('../dist', import.meta.url));
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
const size = (file) => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length;

/** All files that a chunk needs at once. */
function needed(name, seen = new Set()) {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const other of manifest[name].imports ?? []) needed(other, seen);
  return seen;
}

// Chunks that need each other may run in the wrong order, and the page stays empty.
const circular = Object.keys(manifest).filter((name) =>
  (manifest[name].imports ?? []).some((other) => needed(other).has(name)),
);
if (circular.length) throw new Error(`chunks import each other: ${circular.join(', ')}`);

const entry = 'index.html';
const game = needed('src/pages/Game.svelte', needed(entry));
const home = needed('src/pages/Home.svelte', needed(entry));
const socket = Object.keys(manifest).filter((name) => /socket\.io-client/.test(name));
const analysis = [...needed('src/pages/Analysis.svelte')].filter((name) => !game.has(name));
// What a table says first, and the first page besides, in English.
const words = (part) => Object.keys(manifest).filter((name) => name.endsWith(`words:en/${part}`));
const js = (names) => [...new Set(names)].reduce((sum, name) => sum + size(manifest[name].file), 0);
const css = [...new Set([...game].flatMap((name) => manifest[name].css ?? []))].reduce(
  (sum, file) => sum + size(file),
  0,
);
const fonts = readdirSync(join(dist, 'assets')).filter((name) => name.endsWith('.woff2'));

const budgets = [
  ['JavaScript of the game page with its words', js([...game, ...words('first')]), 70],
  ['JavaScript of the first page with its words', js([...home, ...words('first'), ...words('home')]), 70],
  ['Socket.IO', js(socket), 13],
  ['more for the analysis board', js(analysis), 25],
  ['styles of the game page', css, 12],
  ['fonts', fonts.reduce((sum, name) => sum + readFileSync(join(dist, 'assets', name)).length, 0), 25],
];
let over = false;
for (const [what, bytes, most] of budgets) {
  const kB = bytes / 1000;
  over ||= kB > most;
  console.log(`${kB.toFixed(1).padStart(6)} kB of ${most} kB  ${what}${kB > most ? '  TOO MUCH' : ''}`);
}
// The list of chunks was for this count only; the server hands out all that lies here.
rmSync(join(dist, '.vite'), { recursive: true });
if (over) process.exit(1);

// Writes sw.js into a built page: the service worker with the list of files to keep, and a version that changes with any of them.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, process.argv[2] ?? 'dist');
const files = readdirSync(dist, { recursive: true })
  .map((name) => name.replaceAll(sep, '/'))
  .filter((name) => statSync(join(dist, name)).isFile() && !/\.br$|^\.vite|^sw\.js$/.test(name))
  .sort();
const worker = readFileSync(join(root, 'sw/sw.js'), 'utf8');
const hash = createHash('sha256').update(worker);
for (const name of files) hash.update(name).update(readFileSync(join(dist, name)));
const head = `const VERSION = '${hash.digest('hex').slice(0, 16)}';\nconst FILES = ${JSON.stringify(files)};\n\n`;
writeFileSync(join(dist, 'sw.js'), head + worker);

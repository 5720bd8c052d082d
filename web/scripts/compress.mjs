// Writes a .br beside every file that is worth it; the server hands them out as they are.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

const dist = fileURLToPath(new URL('../dist', import.meta.url));
for (const name of readdirSync(dist, { recursive: true })) {
  if (!/\.(js|css|html|svg|json|txt|wasm)$/.test(name)) continue;
  const content = readFileSync(join(dist, name));
  const small = brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
  if (small.length < content.length * 0.95) writeFileSync(join(dist, `${name}.br`), small);
}

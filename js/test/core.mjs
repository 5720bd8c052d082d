// The WebAssembly that is tested: ALINEA_WASM, or the file of the package.

import { pathToFileURL } from 'node:url';

export const wasm = process.env.ALINEA_WASM
  ? pathToFileURL(process.env.ALINEA_WASM)
  : new URL('../alinea.wasm', import.meta.url);

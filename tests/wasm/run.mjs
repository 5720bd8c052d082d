// Loads the WebAssembly module given as the argument and runs it: `node run.mjs FILE.wasm`.

import { readFile } from 'node:fs/promises';

const bytes = await readFile(process.argv[2]);
let lines = 0;
const host = {
  now: () => performance.now(),
  log: (start, length) => {
    console.log(new TextDecoder().decode(new Uint8Array(instance.exports.memory.buffer, start, length)));
    lines += 1;
  },
};
const { instance } = await WebAssembly.instantiate(bytes, { host });
instance.exports.run();
console.log(`${lines} checks passed under wasm32`);

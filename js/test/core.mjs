// The core under test: `make test-core` builds it with the game `dummy`.

export const wasm = new URL('../alinea.wasm', import.meta.url);

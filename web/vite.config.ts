import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { svelte } from '@sveltejs/vite-plugin-svelte';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

// For `npm run dev`: where `alinea serve` answers.
const server = process.env['ALINEA_SERVER'] ?? 'http://127.0.0.1:8080';

// The stems of the keys that a table needs when it appears, and single keys; everything else comes after the board.
const FIRST = new Set(
  'nav bar board clock.none clock.per-move clock.days.one clock.days.other clock.long game gender kind level level-is link.loading link.lost piece-side program rules say.played say.column say.shape say.drop say.step say.last seat side status theme tray'.split(
    ' ',
  ),
);

/** What the first page says before a move, besides; the stems of its keys, and single keys. */
const HOME = new Set(
  'home ladder level-says letter live opponent against strength code setup.program watch.programs tournament.title account.sign-in'.split(
    ' ',
  ),
);

/** What an embedded board says besides. */
const EMBEDDED = new Set('action direction moves refuse result say verdict'.split(' '));

/** The words of a language in three modules: `words:en/first`, `words:en/home` and `words:en/more`. */
function words(mode: string): Plugin {
  const own = /^\0words:([\w-]+)\/(first|home|more)$/;
  return {
    name: 'words',
    resolveId: (id) => (id.startsWith('words:') ? `\0${id}` : undefined),
    load(id) {
      const [, language, part] = own.exec(id) ?? [];
      if (!language) return undefined;
      const file = join(import.meta.dirname, 'i18n', `${language}.json`);
      this.addWatchFile(file);
      const all = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>);
      const partOf = (key: string): string => {
        const stem = key.split('.')[0]!;
        const isOf = (part: Set<string>): boolean => part.has(stem) || part.has(key);
        return isOf(FIRST) ? 'first' : isOf(HOME) ? 'home' : 'more';
      };
      const isNeeded = (key: string): boolean =>
        part === 'first' || mode !== 'embed' || EMBEDDED.has(key.split('.')[0]!);
      const chosen = all.filter(([key]) => partOf(key) === part && isNeeded(key));
      return `export default ${JSON.stringify(Object.fromEntries(chosen))}`;
    },
  };
}

/** Leaves out the third transport of the Socket.IO client, WebTransport: the server offers WebSocket and polling. */
const twoTransports = (): Plugin => ({
  name: 'two-transports',
  load: (id) =>
    id.endsWith('engine.io-client/build/esm/transports/webtransport.js') ? 'export class WT {}' : undefined,
});

/** What binds values to the fields of forms: it comes with the pages that have forms. A table has none before its first move. */
const FORMS = /node_modules\/svelte\/.*\/(bindings\/(input|select)|shared\/clone)\.js/;

/** Pages on which few visits begin. */
const SELDOM =
  /\/(About|Account|Code|Games|Improve|Learn|NotFound|Profile|[Pp]uzzles?|PuzzleRush|Ranking|Settings|Tournaments?|Watch)-/;

/** The embedded board: one script, which brings its styles and its worker along, and the core beside it. */
const embed = {
  target: 'es2022',
  assetsInlineLimit: 0,
  modulePreload: { polyfill: false },
  outDir: '../target/site/embed',
  emptyOutDir: true,
  copyPublicDir: false,
  rolldownOptions: {
    input: 'src/embed/element.svelte.ts',
    output: { entryFileNames: 'alinea-board.js', assetFileNames: '[name][extname]', codeSplitting: false },
  },
};

export default defineConfig(({ mode }) => ({
  plugins: [svelte(mode === 'embed' ? { compilerOptions: { css: 'injected' } } : {}), words(mode), twoTransports()],
  resolve: {
    ...(process.env['VITEST'] && { conditions: ['browser'] }),
    ...(mode === 'embed' && {
      alias: [{ find: './startWorker', replacement: join(import.meta.dirname, 'src/embed/startWorker.ts') }],
    }),
  },
  build:
    mode === 'embed'
      ? embed
      : {
          target: 'es2022',
          // The content security policy allows no data: addresses.
          assetsInlineLimit: 0,
          // Every page carries the names of all files that others load ahead: of rarely used pages only their styles, without which
          // they would be bare; their scripts load each other.
          modulePreload: {
            polyfill: false,
            resolveDependencies: (page, files) =>
              SELDOM.test(page) ? files.filter((file) => file.endsWith('.css')) : files,
          },
          manifest: true,
          rolldownOptions: {
            treeshake: { moduleSideEffects: [{ test: FORMS, sideEffects: false }] },
            output: {
              // What every page needs, and what every board needs, in one file each: many small files compress worse.
              codeSplitting: {
                includeDependenciesRecursively: false,
                groups: [
                  { name: 'forms', test: FORMS, priority: 1 },
                  {
                    name: 'base',
                    test: /node_modules\/(svelte|esm-env|clsx)\/|src\/(i18n|api|http|routes|settings|router|notices|notify|server|user|sides|mark|follow|sounds|share|blocked|game\/(games|cells|phrases))[\w.]*\.ts|parts\/(Icon|PersonMark)\.svelte/,
                  },
                  // Few files of puzzles, because every page carries the names of all files.
                  {
                    name: 'puzzle',
                    test: /pages\/Puzzle(Rush)?\.svelte|parts\/PuzzleBoard\.svelte|puzzles\/solving/,
                  },
                  {
                    name: 'puzzles',
                    test: /puzzles\/(collection|days|progress)[\w.]*\.ts|parts\/(PuzzleWeek|DailyPuzzle)\.svelte/,
                  },
                  {
                    name: 'board',
                    test: /parts\/(Board(?!Follows|Forbidden|Loupe|Dials|Links|Map|Moment|Pane)\w*|Piece|Tray|SeatBar|Avatar|LevelMark)\.svelte|game\/(input|layout|pane|board(Input|State)|proven|rhythm|columnKeys|stepKeys|analysis|series)[\w.]*\.ts/,
                  },
                ],
              },
            },
          },
        },
  // The core is beside this folder; the server answers only pages of its own origin.
  server: {
    fs: { allow: ['..'] },
    proxy: {
      '/api': { target: server, changeOrigin: true, headers: { origin: server } },
      '/socket.io': { target: server, ws: true, changeOrigin: true, headers: { origin: server } },
    },
  },
  // A busy machine is no reason to fail.
  test: {
    environment: 'happy-dom',
    include: ['tests/**/*.test.ts'],
    setupFiles: ['tests/setup.ts'],
    testTimeout: 60_000,
  },
}));

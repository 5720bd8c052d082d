// The golden messages of crates/protocol have the generated types, and the page understands every kind of message.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';

import { apply } from '../src/game/apply';
import { announceEvent } from '../src/game/announcements';
import { occupantName } from '../src/game/phrases';
import { ApiFailure } from '../src/http';
import { errorText } from '../src/user.svelte';
import type { Snapshot } from '../src/protocol';
import { useLanguage } from '../src/i18n.svelte';
import * as golden from './golden';

const FIXTURES = '../crates/protocol/fixtures';
/** Files whose messages all have one type. */
const ONE_TYPE: Record<string, string> = {
  answers: 'Answer',
  'bot-events': 'BotEvent',
  errors: 'ApiError',
  events: 'Event',
  games: 'GameInfo',
  occupants: 'Occupant',
  opponents: 'Opponent',
  reasons: 'Reason',
};
/** Files whose messages are variants of a type, each under the name of its variant. */
const VARIANTS: Record<string, string> = {
  commands: 'Command',
  pushes: 'Push',
  requests: 'Request',
  'table-stream': 'TableStreamLine',
  'tournament-commands': 'TournamentCommand',
};
/** Files whose messages have the type that their name says. */
const TYPES_BY_NAME = ['bodies', 'responses'];
/** Files of messages that no client sees. */
const INTERNAL = ['tournament-events'];

const read = (file: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(FIXTURES, `${file}.json`), 'utf8'));

/** Returns the golden messages as constants of their types, in TypeScript. */
function constants(): string[] {
  const lines: string[] = [];
  const add = (type: string, value: unknown): unknown =>
    lines.push(`export const _${lines.length}: protocol.${type} = ${JSON.stringify(value)};`);
  for (const [file, type] of Object.entries(ONE_TYPE))
    for (const message of Object.values(read(file))) add(type, message);
  for (const [file, type] of Object.entries(VARIANTS))
    for (const [name, message] of Object.entries(read(file))) add(type, { [name]: message });
  for (const file of TYPES_BY_NAME) for (const [type, message] of Object.entries(read(file))) add(type, message);
  return lines;
}

/** Returns what the compiler says about a file of this text beside the tests. */
function compile(text: string): string[] {
  const file = join(import.meta.dirname, 'golden.constants.ts');
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2022.d.ts'],
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, ...more) =>
    name === file ? ts.createSourceFile(name, text, more[0]) : getSourceFile(name, ...more);
  const program = ts.createProgram([file], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText, start, file }) => {
    const line = file?.text.slice(start).split('\n')[0] ?? '';
    return `${ts.flattenDiagnosticMessageText(messageText, '\n')}\n${line.slice(0, 200)}`;
  });
}

const joined = golden.answers['joined']!;
const table: Snapshot = joined.ok ? joined.snapshot! : undefined!;

beforeAll(() => useLanguage('en', false));

describe('golden messages', () => {
  it('have the generated types', () => {
    const lines = constants();
    expect(lines.length).toBeGreaterThan(100);
    const head = "import type * as protocol from '../src/protocol';";
    // Proves that the compiler looks at the messages.
    const wrong =
      "// @ts-expect-error There is no such event.\nexport const wrong: protocol.Event = { kind: 'nonsense' };";
    expect(compile([head, ...lines, wrong].join('\n'))).toEqual([]);
  });

  it('are all checked', () => {
    const checked = [...Object.keys(ONE_TYPE), ...Object.keys(VARIANTS), ...TYPES_BY_NAME, ...INTERNAL];
    expect(checked.map((file) => `${file}.json`).sort()).toEqual(readdirSync(FIXTURES).sort());
  });

  it('change a table: every event is applied, or asks for a snapshot', () => {
    for (const [name, event] of Object.entries(golden.events)) {
      const next = apply(table, { table: 't', v: table.v + 1, at: 0, event });
      if (event.kind === 'created' || event.kind === 'moved') expect(next, name).toBe('gap');
      else expect(next, name).toMatchObject({ v: table.v + 1 });
    }
  });

  it('are told in words', () => {
    for (const [name, event] of Object.entries(golden.events))
      expect(announceEvent(event, table).text ?? '', name).not.toMatch(/[{}]|say\./);
    for (const [name, occupant] of Object.entries(golden.occupants)) expect(occupantName(occupant), name).toBeTruthy();
  });

  it('name errors that have words', () => {
    for (const { code } of Object.values(golden.errors))
      expect(errorText(new ApiFailure(code, 'no words')), code).not.toBe('no words');
  });
});

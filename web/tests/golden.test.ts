// The golden messages of crates/protocol: the page understands every kind of each. Their types are checked by the
// compiler, in golden.generated.ts.

import { readFileSync } from 'node:fs';

import { beforeAll, describe, expect, it } from 'vitest';

import { apply } from '../src/game/apply';
import { announceEvent } from '../src/game/announcements';
import { occupantName } from '../src/game/phrases';
import { ApiFailure } from '../src/http';
import { errorText } from '../src/user.svelte';
import type { Snapshot } from '../src/protocol';
import { useLanguage } from '../src/i18n.svelte';
import * as golden from './golden.generated';

const read = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(`../crates/protocol/fixtures/${name}.json`, 'utf8'));

const joined = golden.answers['joined']!;
const table: Snapshot = joined.ok ? joined.snapshot! : undefined!;

beforeAll(() => useLanguage('en', false));

describe('golden messages', () => {
  it('are the files that Rust reads', () => {
    expect(golden.events).toEqual(read('events'));
    expect(golden.reasons).toEqual(read('reasons'));
    expect(golden.errors).toEqual(read('errors'));
    expect(golden.answers).toEqual(read('answers'));
    expect(golden.pushes).toEqual(
      Object.entries(read('pushes'))
        .map(([name, message]) => ({ [name]: message }))
        .toSorted(byName),
    );
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

const byName = (a: object, b: object): number => (Object.keys(a)[0]! < Object.keys(b)[0]! ? -1 : 1);

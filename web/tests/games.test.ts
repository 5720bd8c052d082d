// The table of games is in Rust (crates/rules/src/games.rs). What the page adds by hand to each game is listed here.

import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { LESSONS } from '../src/game/lessons';
import { POSTERS } from '../src/game/posters';
import words from '../i18n/en.json';

const ids = Object.keys(JSON.parse(readFileSync('../crates/protocol/fixtures/games.json', 'utf8')));

describe('every game of the table', () => {
  it.each(ids)('%s has lessons, a poster and words', (id) => {
    expect(LESSONS[id], `web/src/game/lessons.ts has no lessons for ${id}`).toBeDefined();
    expect(POSTERS[id], `web/src/game/posters.ts has no poster of ${id}`).toBeDefined();
    for (const key of [`game.${id}`, `about.${id}`])
      expect(words, `web/i18n/en.json misses ${key}`).toHaveProperty([key]);
  });

  it.each(Object.keys(LESSONS))('the lessons of %s are of a game in the table', (id) => expect(ids).toContain(id));
});

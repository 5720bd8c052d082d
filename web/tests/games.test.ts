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
    // Without a name of its own in a language, a game has its title.
    expect(words, `web/i18n/en.json misses about.${id}`).toHaveProperty([`about.${id}`]);
  });

  it.each(Object.keys(LESSONS))('the lessons of %s are of a game in the table', (id) => expect(ids).toContain(id));
});

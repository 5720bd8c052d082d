import { beforeAll, describe, expect, it } from 'vitest';

import { fill, LANGUAGES, t, tn, useLanguage, wantedLanguage, type Language } from '../src/i18n.svelte';
import { infoOf, listGames, titleOf } from '../src/game/games.svelte';
import { clockFace, moveText, programName, typedLetters } from '../src/game/phrases';
import { resultHow } from '../src/game/results';
import { view } from './fixtures';

describe('the language', () => {
  it('is asked for, remembered, preferred, or English', () => {
    expect(wantedLanguage('?lang=ca', 'es', ['pt-BR'])).toBe('ca');
    expect(wantedLanguage('?lang=xx', 'es', ['pt-BR'])).toBe('es');
    expect(wantedLanguage('', null, ['de-CH', 'pt-BR'])).toBe('pt-BR');
    expect(wantedLanguage('', null, ['pt-PT'])).toBe('pt-PT');
    expect(wantedLanguage('', null, ['pt-AO', 'en'])).toBe('pt-PT');
    expect(wantedLanguage('', null, ['pt'])).toBe('pt-BR');
    expect(wantedLanguage('', null, ['ca-ES', 'es'])).toBe('ca');
    expect(wantedLanguage('', 'klingon', ['de'])).toBe('en');
  });

  it('is known to the document', async () => {
    for (const language of Object.keys(LANGUAGES) as Language[]) {
      await useLanguage(language, false);
      expect(document.documentElement.lang).toBe(language);
      expect(t('nav.play')).not.toBe('nav.play');
    }
  });

  it('fills blanks and leaves what it does not know', () => {
    expect(fill('{a} of {b}, {c}', { a: 'one', b: 1000 })).toMatch(/^one of 1.?000, \{c\}$/);
  });

  it('has its own letters for pieces', async () => {
    await useLanguage('es', false);
    expect(typedLetters('chess-five')).toMatchObject({
      r: 'king',
      t: 'rook',
      c: 'knight',
      a: 'bishop',
      d: 'queen',
      n: 'knight',
    });
    await useLanguage('pt-BR', false);
    expect(typedLetters('chess-five')).toMatchObject({ b: 'bishop', r: 'king' });
    await useLanguage('en', false);
    expect(typedLetters('chess-five')).toMatchObject({ r: 'rook', k: 'king' });
  });
});

describe('sentences', () => {
  beforeAll(() => useLanguage('en', false));

  it('count', () => {
    expect(tn('result.moves', 1)).toBe('After 1 move.');
    expect(tn('result.moves', 7)).toBe('After 7 moves.');
  });

  it('name programs, moves and times', () => {
    expect(programName('level:3')).toBe('Level 3');
    expect(programName('chess-five:hard')).toBe('ChessFive hard');
    expect(programName('something:4')).toBe('something 4');
    expect(moveText('simplexity', '4s')).toBe('4■');
    expect(moveText('chess-five', 'Q@d')).toContain('d');
    expect(moveText('connect-four', '4')).toBe('4');
    expect([clockFace(228_000), clockFace(9_400), clockFace(3_600_000), clockFace(0)]).toEqual([
      '3:48',
      '0:09.4',
      '1:00:00',
      '0:00.0',
    ]);
    expect(clockFace(2 * 86_400_000 + 4 * 3_600_000)).toBe('2 d 4:00');
  });

  it('say how a game was won', () => {
    const line = view(['...', 'xxx'], { line: ['a1', 'b1', 'c1'], outcome: 'first' });
    const won = { winner: 'first', reason: 'rules' } as const;
    expect(resultHow('connect-four', line, won)).toBe(
      'Solid has 3 in a line along a row, column 1 (row 1) to column 3 (row 1).',
    );
    const shape = { ...line, shape: 'round' as const, last: ['a1'] };
    expect(resultHow('simplexity', shape, won)).toContain('by shape (round)');
    expect(resultHow('simplexity', { ...shape, shape: null }, won)).toContain('by colour');
    const given = { ...view(['...', 'oxx'], { line: ['a1', 'b1', 'c1'], last: ['a1'] }), shape: 'round' as const };
    expect(resultHow('simplexity', given, won)).toBe(
      'Outline completed 3 in a line by shape (round) for Solid along a row, column 1 (row 1) to column 3 (row 1).',
    );
    expect(resultHow('connect-four', line, { winner: 'first', reason: 'time' })).toBe('Outline ran out of time.');
    expect(resultHow('connect-four', view(['xox']), { winner: null, reason: 'rules' })).toContain('full');
  });

  it('exist for every game', () => {
    for (const { id } of listGames()) expect(titleOf(infoOf(id))).not.toContain('game.');
  });
});

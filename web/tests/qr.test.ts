import { describe, expect, it } from 'vitest';

import { correction, qr, withRemainder } from '../src/qr';

describe('a QR code', () => {
  it('corrects with the codewords of the worked example of the standard', () => {
    // “HELLO WORLD” at version 1, level M.
    const data = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17];
    expect(correction(data, 10)).toEqual([196, 35, 39, 119, 235, 215, 231, 226, 93, 23]);
  });

  it('writes format and version as the tables of the standard list them', () => {
    expect((withRemainder(0b00101, 0x537, 10) ^ 0x5412).toString(2).padStart(15, '0')).toBe('100000011001110');
    expect(withRemainder(7, 0x1f25, 12).toString(2).padStart(18, '0')).toBe('000111110010010100');
  });

  it('grows with its text and keeps its three corners', () => {
    for (const [length, size] of [[10, 21], [26, 25], [42, 29], [60, 33], [120, 45]] as const) {
      const dark = qr('a'.repeat(length));
      expect(dark).toHaveLength(size);
      for (const [x, y] of [[0, 0], [size - 7, 0], [0, size - 7]] as const) {
        expect(dark[y]!.slice(x, x + 7)).toEqual(Array(7).fill(true));
        expect(dark[y + 1]!.slice(x, x + 7)).toEqual([true, false, false, false, false, false, true]);
      }
    }
    expect(() => qr('a'.repeat(300))).toThrow(RangeError);
  });
});

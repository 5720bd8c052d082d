import jsQR from 'jsqr';
import { describe, expect, it } from 'vitest';

import { correction, qr, withRemainder } from '../src/qr';

/** What an independent reader finds in the code, drawn with `scale` pixels per module. */
function read(dark: boolean[][], scale = 4, quiet = 4): string | undefined {
  const size = (dark.length + 2 * quiet) * scale;
  const pixels = new Uint8ClampedArray(size * size * 4).fill(255);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      if (dark[Math.floor(y / scale) - quiet]?.[Math.floor(x / scale) - quiet])
        pixels.fill(0, 4 * (y * size + x), 4 * (y * size + x) + 3);
    }
  }
  return jsQR(pixels, size, size)?.data;
}

describe('a QR code', () => {
  it('is read as its text, in every version', () => {
    for (const length of [1, 14, 26, 42, 62, 84, 106, 122, 152, 180, 213]) {
      const text = `https://alinea.example/g/${'Az09-_'.repeat(40)}`.slice(0, length);
      expect(read(qr(text))).toBe(text);
    }
    expect(read(qr('peça ♞ à mão'))).toBe('peça ♞ à mão');
  });

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
    for (const [length, size] of [
      [10, 21],
      [26, 25],
      [42, 29],
      [60, 33],
      [120, 45],
    ] as const) {
      const dark = qr('a'.repeat(length));
      expect(dark).toHaveLength(size);
      for (const [x, y] of [
        [0, 0],
        [size - 7, 0],
        [0, size - 7],
      ] as const) {
        expect(dark[y]!.slice(x, x + 7)).toEqual(Array(7).fill(true));
        expect(dark[y + 1]!.slice(x, x + 7)).toEqual([true, false, false, false, false, false, true]);
      }
    }
    expect(() => qr('a'.repeat(300))).toThrow(RangeError);
  });
});

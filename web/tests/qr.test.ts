import jsQR from 'jsqr';
import { describe, expect, it } from 'vitest';

import { qrCode, type QrCode } from '../src/qr';

/** The modules inside the outline: a ray to the right from each crosses an odd number of upright edges. */
function modules({ size, path }: QrCode): boolean[] {
  const edges = path.split('Z').flatMap((loop) => {
    const corners = [...loop.matchAll(/(\d+) (\d+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const);
    return corners.flatMap(([x, from], at) => {
      const [next, to] = corners[(at + 1) % corners.length]!;
      return x === next ? [{ x, top: Math.min(from, to), bottom: Math.max(from, to) }] : [];
    });
  });
  return Array.from({ length: size * size }, (_, at) => {
    const [col, row] = [at % size, Math.floor(at / size)];
    return edges.filter(({ x, top, bottom }) => x > col && top <= row && row < bottom).length % 2 === 1;
  });
}

/** What an independent reader finds in the drawing, with four pixels and a quiet zone of four modules. */
function read(code: QrCode): string | undefined {
  const { size } = code;
  const [scale, quiet] = [4, 4];
  const side = (size + 2 * quiet) * scale;
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
  const dark = modules(code);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const [col, row] = [Math.floor(x / scale) - quiet, Math.floor(y / scale) - quiet];
      if (col >= 0 && col < size && dark[row * size + col]) pixels.fill(0, 4 * (y * side + x), 4 * (y * side + x) + 3);
    }
  }
  return jsQR(pixels, side, side)?.data;
}

describe('a QR code', () => {
  it('is read as its text, whatever its length', () => {
    for (const length of [25, 60, 120]) {
      const text = `https://alinea.example/g/${'Az09-_'.repeat(40)}`.slice(0, length);
      expect(read(qrCode(text))).toBe(text);
    }
    expect(read(qrCode('peça ♞ à mão'))).toBe('peça ♞ à mão');
  });

  it('is as small as level M allows', () => {
    expect(['a'.repeat(14), 'a'.repeat(26), 'a'.repeat(27)].map((text) => qrCode(text).size)).toEqual([21, 25, 29]);
  });
});

// Makes docs/screenshots/game-800.png, an animation of a game against a program with the reasons for its moves (a PNG with
// several frames), and game-still-800.png for readers who want no motion.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';

import { binary, cell, movesOf, openBrowser, openTable, result, startServer } from './harness.mjs';

const folder = process.argv[2] ?? new URL('../../docs/screenshots', import.meta.url).pathname;
/** The window, and the animation, which is smaller. */
const [WIDTH, HEIGHT] = [1140, 600];
const [width, height] = [800, 421];
/** A win in a few moves with more than one thing to see. */
const POSITION = '7/7/5o1/2ox1xo/ooxo1xx/xxooxxo w';
/** How long a frame is shown, in milliseconds, and the last one. */
const [TIME, LAST] = [1800, 4000];

/** The chunks of a PNG: type and data. */
function* chunks(png) {
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    yield [png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, at + 8 + png.readUInt32BE(at))];
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

const words = (...numbers) => {
  const data = Buffer.alloc(4 * numbers.length);
  numbers.forEach((number, at) => data.writeUInt32BE(number, 4 * at));
  return data;
};

/** Joins pictures of one size, which cover each other: each frame is what differs from the one before. */
function animation(pictures) {
  let sequence = 0;
  const parts = [];
  for (const [at, { png, ms }] of pictures.entries()) {
    const found = [...chunks(png)];
    if (!at) parts.push(chunk('IHDR', found[0][1]), chunk('acTL', words(pictures.length, 0)));
    // Width, height, left, top; then the time as a fraction; keep the frame, draw over it.
    const time = Buffer.from([ms >> 8, ms & 255, 1000 >> 8, 1000 & 255, 0, 1]);
    parts.push(chunk('fcTL', Buffer.concat([words(sequence++, width, height, 0, 0), time])));
    for (const [type, data] of found)
      if (type === 'IDAT')
        parts.push(at ? chunk('fdAT', Buffer.concat([words(sequence++), data])) : chunk('IDAT', data));
  }
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([signature, ...parts, chunk('IEND', Buffer.alloc(0))]);
}

/** The pixels of a picture that differ from the picture before, the others transparent; both as base64. */
const differing = (page, now, before) =>
  page.evaluate(
    async ([now, before, width, height]) => {
      const pixels = async (base64) => {
        const canvas = document.createElement('canvas');
        const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
        Object.assign(canvas, { width, height });
        const context = canvas.getContext('2d', { willReadFrequently: true });
        context.imageSmoothingQuality = 'high';
        context.drawImage(bitmap, 0, 0, width, height);
        const image = context.getImageData(0, 0, width, height);
        // Without the finest differences of colour the file is half as large.
        image.data.forEach((value, at) => at % 4 < 3 && (image.data[at] = value & 0xfc));
        context.putImageData(image, 0, 0);
        return [canvas, context, image];
      };
      const [canvas, context, image] = await pixels(now);
      if (before) {
        const [, , old] = await pixels(before);
        const [ours, theirs] = [new Uint32Array(image.data.buffer), new Uint32Array(old.data.buffer)];
        ours.forEach((pixel, at) => pixel === theirs[at] && (ours[at] = 0));
        context.putImageData(image, 0, 0);
      }
      return canvas.toDataURL('image/png').split(',')[1];
    },
    [now, before, width, height],
  );

const server = await startServer();
const browser = await openBrowser();
try {
  const context = await browser.newContext({
    viewport: { width: WIDTH, height: HEIGHT },
    baseURL: server.address,
    locale: 'en',
    reducedMotion: 'reduce',
  });
  await context.addInitScript(() =>
    localStorage.setItem(
      'alinea.settings',
      JSON.stringify({ theme: 'neon', sound: false, evaluate: true, pace: 'instant', arrows: false }),
    ),
  );
  const page = await context.newPage();
  const blank = await context.newPage();
  const game = 'connect-four';
  const id = await openTable(page, { game, position: POSITION, opponent: { kind: 'program', name: 'level:3' } });
  const shots = [];
  const shoot = async () => {
    await page.mouse.move(0, 0);
    // The best line comes after the verdict.
    await page.waitForTimeout(2500);
    shots.push((await page.screenshot()).toString('base64'));
  };
  while (!(await result(page).count())) {
    await shoot();
    const moves = await movesOf(page, id);
    const asked = ['choose', 'perfect', game, '--position', POSITION, ...moves];
    const { move } = JSON.parse(execFileSync(binary, asked, { encoding: 'utf8' }));
    await cell(page, `${'abcdefg'[move - 1]}6`).click();
    await page.waitForFunction(
      (count) => document.querySelectorAll('.moves li button').length >= count || document.querySelector('.result'),
      moves.length + 2,
    );
  }
  await result(page).waitFor();
  await shoot();
  const pictures = [];
  for (const [at, shot] of shots.entries()) {
    const png = Buffer.from(await differing(blank, shot, shots[at - 1]), 'base64');
    pictures.push({ png, ms: at + 1 < shots.length ? TIME : LAST });
  }
  const save = (name, png) => writeFileSync(`${folder}/${name}.png`, png);
  const moving = animation(pictures);
  assert.ok(moving.length <= 500_000, `the animation has ${moving.length} bytes; expected at most 500,000`);
  save('game-800', moving);
  save('game-still-800', Buffer.from(await differing(blank, shots.at(-1)), 'base64'));
} finally {
  await browser.close();
  await server.stop();
}

// `node fair.mjs [addresses] [games] [seconds] [postgres]`: while each address keeps its games against `engine:10s` and an
// analysis, newcomers play a level, ask for a review, and look at previews.
import { join } from 'node:path';
import { Client } from './client.mjs';
import { Report } from './report.mjs';
import { folder, guest, percentile, post, startAlinea, startPostgres, wait } from './server.mjs';

const [addresses, games, seconds] = [64, 8, 60].map((usual, i) => Number(process.argv[2 + i] ?? usual));
const onPostgres = process.argv[5] === 'postgres';
const ATTACKED = 'connect-four:16x16x5';
const LEVEL = { kind: 'program', name: 'level:3' };

const data = onPostgres ? await (await startPostgres()).database() : join(folder(), 'data.db');
const extra = ['--programs', '2', '--trust-proxy', '127.0.0.1'];
const server = await startAlinea(data, { extra });
const { url } = server;

/** Someone at an address of a network of their own. */
async function visitor(number) {
  const address = { 'x-forwarded-for': `10.${number >> 8}.${number & 255}.1` };
  const cookie = await guest(url, address);
  const headers = { cookie, ...address };
  return {
    post: (path, body) => post(url + path, headers, body),
    connect: () => Client.connect(url, cookie, address),
    fetch: (path, options = {}) =>
      fetch(url + path, { ...options, headers: { 'content-type': 'application/json', origin: url, ...headers } }),
  };
}

let moves = 0;
let analyses = 0;

/** Keeps games against a program that thinks for long, and an analysis. */
async function attack(number) {
  const attacker = await visitor(number);
  const connection = await attacker.connect();
  const play = (table, ply) => {
    // Any legal move will do: a column that is not full.
    const column = 1 + (ply % 16);
    connection.send('make-move', { table, ply, move: String(column) });
  };
  connection.on('move-made', ({ table, ply }) => {
    if (ply % 2 === 0) return;
    moves += 1;
    play(table, ply + 1);
  });
  const analyse = () => connection.send('analyse', { game: ATTACKED, moves: '', lines: 1 });
  connection.on('assessment', ({ done }) => {
    if (!done) return;
    analyses += 1;
    analyse();
  });
  connection.on('analysis-ended', () => setTimeout(analyse, 1_000));
  for (let game = 0; game < games; game += 1) {
    const opponent = { kind: 'program', name: 'engine:10s' };
    const { table } = await attacker.post('/api/tables', { game: ATTACKED, opponent, side: 'second' });
    await connection.ask('join', { table });
  }
  analyse();
}

const times = { level: [], review: [], preview: [] };
const faults = [];

/** Runs work and records how long it takes. */
async function timed(kind, work) {
  const start = performance.now();
  try {
    await work();
  } catch (error) {
    faults.push(`${kind}: ${error.message}`);
  }
  times[kind].push((performance.now() - start) / 1_000);
}

/** A game against a level: the time until each of its answers. */
async function playLevel(newcomer) {
  const connection = await newcomer.connect();
  const { table } = await newcomer.post('/api/tables', { game: 'connect-four', opponent: LEVEL, side: 'first' });
  await connection.ask('join', { table });
  for (let ply = 1; ply < 6; ply += 2) {
    const answered = new Promise((resolve) => connection.on('move-made', (made) => made.ply === ply + 1 && resolve()));
    await timed('level', async () => {
      await connection.ask('make-move', { table, ply, move: '4' });
      await Promise.race([answered, wait(60_000).then(() => Promise.reject(new Error('no answer within 60 s')))]);
    });
  }
  connection.close();
}

/** The time until the first move of a review. */
function review(newcomer) {
  return timed('review', async () => {
    const body = JSON.stringify({ game: 'connect-four', moves: '4 4 3 5 3 3 2 1' });
    const answer = await newcomer.fetch('/api/review', { method: 'POST', body });
    if (!answer.ok) throw new Error(`${answer.status}`);
    const reader = answer.body.getReader();
    const { value } = await reader.read();
    JSON.parse(Buffer.from(value).toString().split('\n')[0]);
    await reader.cancel();
  });
}

function preview(newcomer, number) {
  return timed('preview', async () => {
    const moves = [1 + (number % 7), 1 + ((number >> 3) % 7), 1 + ((number >> 6) % 7)].join('+');
    const answer = await newcomer.fetch(`/api/picture.png?game=connect-four&moves=${moves}`);
    if (!answer.ok) throw new Error(`${answer.status}`);
    await answer.arrayBuffer();
  });
}

// Previews first, on an idle server, for their cost.
const artist = await visitor(60_000);
await preview(artist, 500);
const before = server.cpu();
const drawn = 5;
for (let number = 0; number < drawn; number += 1) await preview(artist, number);
const cost = ((server.cpu() - before) * 1_000) / drawn;
times.preview.length = 0;

for (let number = 1; number <= addresses; number += 1) await attack(number);
// Everyone has had a chance to fill the queue.
await wait(5_000);
const end = performance.now() + seconds * 1_000;
for (let number = 0; performance.now() < end; number += 1) {
  const newcomer = await visitor(10_000 + number);
  await playLevel(newcomer);
  await review(await visitor(20_000 + number));
  await preview(newcomer, 100 + number);
}
const backlog = await server.metric('alinea_queue{class="opponent"}');
await server.kill('SIGTERM');

const report = new Report();
report.figure('addresses', addresses);
report.figure('searches that wait at the end', backlog);
report.figure('moves of engine:10s meanwhile', moves);
report.figure('analyses meanwhile', analyses);
report.figure('answers of levels', times.level.length);
const quantiles = [
  ['level', 2],
  ['review', 5],
  ['preview', 2],
];
for (const [kind, most] of quantiles) {
  report.figure(`${kind} p50`, percentile(times[kind], 50), { unit: 's' });
  report.figure(`${kind} p95`, percentile(times[kind], 95), { most, unit: 's' });
}
report.figure('CPU time of a preview', cost, { most: 50, unit: 'ms' });
report.guarantee('newcomers are served', faults);
report.end();

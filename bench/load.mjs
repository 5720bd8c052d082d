// `node load.mjs [rooms] [rounds] [seconds]`: rooms of two players who move as fast as they can, on Alinea with SQLite,
// which stores every move before it acknowledges it, on Alinea with an in-memory database, and on a minimal Node server
// that stores nothing. All servers run on core 0 in short alternating turns, since the speed of a machine varies; the
// clients run on core 1. The variable BEFORE names another build of Alinea, to be compared in the same turns.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Pair, PeerPair, end } from './play.mjs';
import { folder, guest, percentile, startAlinea, startPeer, wait } from './server.mjs';
import { Report } from './report.mjs';

const [rooms, rounds, seconds] = [500, 21, 2].map((usual, i) => Number(process.argv[i + 2] ?? usual));
execFileSync('taskset', ['-cp', '1', String(process.pid)]);
/** Play before counting starts in a turn. */
const RUN_UP_MS = 200;
const WARM_UP_ROUNDS = 2;
/** A move that takes longer counts as lost. */
const QUIET_WITHIN_MS = 10_000;

/** A server and its players. */
class Side {
  turns = [];
  times = [];
  #isCounting = false;

  constructor(name, server) {
    Object.assign(this, { name, server });
    this.onMove = (ms) => this.#isCounting && this.times.push(ms);
  }

  async seat(newPair) {
    this.pairs = [];
    for (let i = 0; i < rooms; i += 1) this.pairs.push(await newPair(i).seat());
    this.pairs.forEach((pair) => pair.pause());
    this.ends = this.pairs.map((pair) => pair.begin());
    return this;
  }

  async play({ isWarmUp }) {
    this.pairs.forEach((pair) => pair.resume());
    await wait(RUN_UP_MS);
    const [before, cpu, start] = [this.times.length, this.server.cpu(), performance.now()];
    this.#isCounting = !isWarmUp;
    await wait(seconds * 1_000);
    this.#isCounting = false;
    const took = (performance.now() - start) / 1_000;
    const moves = this.times.length - before;
    if (!isWarmUp)
      this.turns.push({
        rate: moves / took,
        cpu: ((this.server.cpu() - cpu) * 1e6) / moves,
        memory: this.server.memory(),
      });
    this.pairs.forEach((pair) => pair.pause());
    const deadline = performance.now() + QUIET_WITHIN_MS;
    while (performance.now() < deadline && this.pairs.some(({ isQuiet }) => !isQuiet)) await wait(10);
    for (const pair of this.pairs.filter(({ isQuiet }) => !isQuiet))
      pair.finish(new Error(`${pair.table} does not answer`));
  }

  median(what) {
    return percentile(
      this.turns.map((turn) => turn[what]),
      50,
    );
  }

  /** Ratios of neighbouring turns: median, lower and upper quartile. */
  ratios(other, what) {
    const ratios = this.turns.map((turn, i) => turn[what] / other.turns[i][what]);
    return [50, 25, 75].map((p) => percentile(ratios, p));
  }
}

async function ofAlinea(name, data, program) {
  const server = await startAlinea(data, { core: 0, program });
  const cookies = [await guest(server.url), await guest(server.url)];
  const side = new Side(name, server);
  return side.seat(() => new Pair(server.url, cookies, side.onMove));
}

async function ofPeer(name) {
  const server = await startPeer({ core: 0 });
  const side = new Side(name, server);
  return side.seat((i) => new PeerPair(server.url, `t${i}`, side.onMove));
}

const node = await ofPeer('Node, nothing stored');
const stored = await ofAlinea('Alinea, stored', join(folder(), 'data.db'));
const inMemory = await ofAlinea('Alinea, in memory', ':memory:');
const before = process.env.BEFORE && {
  stored: await ofAlinea('Alinea before, stored', join(folder(), 'data.db'), process.env.BEFORE),
  inMemory: await ofAlinea('Alinea before, in memory', ':memory:', process.env.BEFORE),
};
const sides = [node, stored, inMemory, ...(before ? [before.stored, before.inMemory] : [])];
for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1) {
  // Rotates the order of the servers.
  for (const side of round % 2 ? sides : sides.toReversed()) await side.play({ isWarmUp: round < 0 });
}
const faults = [];
for (const { pairs, ends, server } of sides) {
  faults.push(...(await end(pairs, ends)));
  pairs.forEach((pair) => pair.close());
  await server.kill('SIGTERM');
}

const report = new Report();
for (const side of sides) {
  report.figure(`${side.name}: rate`, side.median('rate'), { unit: 'moves/s' });
  report.figure(`${side.name}: p50`, percentile(side.times, 50), { unit: 'ms' });
  report.figure(`${side.name}: p99`, percentile(side.times, 99), { unit: 'ms' });
  report.figure(`${side.name}: CPU`, side.median('cpu'), { unit: 'µs/move', ...(side === stored && { most: 60 }) });
  report.figure(`${side.name}: memory`, side.median('memory'), { unit: 'MB' });
}
const comparisons = [
  ['rate relative to Node, stored', stored, node, 'rate', { least: 1 }],
  ['rate relative to Node, in memory', inMemory, node, 'rate', { least: 1.2 }],
  ['memory relative to Node', stored, node, 'memory', { most: 0.5 }],
];
if (before) {
  comparisons.push(
    ['rate relative to before, stored', stored, before.stored, 'rate', { least: 1 }],
    ['rate relative to before, in memory', inMemory, before.inMemory, 'rate', { least: 1 }],
    ['CPU relative to before, stored', stored, before.stored, 'cpu', { most: 1 }],
    ['CPU relative to before, in memory', inMemory, before.inMemory, 'cpu', { most: 1 }],
    ['memory relative to before', stored, before.stored, 'memory', {}],
  );
}
for (const [name, side, other, what, limit] of comparisons) {
  const [median, quarter, threeQuarters] = side.ratios(other, what);
  report.figure(name, median, limit);
  report.figure(`${name}: interquartile range`, `${quarter.toFixed(2)} to ${threeQuarters.toFixed(2)}`);
}
report.guarantee('lost, duplicated, out of order or rejected', faults);
report.end();

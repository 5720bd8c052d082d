// Starts servers, optionally pinned to a core, and reports the resources they used.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const built = (name) => {
  const paths = ['release', 'debug'].map((kind) => new URL(`../target/${kind}/${name}`, import.meta.url).pathname);
  return paths.find(existsSync) ?? paths[0];
};
const ALINEA = process.env.ALINEA ?? new URL('../target/release/alinea', import.meta.url).pathname;
const TESTKIT = process.env.TESTKIT ?? built('testkit');

export const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Killed when this process exits. */
const children = new Set();
process.on('exit', () => children.forEach((child) => child.kill('SIGKILL')));

/** Starts a program and waits for the line with its address. */
export function start(command, args, { core } = {}) {
  const pinned = core === undefined ? [command, args] : ['taskset', ['-c', String(core), command, ...args]];
  const env = { RUST_LOG: 'error', ...process.env };
  const child = spawn(...pinned, { stdio: ['ignore', 'pipe', 'inherit'], env });
  children.add(child);
  child.on('exit', () => children.delete(child));
  return new Promise((resolve, reject) => {
    let text = '';
    child.on('exit', (code) => reject(new Error(`${command} ended with ${code}`)));
    child.stdout.on('data', (data) => {
      text += data;
      const found = text.match(/http:\/\/\S+/);
      if (found) resolve(new Running(child, found[0].replace(/\/$/, '')));
    });
  });
}

/** An Alinea server, without rate limits unless given. */
export function startAlinea(data, options = {}) {
  const { core, listen = '127.0.0.1:0', limits = 0, extra = [], program = ALINEA } = options;
  const store = data.startsWith('postgres') ? ['--database-url', data] : ['--data', data];
  return start(program, ['serve', '--listen', listen, ...store, '--limits', String(limits), ...extra], { core });
}

export const startPeer = (options) => start('node', [new URL('./node-server.mjs', import.meta.url).pathname], options);

/** A temporary PostgreSQL without fsync, which stops with this process. */
export async function startPostgres() {
  const child = spawn(TESTKIT, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (word) => {
    child.stdin.write(`${word}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error('PostgreSQL has exited');
    return value;
  };
  return { database: () => ask('database'), stop: () => ask('stop'), start: () => ask('start') };
}

/** A temporary folder, removed on exit. */
export function folder() {
  const path = mkdtempSync(join(tmpdir(), 'alinea-'));
  process.on('exit', () => rmSync(path, { recursive: true, force: true }));
  return path;
}

const TICKS_PER_SECOND = 100;

class Running {
  constructor(child, url) {
    this.child = child;
    this.url = url;
    this.ended = new Promise((resolve) => child.on('exit', resolve));
  }

  /** CPU time so far, in seconds. */
  cpu() {
    const fields = readFileSync(`/proc/${this.child.pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  }

  /** Resident memory in megabytes. */
  memory() {
    const text = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
    return Number(text.match(/VmRSS:\s+(\d+)/)[1]) / 1024;
  }

  /** The number of open files and sockets. */
  descriptors() {
    return readdirSync(`/proc/${this.child.pid}/fd`).length;
  }

  /** A Prometheus metric. */
  async metric(name) {
    const text = await (await fetch(`${this.url}/metrics`)).text();
    return Number(text.match(new RegExp(`^${name} (\\S+)$`, 'm'))?.[1] ?? 0);
  }

  async kill(signal = 'SIGKILL') {
    this.child.kill(signal);
    await this.ended;
  }
}

/** The cookie of a new guest. */
export async function guest(url, headers = {}) {
  const answer = await fetch(`${url}/api/me`, { headers });
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

/** The cookie of a new account, and its name. */
export async function account(url) {
  const name = `p${process.pid}x${(accounts += 1)}`;
  const answer = await fetch(`${url}/api/account`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ name, password: 'correct horse' }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return {
    name,
    cookie: answer.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; '),
  };
}

let accounts = 0;

const agent = new Agent({ keepAlive: true });

/** Posts JSON. Lighter than `fetch`, so that the client is not the bottleneck. */
export function post(url, headers, body) {
  return new Promise((resolve, reject) => {
    const options = {
      method: 'POST',
      agent,
      headers: { 'content-type': 'application/json', origin: new URL(url).origin, ...headers },
    };
    const outgoing = request(url, options, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (more) => (text += more));
      answer.on('end', () => resolve(JSON.parse(text)));
      answer.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(JSON.stringify(body));
  });
}

/** A table that waits for a second player. */
export async function newTable(url, cookie, settings) {
  const table = { game: 'connect-four', opponent: { kind: 'link' }, side: 'first', ...settings };
  const made = await post(`${url}/api/tables`, { cookie }, table);
  if (!made.table) throw new Error(JSON.stringify(made));
  return made.table;
}

/** A full board of Connect Four without a line: 42 moves. */
export const DRAWN_GAME = drawnGame();

function drawnGame() {
  // A drawn order of columns: rows of blocks without a line of four.
  return '1 2 1 2 2 1 2 1 1 2 1 2 3 4 3 4 4 3 4 3 3 4 3 4 5 6 5 6 6 5 6 5 5 6 5 6 7 7 7 7 7 7'.split(' ');
}

export function percentile(list, p) {
  const sorted = list.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * p) / 100))];
}

/** The slope of the regression line through points [x, y]. */
export function slope(points) {
  const mean = (of) => points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [mean(([at]) => at), mean(([, value]) => value)];
  return mean(([at, value]) => (at - x) * (value - y)) / mean(([at]) => (at - x) ** 2);
}

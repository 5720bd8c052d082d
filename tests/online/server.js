// Starts the server as a child process, on a free port and with its own database.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));
export const programs = process.env.ALINEA_PROGRAMS ?? join(root, 'target/debug');

/// Whether this run uses PostgreSQL.
export const onPostgres = process.env.ALINEA_BACKEND === 'postgres';

/// Reads the output of a child process line by line.
function lines(child) {
  const waiting = [];
  const said = [];
  let ended = false;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const next = waiting.shift();
    if (next) next(line);
    else said.push(line);
  });
  child.on('close', () => {
    ended = true;
    waiting.splice(0).forEach((next) => next(undefined));
  });
  return () =>
    said.length
      ? Promise.resolve(said.shift())
      : ended
        ? Promise.resolve(undefined)
        : new Promise((done) => waiting.push(done));
}

/// A temporary PostgreSQL cluster; it stops with this process, even if this one is killed.
export async function startPostgres() {
  const child = spawn(join(programs, 'testkit'), { stdio: ['pipe', 'pipe', 'inherit'] });
  const line = lines(child);
  const ask = async (word) => {
    child.stdin.write(`${word}\n`);
    const answer = await line();
    assert.ok(answer !== undefined, 'the cluster runs');
    return answer;
  };
  return {
    database: () => ask('database'),
    stop: () => ask('stop'),
    start: () => ask('start'),
    async end() {
      child.stdin.end();
      await once(child, 'close');
    },
  };
}

let cluster;

/// A new database: arguments for the server, and how to clean up.
export async function newDatabase() {
  if (onPostgres) {
    cluster ??= startPostgres();
    const url = await (await cluster).database();
    return { args: ['--database-url', url], url, async end() {} };
  }
  const folder = mkdtempSync(join(tmpdir(), 'alinea-online-'));
  return {
    args: ['--data', join(folder, 'alinea.db')],
    folder,
    end: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

/// Stops what the tests in this file share.
export async function stopShared() {
  await (await cluster)?.end();
  cluster = undefined;
}

/// Queries PostgreSQL directly.
export async function sql(url, words) {
  const env = { ...process.env, PGOPTIONS: '-c default_transaction_read_only=off' };
  const { stdout } = await promisify(execFile)(
    psql(),
    ['--no-psqlrc', '--quiet', '--tuples-only', '--no-align', '-v', 'ON_ERROR_STOP=1', url, '-c', words],
    { env },
  );
  return stdout.trim();
}

/// Debian keeps the programs of each version in a separate folder.
function psql() {
  const folder = '/usr/lib/postgresql';
  try {
    const newest = readdirSync(folder)
      .sort((a, b) => a - b)
      .at(-1);
    return join(folder, newest, 'bin/psql');
  } catch {
    return 'psql';
  }
}

/// Runs the program and returns its exit code and output.
export async function run(...args) {
  const child = spawn(join(programs, 'alinea'), args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (data) => (stdout += data));
  child.stderr.on('data', (data) => (stderr += data));
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}

/// A running server.
export class Server {
  /// Options are those of `alinea serve`; a database can be shared with another server; `files` may be open at once.
  static async start({ options = [], database, env = {}, files } = {}) {
    const own = database ? undefined : await newDatabase();
    // The full disk is simulated by a file size limit, which must give an error and not kill the process.
    const shell = [
      '-c',
      `trap '' XFSZ; ${files ? `ulimit -n ${files};` : ''} exec "$@"`,
      'sh',
      join(programs, 'alinea'),
    ];
    const child = spawn(
      'sh',
      [
        ...shell,
        'serve',
        '--listen',
        '127.0.0.1:0',
        '--trust-proxy',
        '127.0.0.1',
        ...(database ?? own).args,
        ...options,
      ],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, ...env },
      },
    );
    const server = new Server();
    Object.assign(server, { child, own, database: database ?? own, log: '', closed: once(child, 'close') });
    child.stderr.on('data', (data) => (server.log += data));
    const line = await lines(child)();
    assert.match(line ?? server.log, /^listening on http:\/\/127\.0\.0\.1:\d+$/);
    server.url = line.slice('listening on '.length);
    return server;
  }

  /// Stops gracefully; resolves with the exit code.
  async stop(signal = 'SIGTERM') {
    this.child.kill(signal);
    const [code] = await this.closed;
    await this.own?.end();
    return code;
  }

  /// Kills the process; the database stays.
  async kill() {
    this.child.kill('SIGKILL');
    await this.closed;
  }

  /// Resident memory in megabytes.
  memory() {
    const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
    return Number(status.match(/VmRSS:\s+(\d+)/)[1]) / 1024;
  }

  /// A Prometheus metric.
  async metric(name) {
    const text = await (await this.fetch('/metrics')).text();
    return Number(text.match(new RegExp(`^${name} (\\S+)$`, 'm'))?.[1] ?? 0);
  }

  /// What the server has at an address, as a stranger sees it.
  fetch(path, options = {}) {
    return fetch(this.url + path, options);
  }
}

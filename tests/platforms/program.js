// The program under test: built for this system, or for another one that an emulator runs.
//
// ALINEA_PROGRAMS   the folder with `alinea` and `examples/faulty_engine`; by default target/debug
// ALINEA_RUNNER     the emulator and its arguments, such as `wine` or `qemu-aarch64 -L /usr/aarch64-linux-gnu`
// ALINEA_TESTKIT    the program `testkit`, which starts PostgreSQL on this system; without it, PostgreSQL is not tested

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const runner = (process.env.ALINEA_RUNNER ?? '').split(' ').filter(Boolean);

export const isWine = runner[0] === 'wine';
export const isWindows = process.platform === 'win32' || isWine;
export const isMac = process.platform === 'darwin';

const exe = isWindows ? '.exe' : '';
const programs = resolve(root, process.env.ALINEA_PROGRAMS ?? 'target/debug');
const alinea = join(programs, `alinea${exe}`);

/// A path as the program under test names it.
export const path = (name) => (isWine ? `Z:${name.replaceAll('/', '\\')}` : name);

/// The command of an engine that misbehaves.
export const faulty = (kind, port) =>
  `external:${path(join(programs, 'examples', `faulty_engine${exe}`))} ${kind} ${port}`;

/// A new folder, with a name as people have them.
export function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'alinea jogos ção '));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }) };
}

/// Starts the program.
export function start(args, options = {}) {
  const [command, ...all] = [...runner, alinea, ...args];
  const env = { ...process.env, WINEDEBUG: '-all', ...options.env };
  return spawn(command, all, { stdio: ['pipe', 'pipe', 'pipe'], ...options, env });
}

/// Runs the program to its end and returns its exit code and output.
export async function run(args, { input = '', ...options } = {}) {
  const child = start(args, options);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  child.stdin.on('error', () => {}).end(input);
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}

/// Runs a command that must succeed, and returns its output.
export async function output(args, options) {
  const { code, stdout, stderr } = await run(args, options);
  assert.equal(code, 0, `${args.join(' ')}: ${stderr}${stdout}`);
  return stdout;
}

/// A running server.
export class Server {
  /// The database is `--data` with a file, or `--database-url` with an address.
  static async start(...database) {
    const server = new Server();
    server.child = start(['serve', '--listen', '127.0.0.1:0', '--trust-proxy', '127.0.0.1', ...database]);
    server.closed = once(server.child, 'close');
    server.log = '';
    server.child.stderr.on('data', (text) => (server.log += text));
    const line = await new Promise((done) => {
      createInterface({ input: server.child.stdout }).once('line', done).once('close', done);
    });
    assert.match(line ?? server.log, /^listening on http:\/\/127\.0\.0\.1:\d+$/);
    server.url = line.slice('listening on '.length);
    return server;
  }

  /// Ends the process at once: data on disk must do.
  async kill() {
    this.child.kill('SIGKILL');
    await this.closed;
  }
}

/// A temporary PostgreSQL cluster of this system, for a program that cannot use its Unix socket: TCP leads to the socket.
export class Postgres {
  /// All connections, which Wine may keep when it kills a program.
  #open = [];

  static async start() {
    const cluster = new Postgres();
    cluster.child = spawn(process.env.ALINEA_TESTKIT, { stdio: ['pipe', 'pipe', 'inherit'] });
    cluster.child.stdin.write('database\n');
    const [text] = await once(cluster.child.stdout.setEncoding('utf8'), 'data');
    const { pathname, searchParams } = new URL(text.trim());
    const socket = join(searchParams.get('host'), '.s.PGSQL.5432');
    cluster.server = createServer((near) => {
      const far = connect(socket);
      for (const end of [near, far]) cluster.#open.push(end.on('error', () => {}));
      near.pipe(far).pipe(near);
    });
    cluster.server.listen(0, '127.0.0.1');
    await once(cluster.server, 'listening');
    cluster.url = `postgres://postgres@127.0.0.1:${cluster.server.address().port}${pathname}?sslmode=disable`;
    return cluster;
  }

  async end() {
    this.server.close();
    for (const socket of this.#open) socket.destroy();
    this.child.stdin.end();
    await once(this.child, 'close');
  }
}

/// The program in a terminal of 100 columns and 40 rows, which tmux draws.
export class Terminal {
  static #count = 0;

  constructor(args, env = {}) {
    this.socket = `alinea-platforms-${process.pid}-${(Terminal.#count += 1)}`;
    const quoted = [...runner, alinea, ...args].map((arg) => `'${arg}'`).join(' ');
    const set = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    // A pause at the end keeps the screen. Ctrl-C ends the program and not the shell.
    const command = `trap : INT; ${quoted}; printf 'ended:%s:' $?; read -r _`;
    const size = ['-x', '100', '-y', '40'];
    this.tmux('-f', '/dev/null', 'new-session', '-d', ...size, ...set, 'sh', '-c', command);
  }

  tmux(...args) {
    const env = { ...process.env, LC_ALL: 'C.UTF-8' };
    delete env.TMUX;
    return execFileSync('tmux', ['-u', '-L', this.socket, ...args], { encoding: 'utf8', env });
  }

  press(...keys) {
    this.tmux('send-keys', ...keys);
  }

  /// Waits until the screen shows a text.
  async shows(pattern) {
    for (;;) {
      const screen = this.tmux('capture-pane', '-p');
      if (pattern.test(screen)) return screen;
      assert.doesNotMatch(screen, /ended:/, `${pattern}`);
      await new Promise((done) => setTimeout(done, 20));
    }
  }

  end() {
    this.tmux('kill-server');
  }
}

/// Sees which processes of engines live: each holds a connection, which the system closes with the process.
export class Lives {
  open = new Map();
  #changed = () => {};

  static async start() {
    const lives = new Lives();
    lives.server = createServer((socket) => {
      const gone = () => {
        lives.open.delete(socket);
        lives.#changed();
      };
      // A killed process may reset its connection.
      socket.on('error', () => {}).on('close', gone);
      createInterface({ input: socket })
        .on('error', () => {})
        .once('line', (kind) => {
          lives.open.set(socket, kind);
          lives.seen.add(kind);
          lives.#changed();
        });
    });
    lives.server.listen(0, '127.0.0.1');
    await once(lives.server, 'listening');
    lives.port = lives.server.address().port;
    return lives;
  }

  /// The kinds of processes that ever lived.
  seen = new Set();

  /// Waits until exactly these live.
  async are(...kinds) {
    const wanted = kinds.sort().join();
    for (;;) {
      if ([...this.open.values()].sort().join() === wanted) return;
      await new Promise((done) => (this.#changed = done));
    }
  }

  end() {
    for (const socket of this.open.keys()) socket.destroy();
    this.server.close();
  }
}

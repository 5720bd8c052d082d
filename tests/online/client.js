// A user with a browser: keeps cookies, sends HTTP requests, and plays over Socket.IO.

import assert from 'node:assert/strict';
import { io } from 'socket.io-client';

/// Timeout of every wait; long, because the machine may be busy.
const TIMEOUT_MS = 30_000;

/// Rejects if the promise does not settle before the timeout.
export function within(promise, what) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`timed out: ${what}`)), TIMEOUT_MS);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

const open = new Set();

/// Closes all connections of the tests in this file.
export function closeAll() {
  for (const socket of open) socket.disconnect();
  open.clear();
}

/// All events that a socket received, in order, and a way to wait for later ones.
class EventLog {
  received = [];
  #waiting = [];

  constructor(socket) {
    const record = (name, data) => {
      this.received.push({ name, data });
      this.#resolve();
    };
    socket.onAny(record);
    socket.on('disconnect', (reason) => record('disconnect', reason));
    socket.on('connect_error', (error) => record('connect_error', error));
  }

  #resolve() {
    this.#waiting = this.#waiting.filter(({ wanted, done }) => {
      const found = this.received.find(wanted);
      if (found) done(found.data);
      return !found;
    });
  }

  /// The first past or future event of this name that matches.
  waitFor(name, fits = () => true) {
    const wanted = (told) => told.name === name && fits(told.data);
    const found = this.received.find(wanted);
    if (found) return Promise.resolve(found.data);
    return within(new Promise((done) => this.#waiting.push({ wanted, done })), `${name} ${fits}`);
  }
}

/// A connection.
export class Connection {
  constructor(socket) {
    this.socket = socket;
    this.log = new EventLog(socket);
    open.add(socket);
  }

  /// Sends a command and waits for its acknowledgement.
  ask(name, data = {}) {
    return within(new Promise((done) => this.socket.emit(name, data, done)), `answer to ${name}`);
  }

  /// Sends a command that must succeed.
  async done(name, data) {
    const answer = await this.ask(name, data);
    assert.equal(answer.ok, true, `${name} ${JSON.stringify(data)}: ${JSON.stringify(answer)}`);
    return answer;
  }

  /// Sends a command that must fail with this code.
  async refused(code, name, data) {
    const answer = await this.ask(name, data);
    assert.equal(answer.code, code, `${name} ${JSON.stringify(data)}: ${JSON.stringify(answer)}`);
    assert.equal(answer.ok, false);
    assert.equal(typeof answer.message, 'string');
    return answer;
  }

  waitFor(name, fits) {
    return this.log.waitFor(name, fits);
  }

  /// The move with this ply.
  moveMade(ply) {
    return this.waitFor('move-made', (made) => made.ply === ply);
  }

  /// A table event of this kind.
  event(kind, fits = () => true) {
    return this.waitFor('table-event', (told) => told.event.kind === kind && fits(told.event)).then(
      (told) => told.event,
    );
  }

  /// All versions of a table that were received.
  versions(table) {
    return this.log.received
      .filter(({ data }) => data?.table === table && data.v !== undefined)
      .map(({ data }) => data.v);
  }

  close() {
    open.delete(this.socket);
    this.socket.disconnect();
  }
}

/// A user.
export class Client {
  cookies = new Map();

  /// Each client has its own address, as a proxy would report it.
  constructor(server, headers = {}) {
    this.server = server;
    this.headers = { 'x-forwarded-for': newAddress(), ...headers };
  }

  get cookie() {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async fetch(method, path, body, headers = {}) {
    const all = { ...this.headers, ...headers };
    if (this.cookies.size) all.cookie = this.cookie;
    if (body !== undefined) all['content-type'] ??= 'application/json';
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    const response = await within(
      fetch(this.server.url + path, { method, body: text, headers: all }),
      `${method} ${path}`,
    );
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = cookie.match(/^([^=]+)=([^;]*)/);
      if (/Max-Age=0/.test(cookie)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }

  /// Sends a request that must succeed.
  async ask(method, path, body) {
    const response = await this.fetch(method, path, body);
    const answer = await response.json();
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  }

  get(path) {
    return this.ask('GET', path);
  }

  post(path, body = {}) {
    return this.ask('POST', path, body);
  }

  /// Sends a request that must fail.
  async refused(status, code, method, path, body) {
    const response = await this.fetch(method, path, body);
    const answer = await response.json();
    assert.deepEqual(
      [response.status, answer.code, answer.ok],
      [status, code, false],
      `${method} ${path}: ${JSON.stringify(answer)}`,
    );
    return answer;
  }

  /// A connection with the current cookies.
  async connect(options = {}) {
    if (!this.cookies.size && !this.headers.authorization) await this.get('/api/me');
    const extraHeaders = { ...this.headers, ...options.extraHeaders };
    if (this.cookies.size) extraHeaders.cookie = this.cookie;
    const socket = io(this.server.url, {
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
      ...options,
      extraHeaders,
    });
    const connection = new Connection(socket);
    await within(
      new Promise((done, fail) => {
        socket.once('connect', done);
        socket.once('connect_error', fail);
      }),
      'a connection',
    );
    return connection;
  }

  /// Creates a table.
  table(game, opponent, more = {}) {
    return this.post('/api/tables', {
      game,
      opponent: typeof opponent === 'string' ? { kind: opponent } : opponent,
      side: 'first',
      ...more,
    });
  }

  /// A connection that has joined a table.
  async at(table, options = {}) {
    const connection = await this.connect(options);
    const answer = await connection.done('join', { table });
    connection.snapshot = answer.snapshot;
    connection.table = table;
    connection.do = (name, data = {}) => connection.done(name, { table, ...data });
    connection.not = (code, name, data = {}) => connection.refused(code, name, { table, ...data });
    connection.move = (ply, move) => connection.do('make-move', { ply, move });
    return connection;
  }

  /// Creates an account and signs in.
  async signUp(name, password = 'correct horse') {
    await this.post('/api/account', { name, password });
    this.name = name;
    return this;
  }
}

/// Two players at a table: the first created it, the second joined by link.
export async function two(server, game, more = {}) {
  const clients = [new Client(server), new Client(server)];
  const { table } = await clients[0].table(game, 'link', more);
  const first = await clients[0].at(table);
  const second = await clients[1].at(table);
  await second.do('sit');
  await first.event('seated');
  return { table, first, second, clients };
}

/// Plays moves alternately from ply `from`; waits for each acknowledgement.
export async function play(first, second, moves, from = 1) {
  for (const [i, move] of moves.trim().split(/\s+/).entries()) {
    const ply = from + i;
    await (ply % 2 ? first : second).move(ply, move);
  }
}

let names = 0;
/// An unused name.
export function newName() {
  names += 1;
  return `p${process.pid}x${names}`;
}

let addresses = 0;
function newAddress() {
  addresses += 1;
  // Each in a network of its own: many new addresses of one network share a quota.
  return `10.${(addresses >> 8) & 255}.${addresses & 255}.1`;
}

// Somebody with a browser: keeps cookies, asks over HTTP, and plays over Socket.IO.

import assert from "node:assert/strict";
import { io } from "socket.io-client";

/// How long anything may take that must happen; long, because the machine may be busy.
const PATIENCE_MS = 30_000;

/// Waits for something that must happen.
export function within(promise, what) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`never happened: ${what}`)), PATIENCE_MS);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

const open = new Set();

/// Ends all connections of this file's tests.
export function endAll() {
  for (const socket of open) socket.disconnect();
  open.clear();
}

/// Everything a socket was told, in order, and a way to wait for what was not told yet.
class Ears {
  heard = [];
  #waiting = [];

  constructor(socket) {
    const hear = (name, data) => {
      this.heard.push({ name, data });
      this.#look();
    };
    socket.onAny(hear);
    socket.on("disconnect", (reason) => hear("disconnect", reason));
    socket.on("connect_error", (error) => hear("connect_error", error));
  }

  #look() {
    this.#waiting = this.#waiting.filter(({ wanted, done }) => {
      const found = this.heard.find(wanted);
      if (found) done(found.data);
      return !found;
    });
  }

  /// What was or will be told under a name, if it is as wanted.
  hear(name, fits = () => true) {
    const wanted = (told) => told.name === name && fits(told.data);
    const found = this.heard.find(wanted);
    if (found) return Promise.resolve(found.data);
    return within(new Promise((done) => this.#waiting.push({ wanted, done })), `${name} ${fits}`);
  }
}

/// A connection.
export class Line {
  constructor(socket) {
    this.socket = socket;
    this.ears = new Ears(socket);
    open.add(socket);
  }

  /// Asks, and waits for the answer.
  ask(name, data = {}) {
    return within(new Promise((done) => this.socket.emit(name, data, done)), `answer to ${name}`);
  }

  /// Asks for what must be done.
  async done(name, data) {
    const answer = await this.ask(name, data);
    assert.equal(answer.ok, true, `${name} ${JSON.stringify(data)}: ${JSON.stringify(answer)}`);
    return answer;
  }

  /// Asks for what must be refused, and with which code.
  async refused(code, name, data) {
    const answer = await this.ask(name, data);
    assert.equal(answer.code, code, `${name} ${JSON.stringify(data)}: ${JSON.stringify(answer)}`);
    assert.equal(answer.ok, false);
    assert.equal(typeof answer.message, "string");
    return answer;
  }

  hear(name, fits) {
    return this.ears.hear(name, fits);
  }

  /// A move by its number.
  moveMade(ply) {
    return this.hear("move-made", (made) => made.ply === ply);
  }

  /// Something that happened at a table, by its kind.
  event(kind, fits = () => true) {
    return this.hear("table-event", (told) => told.event.kind === kind && fits(told.event)).then((told) => told.event);
  }

  /// All versions that were told about a table.
  versions(table) {
    return this.ears.heard.filter(({ data }) => data?.table === table && data.v !== undefined).map(({ data }) => data.v);
  }

  close() {
    open.delete(this.socket);
    this.socket.disconnect();
  }
}

/// Somebody.
export class Person {
  cookies = new Map();

  /// Each from an address of its own, as a proxy would tell.
  constructor(server, headers = {}) {
    this.server = server;
    this.headers = { "x-forwarded-for": newAddress(), ...headers };
  }

  get cookie() {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  async fetch(method, path, body, headers = {}) {
    const all = { ...this.headers, ...headers };
    if (this.cookies.size) all.cookie = this.cookie;
    if (body !== undefined) all["content-type"] ??= "application/json";
    const text = typeof body === "string" || body === undefined ? body : JSON.stringify(body);
    const response = await within(fetch(this.server.url + path, { method, body: text, headers: all }), `${method} ${path}`);
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = cookie.match(/^([^=]+)=([^;]*)/);
      if (/Max-Age=0/.test(cookie)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }

  /// Asks for what must be there or be done.
  async ask(method, path, body) {
    const response = await this.fetch(method, path, body);
    const answer = await response.json();
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  }

  get(path) {
    return this.ask("GET", path);
  }

  post(path, body = {}) {
    return this.ask("POST", path, body);
  }

  /// Asks for what must be refused.
  async refused(status, code, method, path, body) {
    const response = await this.fetch(method, path, body);
    const answer = await response.json();
    assert.deepEqual([response.status, answer.code, answer.ok], [status, code, false], `${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  }

  /// A connection, made with the cookies of now.
  async connect(options = {}) {
    if (!this.cookies.size && !this.headers.authorization) await this.get("/api/me");
    const extraHeaders = { ...this.headers, ...options.extraHeaders };
    if (this.cookies.size) extraHeaders.cookie = this.cookie;
    const socket = io(this.server.url, { transports: ["websocket"], forceNew: true, reconnection: false, ...options, extraHeaders });
    const line = new Line(socket);
    await within(
      new Promise((done, fail) => {
        socket.once("connect", done);
        socket.once("connect_error", fail);
      }),
      "a connection",
    );
    return line;
  }

  /// Makes a table.
  table(game, opponent, more = {}) {
    return this.post("/api/tables", { game, opponent: typeof opponent === "string" ? { kind: opponent } : opponent, side: "first", ...more });
  }

  /// A connection at a table.
  async at(table, options = {}) {
    const line = await this.connect(options);
    const answer = await line.done("join", { table });
    line.snapshot = answer.snapshot;
    line.table = table;
    line.do = (name, data = {}) => line.done(name, { table, ...data });
    line.not = (code, name, data = {}) => line.refused(code, name, { table, ...data });
    line.move = (ply, move) => line.do("make-move", { ply, move });
    return line;
  }

  /// Makes an account, which is signed in from then on.
  async signUp(name, password = "correct horse") {
    await this.post("/api/account", { name, password });
    this.name = name;
    return this;
  }
}

/// Two people at a table: the first has made it, the second came by the link.
export async function two(server, game, more = {}) {
  const people = [new Person(server), new Person(server)];
  const { table } = await people[0].table(game, "link", more);
  const first = await people[0].at(table);
  const second = await people[1].at(table);
  await second.do("sit");
  await first.event("seated");
  return { table, first, second, people };
}

/// Plays moves in turn, the first from `from`; waits for each answer.
export async function play(first, second, moves, from = 1) {
  for (const [i, move] of moves.trim().split(/\s+/).entries()) {
    const ply = from + i;
    await (ply % 2 ? first : second).move(ply, move);
  }
}

let names = 0;
/// A name that nobody has.
export function newName() {
  names += 1;
  return `p${process.pid}x${names}`;
}

let addresses = 0;
function newAddress() {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

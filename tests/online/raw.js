// A Socket.IO client by hand on a bare TCP connection: it sends whatever it likes, and reads only if it likes.

import { connect } from "node:net";
import { within } from "./person.js";

const SOCKET_IO = "/socket.io/?EIO=4&transport=websocket";
const [TEXT, CLOSE] = [1, 8];

/// A frame as a client sends it, masked with zeros. `length` may be a lie.
export function frame(opcode, payload, { length = payload.length, last = true } = {}) {
  const head = [(last ? 0x80 : 0) | opcode];
  if (length < 126) head.push(0x80 | length);
  else {
    const long = Buffer.alloc(8);
    long.writeBigUInt64BE(BigInt(length));
    head.push(0x80 | 127, ...long);
  }
  return Buffer.concat([Buffer.from(head), Buffer.alloc(4), payload]);
}

export const text = (words) => frame(TEXT, Buffer.from(words));

export class Raw {
  /// What the server has said, without its pings.
  heard = [];
  isClosed = false;
  #rest = Buffer.alloc(0);
  #waiting = [];

  /// Asks for a WebSocket; `status` is what the server answers.
  static async open(server, headers = {}) {
    const raw = new Raw();
    const { hostname, port } = new URL(server.url);
    raw.socket = connect(port, hostname);
    raw.socket.on("error", () => {});
    raw.closed = new Promise((done) => raw.socket.once("close", done)).then(() => (raw.isClosed = true));
    const lines = Object.entries({
      host: `${hostname}:${port}`,
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
      ...headers,
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    raw.socket.write(`GET ${SOCKET_IO} HTTP/1.1\r\n${lines.join("")}\r\n`);
    await within(new Promise((done) => raw.socket.on("data", (data) => raw.#read(data, done))), "an answer");
    return raw;
  }

  /// Somebody's connection, welcomed by the server.
  static async connect(person) {
    if (!person.cookies.size) await person.get("/api/me");
    const raw = await Raw.open(person.server, { ...person.headers, cookie: person.cookie });
    await raw.again();
    return raw;
  }

  /// Says hello, again if need be, and waits for the welcome.
  again() {
    const welcomes = () => this.heard.filter((words) => /^4[04]/.test(words)).length;
    const before = welcomes();
    this.say("40");
    return this.until(() => welcomes() > before, "a welcome");
  }

  #read(data, onHead) {
    this.#rest = Buffer.concat([this.#rest, data]);
    if (this.status === undefined) {
      const end = this.#rest.indexOf("\r\n\r\n");
      if (end < 0) return;
      this.status = Number(this.#rest.toString("latin1", 0, end).split(" ")[1]);
      this.#rest = this.#rest.subarray(end + 4);
      onHead();
    }
    for (;;) {
      const payload = this.#frame();
      if (payload === undefined) break;
      if (payload === "2") this.say("3");
      else this.heard.push(payload);
    }
    this.#waiting = this.#waiting.filter(({ fits, done }) => !fits() || done());
  }

  /// The next whole frame that came, as text.
  #frame() {
    const bytes = this.#rest;
    if (bytes.length < 2) return undefined;
    const short = bytes[1] & 127;
    const start = { 126: 4, 127: 10 }[short] ?? 2;
    if (bytes.length < start) return undefined;
    const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
    if (bytes.length < start + length) return undefined;
    this.#rest = bytes.subarray(start + length);
    return (bytes[0] & 15) === CLOSE ? "close" : bytes.toString("utf8", start, start + length);
  }

  until(fits, what) {
    if (fits()) return Promise.resolve();
    return within(new Promise((done) => this.#waiting.push({ fits, done })), what);
  }

  write(bytes) {
    this.socket.write(bytes);
  }

  say(words) {
    this.write(text(words));
  }

  emit(id, name, data) {
    this.say(`42${id}${JSON.stringify([name, data])}`);
  }

  /// The answers so far, in the order in which they came.
  answers() {
    const packets = this.heard.map((words) => words.match(/^43(\d+)(\[.*\])$/s)).filter(Boolean);
    return packets.map(([, id, data]) => ({ id: Number(id), ...JSON.parse(data)[0] }));
  }

  /// Asks, and waits for the answer; undefined if the connection ends instead.
  async ask(id, name, data) {
    this.emit(id, name, data);
    const found = () => this.answers().find((answer) => answer.id === id);
    await Promise.race([this.until(found, `answer to ${name}`), this.closed]);
    return found();
  }

  get isAway() {
    return this.isClosed || this.heard.includes("41");
  }

  /// How long the server takes to send the client away, with a goodbye or without, in milliseconds.
  async sentAway(what) {
    const start = performance.now();
    await Promise.race([this.until(() => this.isAway, `the server sends ${what} away`), this.closed]);
    return performance.now() - start;
  }

  /// How long the server takes to end the connection, in milliseconds.
  async end(what) {
    const start = performance.now();
    await within(this.closed, `the server ends the connection of ${what}`);
    return performance.now() - start;
  }
}

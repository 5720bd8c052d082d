// A Socket.IO client on a raw TCP connection that can send invalid frames and stop reading.

import { connect } from 'node:net';
import { within } from './client.js';

const SOCKET_IO = '/socket.io/?EIO=4&transport=websocket';
const [TEXT, CLOSE] = [1, 8];

/// A client frame, masked with zeros. `length` may differ from the payload's.
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

export class RawSocket {
  /// Text frames from the server, without its pings.
  received = [];
  isClosed = false;
  #rest = Buffer.alloc(0);
  #waiting = [];

  /// Requests a WebSocket, perhaps for a session that polls; `status` is the HTTP status of the answer.
  static async open(server, headers = {}, session = '') {
    const raw = new RawSocket();
    const { hostname, port } = new URL(server.url);
    raw.socket = connect(port, hostname);
    raw.socket.on('error', () => {});
    raw.closed = new Promise((done) => raw.socket.once('close', done)).then(() => (raw.isClosed = true));
    const lines = Object.entries({
      host: `${hostname}:${port}`,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      ...headers,
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    raw.socket.write(`GET ${SOCKET_IO}${session && `&sid=${session}`} HTTP/1.1\r\n${lines.join('')}\r\n`);
    await within(new Promise((done) => raw.socket.on('data', (data) => raw.#read(data, done))), 'an answer');
    return raw;
  }

  /// A connection of a client with an open namespace.
  static async connect(client) {
    if (!client.cookies.size) await client.get('/api/me');
    const raw = await RawSocket.open(client.server, { ...client.headers, cookie: client.cookie });
    await raw.openNamespace();
    return raw;
  }

  /// Sends CONNECT, possibly again, and waits for its answer.
  openNamespace() {
    const connects = () => this.received.filter((words) => /^4[04]/.test(words)).length;
    const before = connects();
    this.say('40');
    return this.until(() => connects() > before, 'the answer to CONNECT');
  }

  #read(data, onHead) {
    this.#rest = Buffer.concat([this.#rest, data]);
    if (this.status === undefined) {
      const end = this.#rest.indexOf('\r\n\r\n');
      if (end < 0) return;
      this.status = Number(this.#rest.toString('latin1', 0, end).split(' ')[1]);
      this.#rest = this.#rest.subarray(end + 4);
      onHead();
    }
    for (;;) {
      const payload = this.#frame();
      if (payload === undefined) break;
      if (payload === '2') this.say('3');
      else this.received.push(payload);
    }
    this.#waiting = this.#waiting.filter(({ fits, done }) => !fits() || done());
  }

  /// The next complete frame, as text.
  #frame() {
    const bytes = this.#rest;
    if (bytes.length < 2) return undefined;
    const short = bytes[1] & 127;
    const start = { 126: 4, 127: 10 }[short] ?? 2;
    if (bytes.length < start) return undefined;
    const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
    if (bytes.length < start + length) return undefined;
    this.#rest = bytes.subarray(start + length);
    return (bytes[0] & 15) === CLOSE ? 'close' : bytes.toString('utf8', start, start + length);
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

  /// The acknowledgements received so far, in order.
  answers() {
    const packets = this.received.map((words) => words.match(/^43(\d+)(\[.*\])$/s)).filter(Boolean);
    return packets.map(([, id, data]) => ({ id: Number(id), ...JSON.parse(data)[0] }));
  }

  /// Sends a command and waits for its acknowledgement; undefined if the connection closes instead.
  async ask(id, name, data) {
    this.emit(id, name, data);
    const found = () => this.answers().find((answer) => answer.id === id);
    await Promise.race([this.until(found, `answer to ${name}`), this.closed]);
    return found();
  }

  get isDisconnected() {
    return this.isClosed || this.received.includes('41');
  }

  /// Milliseconds until the server disconnects the client, with a DISCONNECT packet or without.
  async timeToClose(what) {
    const start = performance.now();
    await Promise.race([this.until(() => this.isDisconnected, `the server disconnects ${what}`), this.closed]);
    return performance.now() - start;
  }

  /// Milliseconds until the server closes the connection.
  async end(what) {
    const start = performance.now();
    await within(this.closed, `the server closes the connection of ${what}`);
    return performance.now() - start;
  }
}

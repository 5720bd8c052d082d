// A minimal Socket.IO client for load tests that writes frames and packets directly to a TCP connection, so that the
// client is not the bottleneck.
import { request } from 'node:http';

const [TEXT, CLOSE] = [0x81, 0x88];

/** A client frame, masked with zeros. */
function frame(text) {
  const length = Buffer.byteLength(text);
  const start = length < 126 ? 6 : 8;
  const bytes = Buffer.alloc(start + length);
  bytes[0] = TEXT;
  bytes[1] = 0x80 | Math.min(length, 126);
  if (length >= 126) bytes.writeUInt16BE(length, 2);
  bytes.write(text, start);
  return bytes;
}

export class Client {
  #socket;
  #rest;
  #acks = new Map();
  #next = 0;
  #isClosed = false;
  #handlers = new Map();
  #onConnect;
  #onError;
  onClose = () => {};

  /** `more` are headers. */
  static connect(url, cookie, more = {}) {
    const client = new Client();
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      cookie: cookie ?? '',
      origin: url,
      ...more,
    };
    return new Promise((resolve, reject) => {
      client.#onConnect = () => resolve(client);
      client.#onError = (why) => reject(new Error(why));
      const outgoing = request(`${url}/socket.io/?EIO=4&transport=websocket`, { headers, agent: false });
      outgoing.on('error', reject);
      outgoing.on('response', ({ statusCode }) => reject(new Error(`WebSocket upgrade failed: ${statusCode}`)));
      outgoing.on('upgrade', (_, socket, head) => client.#begin(socket, head));
      outgoing.end();
    });
  }

  #begin(socket, head) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#isClosed = true;
      this.#onError('closed');
      for (const [, ack] of this.#acks) ack?.(undefined);
      this.#acks.clear();
      this.onClose();
    });
    socket.on('data', (bytes) => this.#read(bytes));
    if (head.length) this.#read(head);
  }

  #read(more) {
    const bytes = this.#rest ? Buffer.concat([this.#rest, more]) : more;
    let at = 0;
    while (bytes.length - at >= 2) {
      const short = bytes[at + 1];
      const start = at + (short < 126 ? 2 : short === 126 ? 4 : 10);
      if (bytes.length < start) break;
      const end =
        start +
        (short < 126 ? short : short === 126 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2)));
      if (bytes.length < end) break;
      if (bytes[at] === TEXT) this.#packet(bytes.toString('utf8', start, end));
      else if (bytes[at] === CLOSE) this.#socket.end();
      at = end;
    }
    this.#rest = at < bytes.length ? bytes.subarray(at) : undefined;
  }

  #packet(text) {
    if (text.startsWith('42')) {
      const [name, data] = JSON.parse(text.slice(2));
      this.#handlers.get(name)?.(data);
    } else if (text.startsWith('43')) {
      const at = text.indexOf('[');
      const id = Number(text.slice(2, at));
      const ack = this.#acks.get(id);
      this.#acks.delete(id);
      ack?.(JSON.parse(text.slice(at))[0]);
    } else if (text === '2') this.raw('3');
    else if (text[0] === '0') this.raw('40');
    else if (text.startsWith('40')) this.#onConnect();
    else if (text.startsWith('44')) this.#onError(text);
  }

  on(name, handler) {
    this.#handlers.set(name, handler);
  }

  send(name, data, ack) {
    if (this.#isClosed) return ack?.(undefined);
    const id = this.#next++;
    this.#acks.set(id, ack);
    this.raw(`42${id}${JSON.stringify([name, data])}`);
  }

  /** The acknowledgement, or undefined if the connection closed first. */
  ask(name, data) {
    return new Promise((resolve) => this.send(name, data, resolve));
  }

  raw(text) {
    this.#socket.write(frame(text));
  }

  /** Stops reading. */
  pause() {
    this.#socket.pause();
  }

  close() {
    this.#socket.destroy();
  }
}

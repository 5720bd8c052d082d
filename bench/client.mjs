// A light Socket.IO client for load: the packets by hand over a WebSocket, so that the client is not what is measured.
import { WebSocket } from 'ws';

export class Client {
  #socket;
  #acks = new Map();
  #next = 0;
  #handlers = new Map();
  onClose = () => {};

  static connect(url, cookie) {
    const client = new Client();
    const address = `${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`;
    client.#socket = new WebSocket(address, {
      headers: { cookie: cookie ?? '', origin: url },
      perMessageDeflate: false,
    });
    return new Promise((resolve, reject) => {
      client.#socket.on('error', reject);
      client.#socket.on('close', () => {
        reject(new Error('closed'));
        for (const [, ack] of client.#acks) ack?.(undefined);
        client.#acks.clear();
        client.onClose();
      });
      client.#socket.on('message', (data) => {
        const text = data.toString();
        if (text === '2') client.#socket.send('3');
        else if (text[0] === '0') client.#socket.send('40');
        else if (text.startsWith('40')) resolve(client);
        else if (text.startsWith('44')) reject(new Error(text));
        else if (text.startsWith('42')) client.#event(text.slice(2));
        else if (text.startsWith('43')) {
          const at = text.indexOf('[');
          const id = Number(text.slice(2, at));
          const ack = client.#acks.get(id);
          client.#acks.delete(id);
          ack?.(JSON.parse(text.slice(at))[0]);
        }
      });
    });
  }

  #event(text) {
    const at = text.indexOf('[');
    const [name, data] = JSON.parse(text.slice(at));
    // The server measures the way to us by this.
    if (name === 'pulse' && at > 0) return this.#socket.send(`43${text.slice(0, at)}[null]`);
    this.#handlers.get(name)?.(data);
  }

  on(name, handler) {
    this.#handlers.set(name, handler);
  }

  send(name, data, ack) {
    const id = this.#next++;
    this.#acks.set(id, ack);
    this.#socket.send(`42${id}${JSON.stringify([name, data])}`);
  }

  /** The answer, or undefined if the connection ended before it came. */
  ask(name, data) {
    return new Promise((resolve) => this.send(name, data, resolve));
  }

  raw(text) {
    this.#socket.send(text);
  }

  /** Reads nothing any more. */
  pause() {
    this.#socket.pause();
  }

  close() {
    this.#socket.terminate();
  }
}

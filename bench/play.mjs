// Two clients that play the same drawn game over and over as fast as the server lets them, and note what must not happen.
import { Client } from './client.mjs';
import { DRAWN_GAME, newTable } from './server.mjs';

/**
 * Seats two clients at a table of Alinea. `onMove` gets the milliseconds from sending a move to its acknowledgement.
 * Ends by itself when `isOver()` says so.
 */
export class Pair {
  constructor(url, cookies, onMove, { pace = 0, settings = {} } = {}) {
    Object.assign(this, { url, cookies, onMove, pace, settings, moves: 0, isOver: false, faults: [] });
  }

  async seat() {
    this.clients = await Promise.all(this.cookies.map((cookie) => Client.connect(this.url, cookie)));
    await this.sitDown(await newTable(this.url, this.cookies[0], this.settings));
    this.clients.forEach((client, side) => {
      client.on('move-made', (made) => this.#hear(side, made));
    });
    return this;
  }

  async sitDown(table) {
    Object.assign(this, { table, acked: 0, heard: [0, 0] });
    const sat = await this.clients[1].ask('sit', { table });
    if (!sat?.ok) throw new Error(JSON.stringify(sat));
    for (const client of this.clients) {
      const joined = await client.ask('join', { table });
      if (!joined?.ok) throw new Error(JSON.stringify(joined));
    }
  }

  begin() {
    this.done = new Promise((resolve) => (this.finish = resolve));
    this.#move(0, 1);
    return this.done;
  }

  #hear(side, made) {
    if (made.table !== this.table) return;
    if (made.ply !== this.heard[side] + 1) this.faults.push(`${made.table}: move ${made.ply} after ${this.heard[side]}`);
    this.heard[side] = made.ply;
    if (made.ply % 2 !== side) return;
    if (made.ply < DRAWN_GAME.length) this.#move(side, made.ply + 1);
    else if (side === 0) this.#again();
  }

  #move(side, ply) {
    if (this.isOver) return this.finish();
    const send = () => {
      const start = performance.now();
      const message = { table: this.table, ply, move: DRAWN_GAME[ply - 1] };
      this.clients[side].send('make-move', message, (answer) => {
        if (answer?.ok) {
          this.moves += 1;
          // The other side may have begun the next game already.
          if (message.table === this.table) this.acked = ply;
          this.onMove(performance.now() - start);
        } else this.finish(new Error(JSON.stringify(answer)));
      });
    };
    if (this.pace) setTimeout(send, this.pace * (0.5 + Math.random()));
    else send();
  }

  async #again() {
    this.clients.forEach((client) => client.send('leave', { table: this.table }));
    await this.sitDown(await newTable(this.url, this.cookies[0], this.settings));
    this.#move(0, 1);
  }

  /** Looks whether what was acknowledged is stored, once and in order. */
  async check() {
    const { moves } = await (await fetch(`${this.url}/api/tables/${this.table}`)).json();
    const stored = moves.map(({ move }) => move);
    if (stored.length < this.acked) this.faults.push(`${this.table}: ${this.acked} acknowledged, ${stored.length} stored`);
    if (stored.join() !== DRAWN_GAME.slice(0, stored.length).join()) this.faults.push(`${this.table}: ${stored}`);
  }

  close() {
    this.clients.forEach((client) => client.close());
  }
}

/** Ends games that go on, and returns what went wrong in any of them. */
export async function end(pairs, ends) {
  pairs.forEach((pair) => (pair.isOver = true));
  const failed = (await Promise.all(ends)).filter(Boolean).map(({ message }) => message);
  for (let i = 0; i < pairs.length; i += 50) await Promise.all(pairs.slice(i, i + 50).map((pair) => pair.check?.()));
  return [...failed, ...pairs.flatMap((pair) => pair.faults ?? [])];
}

/** The same against the peer. */
export class PeerPair {
  constructor(url, table, onMove) {
    Object.assign(this, { url, table, onMove, moves: 0, isOver: false });
  }

  async seat() {
    this.clients = await Promise.all([0, 1].map(() => Client.connect(this.url)));
    for (const [side, client] of this.clients.entries()) {
      await client.ask('join', { table: this.table, side });
      client.on('move-made', (made) => {
        if (made.ply % 2 !== side) return;
        if (made.ply < DRAWN_GAME.length) this.#move(side, made.ply + 1);
        else if (side === 0) client.send('restart', { table: this.table }, () => this.#move(0, 1));
      });
    }
    return this;
  }

  begin() {
    this.done = new Promise((resolve) => (this.finish = resolve));
    this.#move(0, 1);
    return this.done;
  }

  #move(side, ply) {
    if (this.isOver) return this.finish();
    const start = performance.now();
    this.clients[side].send('make-move', { table: this.table, ply, move: DRAWN_GAME[ply - 1] }, (answer) => {
      if (answer?.ok) {
        this.moves += 1;
        this.onMove(performance.now() - start);
      } else this.finish(new Error(JSON.stringify(answer)));
    });
  }

  close() {
    this.clients.forEach((client) => client.close());
  }
}

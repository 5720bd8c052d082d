// Two clients that play the same drawn game repeatedly at full speed and record every violated guarantee.
import { Client } from './client.mjs';
import { DRAWN_GAME, newTable } from './server.mjs';

/** Two clients at a table. `onMove` receives the milliseconds from sending a move to its acknowledgement. */
class Players {
  isOver = false;
  isFinished = false;
  faults = [];
  #isPaused = false;
  #held;

  /** The second player may be connected to another node. */
  constructor(url, onMove, { pace = 0, second = url } = {}) {
    Object.assign(this, { url, onMove, pace, second });
  }

  /** Plays one game after another; resolves once `isOver`, with an error if there was one. */
  begin() {
    const done = new Promise((resolve) => (this.finish = resolve));
    this.move(0, 1);
    return done.finally(() => (this.isFinished = true));
  }

  /** Holds back the next move. */
  pause() {
    this.#isPaused = true;
  }

  /** Whether no move is in transit. */
  get isQuiet() {
    return this.#held !== undefined || this.isFinished;
  }

  resume() {
    const held = this.#held;
    this.#isPaused = false;
    this.#held = undefined;
    if (held) this.move(...held);
  }

  move(player, ply) {
    if (this.isOver) return this.finish();
    if (this.#isPaused) {
      this.#held = [player, ply];
      return;
    }
    const send = () => {
      const start = performance.now();
      const message = { table: this.table, ply, move: DRAWN_GAME[ply - 1] };
      this.clients[player].send('make-move', message, (answer) => {
        if (!answer?.ok) return this.finish(new Error(JSON.stringify(answer)));
        this.onMove(performance.now() - start);
        this.acknowledged?.(message);
      });
    };
    if (this.pace) setTimeout(send, this.pace * (0.5 + Math.random()));
    else send();
  }

  close() {
    this.clients.forEach((client) => client.close());
  }
}

/** A pair at a table of Alinea; after a game they play a rematch with sides exchanged. */
export class Pair extends Players {
  constructor(url, cookies, onMove, options) {
    super(url, onMove, options);
    this.cookies = cookies;
  }

  async seat() {
    const urls = [this.url, this.second];
    this.clients = await Promise.all(this.cookies.map((cookie, player) => Client.connect(urls[player], cookie)));
    this.clients.forEach((client, player) => client.on('move-made', (made) => this.#onEvent(player, made)));
    const table = await newTable(this.url, this.cookies[0]);
    await this.#ask(1, 'sit', { table });
    await this.#comeTo(table, 0);
    return this;
  }

  /** `first` is the player who moves first there. */
  async #comeTo(table, first) {
    Object.assign(this, { table, first, acked: 0, seen: [0, 0] });
    await Promise.all([0, 1].map((player) => this.#ask(player, 'join', { table })));
  }

  async #ask(player, name, message) {
    const answer = await this.clients[player].ask(name, message);
    if (!answer?.ok) throw new Error(`${name}: ${JSON.stringify(answer)}`);
    return answer;
  }

  #onEvent(player, { table, ply }) {
    if (table !== this.table) return;
    if (ply !== this.seen[player] + 1) this.faults.push(`${table}: move ${ply} after ${this.seen[player]}`);
    this.seen[player] = ply;
    const isNext = (this.first + ply) % 2 === player;
    if (!isNext) return;
    if (ply < DRAWN_GAME.length) this.move(player, ply + 1);
    else this.#again().catch((error) => this.finish(error));
  }

  acknowledged({ table, ply }) {
    // The other side may have started the next game already.
    if (table === this.table) this.acked = ply;
  }

  async #again() {
    const { table, first } = this;
    await this.#ask(0, 'rematch', { table });
    const { table: next } = await this.#ask(1, 'rematch', { table });
    this.clients.forEach((client) => client.send('leave', { table }));
    await this.#comeTo(next, 1 - first);
    this.move(this.first, 1);
  }

  /** Checks that the acknowledged moves are stored once and in order. */
  async check() {
    const { moves } = await (await fetch(`${this.url}/api/tables/${this.table}`)).json();
    const stored = moves.map(({ move }) => move);
    if (stored.length < this.acked)
      this.faults.push(`${this.table}: ${this.acked} acknowledged, ${stored.length} stored`);
    if (stored.join() !== DRAWN_GAME.slice(0, stored.length).join()) this.faults.push(`${this.table}: ${stored}`);
  }
}

/** Stops running games and returns their faults. */
export async function end(pairs, ends) {
  pairs.forEach((pair) => (pair.isOver = true));
  pairs.forEach((pair) => pair.resume());
  const failed = (await Promise.all(ends)).filter(Boolean).map(({ message }) => message);
  for (let i = 0; i < pairs.length; i += 50) await Promise.all(pairs.slice(i, i + 50).map((pair) => pair.check?.()));
  return [...failed, ...pairs.flatMap((pair) => pair.faults)];
}

/** A pair in a room of the Node server. */
export class PeerPair extends Players {
  constructor(url, table, onMove) {
    super(url, onMove);
    this.table = table;
  }

  async seat() {
    this.clients = await Promise.all([0, 1].map(() => Client.connect(this.url)));
    for (const [side, client] of this.clients.entries()) {
      await client.ask('join', { table: this.table, side });
      client.on('move-made', ({ ply }) => {
        if (ply % 2 !== side) return;
        if (ply < DRAWN_GAME.length) this.move(side, ply + 1);
        else if (side === 0)
          client.send('restart', { table: this.table }, (answer) =>
            answer?.ok ? this.move(0, 1) : this.finish(new Error('no restart')),
          );
      });
    }
    return this;
  }
}

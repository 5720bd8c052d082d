// Games that survive server failures: the players reconnect to any server, catch up, repeat unacknowledged commands, and
// record every violated guarantee.
import { Client } from './client.mjs';
import { DRAWN_GAME, newTable, wait } from './server.mjs';

/** The servers on which games can continue, and all recorded faults. */
export class World {
  urls = [];
  /** Outages, as [from, to] in milliseconds since 1970. */
  downs = [];
  moves = 0;
  /** While this is set, no move may be acknowledged. */
  isDown = false;
  faults = { lost: [], twice: [], order: [], clock: [], refused: [], stuck: [] };

  fault(kind, text) {
    this.faults[kind].push(text);
    return new Error(text);
  }

  /** Seconds until every game has continued. */
  async goOn(games, most) {
    const start = performance.now();
    const before = games.map((game) => game.progress);
    const waiting = () => games.filter((game, i) => game.progress === before[i]);
    while (waiting().length && performance.now() - start < most * 1_000) await wait(10);
    for (const game of waiting()) this.fault('stuck', `${game.table} does not go on: ${game.last}`);
    return (performance.now() - start) / 1_000;
  }

  promises(report) {
    report.guarantee('acknowledged and lost', this.faults.lost);
    report.guarantee('applied twice or differently', this.faults.twice);
    report.guarantee('received out of order or with a gap', this.faults.order);
    report.guarantee('wrong clocks', this.faults.clock);
    report.guarantee('rejected without a reason', this.faults.refused);
    report.guarantee('games that did not continue', this.faults.stuck);
  }
}

export class Game {
  /** The moves that were acknowledged or received. */
  known = [];
  progress = 0;
  finished = [];
  last = 'no command was sent';

  /** `program` takes the second seat, if given; `pace` is the mean time between two moves. */
  constructor(world, cookies, { settings = {}, program, pace = 0, away = 1 } = {}) {
    Object.assign(this, { world, cookies, program, pace, away, isOver: false });
    this.settings = program ? { ...settings, opponent: { kind: 'program', name: program } } : settings;
    this.sides = program ? [0] : [0, 1];
  }

  async play() {
    for (let tries = 0; !this.isOver; tries += 1) {
      try {
        await this.#connected(tries);
      } catch (error) {
        this.last = error.message;
        await wait(20);
      }
    }
  }

  #url(side, tries) {
    const { urls } = this.world;
    return urls[(side * this.away + tries) % urls.length];
  }

  async #connected(tries) {
    const home = this.#url(0, tries);
    if (!home) return wait(20);
    this.table ??= await newTable(home, this.cookies[0], this.settings);
    const connect = (side) => Client.connect(this.#url(side, tries), this.cookies[side]);
    const clients = await Promise.allSettled(this.sides.map(connect));
    this.clients = clients.filter(({ value }) => value).map(({ value }) => value);
    try {
      const lost = clients.find(({ reason }) => reason);
      if (lost) throw lost.reason;
      this.ended = new Promise((_, reject) => {
        for (const client of this.clients) client.onClose = () => reject(new Error('closed'));
      });
      this.ended.catch(() => {});
      await this.#begin();
      while (!this.isOver) await this.#next(home);
    } finally {
      this.clients.forEach((client) => client.close());
    }
  }

  /** Joins with both players and catches up. */
  async #begin() {
    if (!this.program) await this.#ask(1, 'sit', {});
    this.seen = await Promise.all(this.sides.map((side) => this.#join(side)));
  }

  async #join(side) {
    const seen = { v: 0, plies: 0, legal: [], onMove: () => {} };
    const early = [];
    const handler = (name) => (event) => {
      if (event.table !== this.table) return;
      if (!seen.v) return early.push([name, event]);
      this.#onEvent(seen, name, event);
    };
    for (const name of ['move-made', 'table-event']) this.clients[side].on(name, handler(name));
    const { snapshot } = await this.#ask(side, 'join', { view: Boolean(this.program) });
    const moves = snapshot.moves.map((made) => made.move);
    if (moves.length < this.known.length)
      throw this.world.fault('lost', `${this.table}: ${this.known.length} acknowledged, ${moves.length} stored`);
    moves.forEach((move, i) => this.#know(i + 1, move));
    Object.assign(seen, { v: snapshot.v, plies: moves.length, legal: snapshot.legal });
    early.filter(([, event]) => event.v > snapshot.v).forEach(([name, event]) => this.#onEvent(seen, name, event));
    return seen;
  }

  #onEvent(seen, name, event) {
    if (event.v !== seen.v + 1) this.world.fault('order', `${this.table}: version ${event.v} after ${seen.v}`);
    seen.v = event.v;
    if (name !== 'move-made') return;
    this.#know(event.ply, event.move);
    if (this.program && event.ply % 2 === 0) this.progress += 1;
    Object.assign(seen, { plies: event.ply, legal: event.legal });
    seen.onMove();
  }

  #know(ply, move) {
    const expected = this.known[ply - 1] ?? (this.program ? move : DRAWN_GAME[ply - 1]);
    if (move !== expected) this.world.fault('twice', `${this.table}: move ${ply} is ${move} and was ${expected}`);
    this.known[ply - 1] = move;
  }

  /** Repeats a command while the store is unavailable. */
  async #ask(side, name, data) {
    for (;;) {
      this.last = `${name} ${JSON.stringify(data)}`;
      const answer = await this.clients[side].ask(name, { table: this.table, ...data });
      if (answer === undefined) throw new Error('closed');
      this.last += ` ${JSON.stringify(answer).slice(0, 200)}`;
      if (answer.ok) return answer;
      if (answer.code !== 'unavailable') throw this.world.fault('refused', `${this.table}: ${this.last}`);
      await wait(200);
    }
  }

  async #next(url) {
    const ply = this.known.length + 1;
    const side = (ply - 1) % 2;
    const isMine = this.sides.includes(side);
    const seen = this.seen[isMine ? side : 0];
    if (
      (this.program && (ply > DRAWN_GAME.length || (isMine && seen.plies === ply - 1 && !seen.legal.length))) ||
      ply > DRAWN_GAME.length
    ) {
      return this.#again(url);
    }
    // A player has received the previous move before it moves.
    const due = isMine ? ply - 1 : ply;
    if (seen.plies < due) {
      const next = new Promise((resolve) => (seen.onMove = resolve));
      const look = new Promise((resolve) => setTimeout(resolve, 1_000));
      await Promise.race([next, this.ended, look]);
      if (this.program && seen.plies < due) await this.#isFinished();
      return;
    }
    if (this.pace) await Promise.race([wait(this.pace * (0.5 + Math.random())), this.ended]);
    const move = this.program ? seen.legal[(ply * 7) % seen.legal.length].move : DRAWN_GAME[ply - 1];
    const wasDown = this.world.isDown;
    const answer = await this.#ask(side, 'make-move', { ply, move });
    if (wasDown && this.world.isDown)
      this.world.fault('lost', `${this.table}: ${JSON.stringify(answer)} while nothing could be stored`);
    this.#know(ply, move);
    this.world.moves += 1;
    if (!this.program) this.progress += 1;
  }

  /** A game against a program may have ended with our move. */
  async #isFinished() {
    const { snapshot } = await this.#ask(0, 'join', { view: true });
    snapshot.moves.forEach((made, i) => this.#know(i + 1, made.move));
    Object.assign(this.seen[0], { v: snapshot.v, plies: snapshot.moves.length, legal: snapshot.legal });
    if (snapshot.status === 'ended') this.known.length = Math.max(this.known.length, DRAWN_GAME.length);
  }

  async #again(url) {
    await this.check(url);
    this.finished.push(this.table);
    this.progress += 1;
    Object.assign(this, { table: undefined, known: [] });
    this.table = await newTable(url, this.cookies[0], this.settings);
    await this.#begin();
  }

  /** Checks the stored table: it has all known moves, and the clocks were charged only for thinking time. */
  async check(url) {
    if (!this.table) return;
    const answer = await fetch(`${url}/api/tables/${this.table}`, { headers: { cookie: this.cookies[0] } });
    if (!answer.ok) throw new Error(`${answer.status}`);
    const { moves } = await answer.json();
    const known = this.known.filter(Boolean);
    if (moves.length < known.length)
      this.world.fault('lost', `${this.table}: ${known.length} acknowledged, ${moves.length} stored`);
    known.forEach(
      (move, i) =>
        moves[i] &&
        moves[i].move !== move &&
        this.world.fault('twice', `${this.table}: move ${i + 1} is ${moves[i].move} and was ${move}`),
    );
    this.#checkClocks(moves);
  }

  #checkClocks(moves) {
    const increment = this.settings.clock?.increment_ms ?? 0;
    moves.forEach(({ at, left_ms }, i) => {
      if (i < 2 || !left_ms) return;
      const { at: since, left_ms: before } = moves[i - 1];
      const cost = before[i % 2] + increment - left_ms[i % 2];
      const down = this.world.downs.map(([from, to]) => Math.max(0, Math.min(to, at) - Math.max(from, since)));
      const passed = at - since - down.reduce((sum, ms) => sum + ms, 0);
      // The time of a crash is known only to within a heartbeat, in favour of the thinking side; a program is not
      // charged for its wait for a free thread.
      const isNear = this.world.downs.some(([from, to]) => at > from - 2_000 && since < to + 10_000);
      const isPerson = this.sides.includes(i % 2);
      if (cost < 0) this.world.fault('clock', `${this.table}: move ${i + 1} won ${-cost} ms`);
      if (cost > passed + 250) this.world.fault('clock', `${this.table}: move ${i + 1} cost ${cost} ms of ${passed}`);
      if (isPerson && !isNear && cost < passed - 50)
        this.world.fault('clock', `${this.table}: move ${i + 1} cost only ${cost} ms of ${passed}`);
    });
  }
}

// Games that survive their servers: the players come back, wherever there is one, look at what was missed, send again
// what was not acknowledged, and note whatever must not happen.
import { Client } from './client.mjs';
import { DRAWN_GAME, newTable, wait } from './server.mjs';

/** The servers that play can go on at, and all that was noted. */
export class World {
  urls = [];
  /** When nobody could play, as [from, to] in milliseconds since 1970. */
  downs = [];
  moves = 0;
  /** While this is set, no move may be acknowledged. */
  isDown = false;
  faults = { lost: [], twice: [], order: [], clock: [], refused: [], stuck: [] };

  fault(kind, text) {
    this.faults[kind].push(text);
    return new Error(text);
  }

  /** How long it takes until every game has gone on, in seconds. */
  async goOn(games, most) {
    const start = performance.now();
    const before = games.map((game) => game.progress);
    const waiting = () => games.filter((game, i) => game.progress === before[i]);
    while (waiting().length && performance.now() - start < most * 1_000) await wait(10);
    for (const game of waiting()) this.fault('stuck', `${game.table} does not go on: ${game.last}`);
    return (performance.now() - start) / 1_000;
  }

  promises(verdict) {
    verdict.promise('acknowledged and lost', this.faults.lost);
    verdict.promise('made twice or otherwise', this.faults.twice);
    verdict.promise('told out of order or with a gap', this.faults.order);
    verdict.promise('clocks that went wrong', this.faults.clock);
    verdict.promise('refused without a reason', this.faults.refused);
    verdict.promise('games that did not go on', this.faults.stuck);
  }
}

export class Game {
  /** The moves that were acknowledged or told. */
  known = [];
  progress = 0;
  finished = [];
  last = 'nothing was asked';

  /** `program` plays against the second player's place; `pace` is the mean time between two moves. */
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

  /** Takes the seats and looks at what is there. */
  async #begin() {
    if (!this.program) await this.#ask(1, 'sit', {});
    this.heard = await Promise.all(this.sides.map((side) => this.#join(side)));
  }

  async #join(side) {
    const heard = { v: 0, plies: 0, legal: [], onMove: () => {} };
    const early = [];
    const happens = (name) => (told) => {
      if (told.table !== this.table) return;
      if (!heard.v) return early.push([name, told]);
      this.#hear(heard, name, told);
    };
    for (const name of ['move-made', 'table-event']) this.clients[side].on(name, happens(name));
    const { snapshot } = await this.#ask(side, 'join', { view: Boolean(this.program) });
    const moves = snapshot.moves.map((made) => made.move);
    if (moves.length < this.known.length) throw this.world.fault('lost', `${this.table}: ${this.known.length} acknowledged, ${moves.length} stored`);
    moves.forEach((move, i) => this.#know(i + 1, move));
    Object.assign(heard, { v: snapshot.v, plies: moves.length, legal: snapshot.legal });
    early.filter(([, told]) => told.v > snapshot.v).forEach(([name, told]) => this.#hear(heard, name, told));
    return heard;
  }

  #hear(heard, name, told) {
    if (told.v !== heard.v + 1) this.world.fault('order', `${this.table}: version ${told.v} after ${heard.v}`);
    heard.v = told.v;
    if (name !== 'move-made') return;
    this.#know(told.ply, told.move);
    if (this.program && told.ply % 2 === 0) this.progress += 1;
    Object.assign(heard, { plies: told.ply, legal: told.legal });
    heard.onMove();
  }

  #know(ply, move) {
    const expected = this.known[ply - 1] ?? (this.program ? move : DRAWN_GAME[ply - 1]);
    if (move !== expected) this.world.fault('twice', `${this.table}: move ${ply} is ${move} and was ${expected}`);
    this.known[ply - 1] = move;
  }

  /** Asks until the answer is more than that nothing can be stored now. */
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
    const heard = this.heard[isMine ? side : 0];
    if (this.program && (ply > DRAWN_GAME.length || (isMine && heard.plies === ply - 1 && !heard.legal.length)) || ply > DRAWN_GAME.length) {
      return this.#again(url);
    }
    // Whoever moves has heard of the move before, as people do.
    const due = isMine ? ply - 1 : ply;
    if (heard.plies < due) {
      const next = new Promise((resolve) => (heard.onMove = resolve));
      const look = new Promise((resolve) => setTimeout(resolve, 1_000));
      await Promise.race([next, this.ended, look]);
      if (this.program && heard.plies < due) await this.#isFinished();
      return;
    }
    if (this.pace) await Promise.race([wait(this.pace * (0.5 + Math.random())), this.ended]);
    const move = this.program ? heard.legal[(ply * 7) % heard.legal.length].move : DRAWN_GAME[ply - 1];
    const wasDown = this.world.isDown;
    const answer = await this.#ask(side, 'make-move', { ply, move });
    if (wasDown && this.world.isDown) this.world.fault('lost', `${this.table}: ${JSON.stringify(answer)} while nothing could be stored`);
    this.#know(ply, move);
    this.world.moves += 1;
    if (!this.program) this.progress += 1;
  }

  /** A program's game may have ended with our move. */
  async #isFinished() {
    const { snapshot } = await this.#ask(0, 'join', { view: true });
    snapshot.moves.forEach((made, i) => this.#know(i + 1, made.move));
    Object.assign(this.heard[0], { v: snapshot.v, plies: snapshot.moves.length, legal: snapshot.legal });
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

  /** The table as it is stored: all moves that are known, and clocks that were charged for what was thought. */
  async check(url) {
    if (!this.table) return;
    const answer = await fetch(`${url}/api/tables/${this.table}`, { headers: { cookie: this.cookies[0] } });
    if (!answer.ok) throw new Error(`${answer.status}`);
    const { moves } = await answer.json();
    const known = this.known.filter(Boolean);
    if (moves.length < known.length) this.world.fault('lost', `${this.table}: ${known.length} acknowledged, ${moves.length} stored`);
    known.forEach((move, i) => moves[i] && moves[i].move !== move && this.world.fault('twice', `${this.table}: move ${i + 1} is ${moves[i].move} and was ${move}`));
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
      // Nobody knows better than to a heartbeat when a server died, in favour of who was thinking.
      const isNear = this.world.downs.some(([from, to]) => at > from - 2_000 && since < to + 10_000);
      if (cost < 0) this.world.fault('clock', `${this.table}: move ${i + 1} won ${-cost} ms`);
      if (cost > passed + 250) this.world.fault('clock', `${this.table}: move ${i + 1} cost ${cost} ms of ${passed}`);
      if (!isNear && cost < passed - 50) this.world.fault('clock', `${this.table}: move ${i + 1} cost only ${cost} ms of ${passed}`);
    });
  }
}

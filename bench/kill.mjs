// `node kill.mjs [times] [games] [database url]`: kills the server with -9 while games are played at full speed, starts
// it again, and looks whether every acknowledged move is there, none twice, and every game goes on.
import { join } from 'node:path';
import { Client } from './client.mjs';
import { DRAWN_GAME, folder, guest, newTable, startAlinea } from './server.mjs';

const [times, games] = [20, 50].map((usual, i) => Number(process.argv[i + 2] ?? usual));
const data = process.argv[4] ?? join(folder(), 'data.db');
let server = await startAlinea(data);
const listen = server.url.replace('http://', '');
const cookies = [await guest(server.url), await guest(server.url)];
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A game that survives the server: it comes back, asks what it missed, and sends again what was not acknowledged. */
class Game {
  acked = 0;
  seen = 0;
  plies = 0;
  async play() {
    while (!this.isOver) {
      try {
        await this.#connected();
      } catch {
        await wait(20);
      }
    }
  }

  async #connected() {
    this.table ??= await newTable(server.url, cookies[0]);
    const clients = await Promise.all(cookies.map((cookie) => Client.connect(server.url, cookie)));
    const closed = new Promise((resolve) => clients.forEach((client) => (client.onClose = resolve)));
    const ask = async (side, name, data) => {
      const answer = await clients[side].ask(name, { table: this.table, ...data });
      if (answer === undefined) throw new Error('closed');
      if (!answer.ok && answer.code !== 'unavailable') throw fail(`${name}: ${JSON.stringify(answer)}`);
      return answer;
    };
    try {
      await ask(1, 'sit', {});
      const { snapshot } = await ask(0, 'join', {});
      const moves = snapshot.moves.map((made) => made.move);
      if (moves.length < this.acked) throw fail(`${this.acked} moves acknowledged, ${moves.length} stored`);
      if (moves.join() !== DRAWN_GAME.slice(0, moves.length).join()) throw fail(`wrong moves: ${moves}`);
      this.plies = moves.length;
      while (!this.isOver) {
        if (this.plies === DRAWN_GAME.length) {
          this.table = await newTable(server.url, cookies[0]);
          this.acked = this.plies = 0;
          total += 1;
          await ask(1, 'sit', {});
        }
        const ply = this.plies + 1;
        const answer = await ask(this.plies % 2, 'make-move', { ply, move: DRAWN_GAME[ply - 1] });
        if (answer.ok) this.plies = this.acked = ply;
        else await wait(20);
        moved += answer.ok ? 1 : 0;
      }
    } finally {
      clients.forEach((client) => client.close());
    }
    await closed;
  }
}

let [moved, total] = [0, 0];
const faults = [];
function fail(text) {
  faults.push(text);
  return new Error(text);
}

const playing = Array.from({ length: games }, () => new Game());
const ends = playing.map((game) => game.play());
let slowest = 0;
for (let i = 0; i < times; i += 1) {
  await wait(300 + Math.random() * 700);
  await server.kill();
  const start = performance.now();
  server = await startAlinea(data, { listen });
  const before = playing.map((game) => [game.table, game.plies]);
  const goesOn = () => playing.every((game, at) => game.table !== before[at][0] || game.plies > before[at][1]);
  while (!goesOn() && performance.now() - start < 20_000) await wait(10);
  if (!goesOn()) fail('a game does not go on');
  slowest = Math.max(slowest, performance.now() - start);
}
playing.forEach((game) => (game.isOver = true));
await Promise.all(ends);
await server.kill('SIGTERM');
console.log(`${times} kills, ${moved} moves acknowledged, ${total} games finished; ${faults.length} faults`);
console.log(`every game went on within ${(slowest / 1_000).toFixed(2)} s of the kill`);
faults.slice(0, 10).forEach((fault) => console.log(fault));
process.exit(faults.length ? 1 : 0);

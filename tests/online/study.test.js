// Inspecting and analysing positions without a table.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client, closeAll } from "./client.js";
import { Server, stopShared } from "./server.js";

let server;
let client;
before(async () => {
  server = await Server.start();
  client = new Client(server);
});
after(async () => {
  closeAll();
  await server.stop();
  await stopShared();
});

test("a game is replayed move by move", async () => {
  const walk = await client.post("/api/position", { game: "connect-four", moves: "4455667" });
  assert.deepEqual([walk.game, walk.moves, walk.plies.length], ["connect-four:6x7x4", 7, 8]);
  assert.deepEqual(walk.plies.map(({ move }) => move), [undefined, "4", "4", "5", "5", "6", "6", "7"]);
  const last = walk.plies[7];
  assert.deepEqual([last.position, last.view.outcome, last.legal], ["7/7/7/7/3ooo1/3xxxx b", "first", []]);
  assert.deepEqual(last.view.line, ["d1", "e1", "f1", "g1"]);
  assert.equal(walk.plies[0].legal.length, 7);
  const rest = await client.post("/api/position", { game: "connect-four", moves: "4455667", from: 6 });
  assert.deepEqual(rest.plies, walk.plies.slice(6));
});

test("all games and positions can be replayed; large boards are paginated", async () => {
  for (const [game, moves] of [["tic-tac-toe", "b2 a1"], ["simplexity", "4r 4s"], ["chess-five", "Q@d K@a"]]) {
    assert.equal((await client.post("/api/position", { game, moves })).plies.length, 3);
  }
  const start = await client.post("/api/position", { game: "tic-tac-toe", position: "xo1/1x1/3 b" });
  assert.equal(start.plies[0].view.turn, "second");
  const moves = Array.from({ length: 200 }, (_, i) => 1 + (i % 64)).join(" ");
  const large = await client.post("/api/position", { game: "connect-four:64x64x16", moves });
  assert.equal(large.moves, 200);
  assert.ok(large.plies.length < 200);
  const next = await client.post("/api/position", { game: "connect-four:64x64x16", moves, from: large.plies.length });
  assert.equal(next.plies[0].ply, large.plies.length);
});

test("invalid requests are rejected with a message", async () => {
  for (const [status, code, asked] of [
    [404, "unknown-game", { game: "ludo" }],
    [400, "bad-message", { game: "connect-four", position: "nonsense" }],
    [422, "illegal-move", { game: "connect-four", moves: "9" }],
    [422, "illegal-move", { game: "connect-four", moves: "44556677" }],
    [400, "bad-message", { game: "connect-four", moves: "4", from: 2 }],
    [400, "bad-message", { game: "connect-four", moves: ["4"] }],
  ]) await client.refused(status, code, "POST", "/api/position", asked);
  for (const wrong of [{ lines: 0 }, { lines: 6 }, { time_ms: 0 }, { time_ms: 2001 }, { time_ms: -1 }]) {
    await client.refused(400, "bad-message", "POST", "/api/analysis", { game: "connect-four", ...wrong });
  }
});

test("an analysis has lines, reasons and proven results", async () => {
  const { info, thought, columns } = await client.post("/api/analysis", { game: "connect-four", moves: "445566", lines: 2, time_ms: 2000 });
  assert.equal(info.ply, 6);
  assert.equal(info.done, true);
  assert.ok(["3", "7"].includes(info.lines[0].moves[0]), JSON.stringify(info));
  assert.equal(info.lines[0].chance, 1);
  assert.equal(info.lines.length, 2);
  assert.ok(["3", "7"].includes(thought.move) && thought.reasons.length > 0, JSON.stringify(thought));
  assert.deepEqual([columns[2], columns[6]], [{ result: "win", plies: 1 }, { result: "win", plies: 1 }]);
  for (const game of ["tic-tac-toe", "simplexity", "chess-five", "connect-four:8x9x5"]) {
    const analysis = await client.post("/api/analysis", { game, lines: 3, time_ms: 200 });
    assert.ok(analysis.info.lines.length >= 1 && analysis.info.lines.length <= 3, `${game} ${JSON.stringify(analysis)}`);
    assert.ok(analysis.thought.reasons.length > 0, `${game} ${JSON.stringify(analysis)}`);
    assert.equal(analysis.columns, undefined);
  }
  const over = await client.post("/api/analysis", { game: "connect-four", moves: "4455667" });
  assert.deepEqual([over.info.lines, over.thought], [[], null]);
});

test("an analysis over the socket runs until stopped", async () => {
  const connection = await client.connect();
  await connection.done("analyse", { game: "simplexity", moves: "4r", lines: 2 });
  const info = await connection.waitFor("info", ({ depth }) => depth >= 3);
  assert.deepEqual([info.table, info.ply, info.lines.length], [undefined, 1, 2]);
  await connection.done("stop-analysis");
  await connection.refused("illegal-move", "analyse", { game: "simplexity", moves: "9r" });
  await connection.refused("unknown-game", "analyse", { game: "ludo" });
});

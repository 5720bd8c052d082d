// Somebody vanishes: the seat is kept, the other is told, and after a while may claim the game.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { endAll, play, two } from "./person.js";
import { Server, endShared } from "./server.js";

let server;
before(async () => {
  server = await Server.start({ options: ["--limits", "100", "--grace", "0.3"] });
});
after(async () => {
  endAll();
  await server.stop();
  await endShared();
});

/// Claims as soon as that is allowed.
async function claim(line, result) {
  for (;;) {
    const answer = await line.ask("claim", { table: line.table, result });
    if (answer.code !== "too-early") return answer;
  }
}

test("who is gone can lose the game, but not at once", async () => {
  const { table, first, second } = await two(server, "connect-four");
  await play(first, second, "4 4");
  await first.hear("presence", ({ here }) => here[0] && here[1]);
  await first.not("too-early", "claim", { result: "win" });
  second.close();
  const gone = await first.hear("presence", ({ here }) => here[0] && !here[1]);
  assert.equal(gone.table, table);
  assert.ok(gone.claim_ms[1] <= 300 && gone.claim_ms[0] === null, JSON.stringify(gone));
  assert.equal((await claim(first, "win")).ok, true);
  const { winner, reason } = await first.event("ended");
  assert.deepEqual([winner, reason], ["first", "abandoned"]);
});

test("half a point can be claimed as well", async () => {
  const { first, second } = await two(server, "connect-four");
  await play(first, second, "4 4");
  first.close();
  assert.equal((await claim(second, "draw")).ok, true);
  assert.equal((await second.event("ended")).winner, null);
});

test("who comes back keeps the seat", async () => {
  const { table, first, second, people } = await two(server, "connect-four");
  await play(first, second, "4 4");
  second.close();
  await first.hear("presence", ({ here }) => !here[1]);
  const back = await people[1].at(table);
  assert.deepEqual(back.snapshot.you, ["second"]);
  const seen = first.ears.heard.length;
  await first.hear("presence", ({ here }) => here[1]);
  assert.ok(seen > 0);
  await first.not("too-early", "claim", { result: "win" });
  await play(first, back, "4 4", 3);
});

test("two windows of one person are one person", async () => {
  const { table, first, second, people } = await two(server, "connect-four");
  await play(first, second, "4 4");
  const window = await people[1].at(table);
  second.close();
  await window.not("not-your-turn", "make-move", { ply: 3, move: "4" });
  await first.not("too-early", "claim", { result: "win" });
  await first.move(3, "4");
  await window.move(4, "4");
});

// Whatever one client sends without waiting is done in the order in which it was sent.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Person, endAll, within } from "./person.js";
import { Server, endShared } from "./server.js";

let server;
before(async () => {
  server = await Server.start({ options: ["--limits", "0"] });
});
after(async () => {
  endAll();
  await server.stop();
  await endShared();
});

const PLIES = 1_000;

/// Moves without an end: two columns at a time, filled in two patterns by turns, so that no line of sixteen comes about.
function wholeGame() {
  const moves = [];
  for (let pair = 0; moves.length < PLIES; pair += 1) {
    const [a, b] = [String(1 + 2 * pair), String(2 + 2 * pair)];
    for (let row = 0; row < 64; row += 2) moves.push(...(pair % 2 ? [a, b, b, a] : [a, a, b, b]));
  }
  return moves.slice(0, PLIES);
}

test("a whole game sent at once is played move by move", async () => {
  const person = new Person(server);
  const { table } = await person.table("connect-four:64x64x16", "here");
  const line = await person.at(table);
  const answers = await Promise.all(wholeGame().map((move, i) => line.ask("make-move", { table, ply: i + 1, move })));
  const refused = answers.findIndex(({ ok }) => !ok);
  assert.equal(refused, -1, `move ${refused + 1}: ${JSON.stringify(answers[refused])}`);
  assert.deepEqual(answers.map(({ ply }) => ply), answers.map((_, i) => i + 1));
  await line.moveMade(PLIES);
  const versions = line.versions(table);
  assert.deepEqual(versions, versions.map((_, i) => versions[0] + i));
});

test("20 000 messages that one client sends at once are answered in order", async () => {
  const person = new Person(server);
  const { table } = await person.table("tic-tac-toe", "here");
  const line = await person.at(table);
  const count = 20_000;
  const order = [];
  const answered = new Promise((done) => {
    for (let number = 0; number < count; number += 1) {
      // Refused by the table itself, one by one.
      line.socket.emit("make-move", { table, ply: number + 2, move: "b2" }, ({ code }) => {
        if (order.push([number, code]) === count) done();
      });
    }
  });
  const ended = line.hear("disconnect").then((reason) => assert.fail(`${reason} after ${order.length} answers`));
  await within(Promise.race([answered, ended]), "all answers").catch((error) => assert.fail(`${error.message}: ${order.length} came`));
  const wrong = order.find(([number, code], at) => number !== at || code !== "future-ply");
  assert.equal(wrong, undefined);
});

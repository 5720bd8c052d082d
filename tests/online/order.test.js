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

test("a whole game sent at once is played move by move", async () => {
  const person = new Person(server);
  const { table } = await person.table("connect-four:64x64x16", "here");
  const line = await person.at(table);
  // Two columns at a time, filled in two patterns by turns, so that no line of sixteen comes about.
  const moves = [];
  for (let pair = 0; moves.length < 1900; pair += 1) {
    const [a, b] = [String(1 + 2 * pair), String(2 + 2 * pair)];
    for (let row = 0; row < 64; row += 2) moves.push(...(pair % 2 ? [a, b, b, a] : [a, a, b, b]));
  }
  const answers = await Promise.all(moves.slice(0, 1900).map((move, i) => line.ask("make-move", { table, ply: i + 1, move })));
  const refused = answers.findIndex(({ ok }) => !ok);
  assert.equal(refused, -1, `move ${refused + 1}: ${JSON.stringify(answers[refused])}`);
  assert.deepEqual(answers.map(({ ply }) => ply), answers.map((_, i) => i + 1));
  await line.moveMade(1900);
  const versions = line.versions(table);
  assert.deepEqual(versions, versions.map((_, i) => versions[0] + i));
});

test("20 000 messages of one client are answered in order, a hundred at a time", async () => {
  const person = new Person(server);
  const { table } = await person.table("tic-tac-toe", "here");
  const line = await person.at(table);
  const [count, atOnce] = [20_000, 100];
  const order = [];
  await within(
    new Promise((done) => {
      let sent = 0;
      const send = () => {
        const number = sent;
        sent += 1;
        // Refused by the table itself, one by one.
        line.socket.emit("make-move", { table, ply: number + 2, move: "b2" }, ({ code }) => {
          order.push([number, code]);
          if (order.length === count) done();
          else if (sent < count) send();
        });
      };
      for (let i = 0; i < atOnce; i += 1) send();
    }),
    "all answers",
  );
  const wrong = order.find(([number, code], at) => number !== at || code !== "future-ply");
  assert.equal(wrong, undefined);
});

// Every game that the server lists can be played, whichever games those are.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Person, endAll } from "./person.js";
import { Server, endShared } from "./server.js";

let server;
before(async () => {
  server = await Server.start({ options: ["--limits", "100"] });
});
after(async () => {
  endAll();
  await server.stop();
  await endShared();
});

/// The ids of all games.
const games = async () => (await new Person(server).get("/api/games")).map(({ id, name }) => id ?? name);

test("two people at one screen play every game by the moves that the server offers", async () => {
  for (const game of await games()) {
    const person = new Person(server);
    const { table } = await person.table(game, "here");
    const line = await person.at(table);
    const { snapshot } = await line.done("join", { table, view: true });
    let legal = snapshot.legal;
    // Long games are not played to their end.
    for (let ply = 1; legal.length && ply <= 40; ply += 1) {
      const { move } = legal[(7 * ply) % legal.length];
      await line.move(ply, move);
      const made = await line.moveMade(ply);
      assert.equal(made.move, move, game);
      assert.ok(made.view.cells.some((piece) => piece !== null), game);
      legal = made.legal;
    }
    if (legal.length) await line.do("resign");
    await line.event("ended");
  }
});

test("every game has random, levels and the engine, and they answer", async () => {
  for (const game of await games()) {
    for (const name of ["random", "level:1", "engine:nodes=2000"]) {
      const person = new Person(server);
      const { table } = await person.table(game, { kind: "program", name }, { side: "second" });
      const line = await person.at(table);
      const first = line.snapshot.moves[0] ?? (await line.moveMade(1));
      assert.ok(first.move, `${game}, ${name}`);
    }
  }
});

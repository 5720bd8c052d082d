// Every way of playing is a table: at one screen, against programs, programs among themselves, by link, by code,
// by quick pairing, by challenge.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Person, endAll, newName, play } from "./person.js";
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

test("two people at one screen play both sides", async () => {
  const person = new Person(server);
  const { table } = await person.table("tic-tac-toe", "here");
  const line = await person.at(table);
  assert.deepEqual(line.snapshot.you, ["first", "second"]);
  await play(line, line, "b2 a1 b3 b1 a3 c3 c1");
  const { winner, reason } = await line.event("ended");
  assert.deepEqual([winner, reason], ["first", "rules"]);
});

test("a person plays against a program of every game", async () => {
  for (const [game, program, move] of [
    ["tic-tac-toe", "oxo", "b2"],
    ["connect-four:8x9x5", "smart:3", "5"],
    ["simplexity", "oizys:2", "4r"],
    ["chess-five", "chess-five:easy", "Q@d"],
  ]) {
    const person = new Person(server);
    const { table } = await person.table(game, { kind: "program", name: program });
    const line = await person.at(table);
    assert.deepEqual(line.snapshot.you, ["first"]);
    await line.move(1, move);
    const answer = await line.moveMade(2);
    assert.equal(answer.side, "second");
    assert.ok(Array.isArray(answer.thought.reasons), `${game}: ${JSON.stringify(answer)}`);
    await line.do("resign");
    assert.equal((await line.event("ended")).winner, "second");
  }
});

test("a program begins if the person wants the second side", async () => {
  const person = new Person(server);
  const { table } = await person.table("connect-four", { kind: "program", name: "random" }, { side: "second" });
  const line = await person.at(table);
  const { side } = line.snapshot.moves[0] ? { side: "first" } : await line.moveMade(1);
  assert.equal(side, "first");
  await line.move(2, "4");
  await line.moveMade(3);
});

test("against a program moves are taken back freely, if that was agreed", async () => {
  const person = new Person(server);
  const { table } = await person.table("connect-four", { kind: "program", name: "greedy" }, { take_back: true });
  const line = await person.at(table);
  await line.move(1, "4");
  await line.moveMade(2);
  await line.do("take-back");
  assert.equal((await line.event("taken-back")).ply, 0);
  await line.move(1, "3");
  const strict = await person.table("connect-four", { kind: "program", name: "greedy" });
  const other = await person.at(strict.table);
  await other.move(1, "4");
  await other.not("not-allowed", "take-back");
});

test("programs play among themselves, at the speed and in the steps of who watches", async () => {
  const person = new Person(server);
  const demo = { kind: "demo", first: "random", second: "greedy" };
  const { table } = await person.table("connect-four", demo);
  const line = await person.at(table);
  await line.do("pace", { paused: true, delay_ms: 0 });
  await line.event("paced", (event) => event.paused);
  // One move may have been under way.
  const before = (await person.get(`/api/tables/${table}`)).moves.length;
  await line.do("step");
  const made = await line.hear("move-made", ({ ply }) => ply > before);
  assert.ok(made.ply <= before + 2);
  const stranger = await new Person(server).at(table);
  await stranger.not("not-seated", "pace", { paused: false, delay_ms: 0 });
  await stranger.not("not-seated", "step");
  await line.do("pace", { paused: false, delay_ms: 0 });
  await line.not("not-allowed", "step");
  const { reason } = await line.event("ended");
  assert.equal(reason, "rules");
  // Who watches sees the same.
  await stranger.event("ended");
  await line.not("game-over", "pace", { paused: true, delay_ms: 0 });
});

test("a link leads a second person to the open seat, and a third one to look on", async () => {
  const [ann, ben, cat] = [new Person(server), new Person(server), new Person(server)];
  const { table } = await ann.table("connect-four", "link", { side: "second" });
  assert.match(table, /^[0-9a-f]{32}$/, "nobody guesses it");
  const first = await ann.at(table);
  assert.equal(first.snapshot.status, "open");
  await first.not("not-started", "make-move", { ply: 1, move: "4" });
  const second = await ben.at(table);
  await second.do("sit");
  await first.event("seated", ({ side }) => side === "first");
  await second.do("sit"); // Twice is once.
  const third = await cat.at(table);
  await third.not("seat-taken", "sit");
  await play(second, first, "4 4");
  assert.equal((await third.moveMade(2)).side, "second");
});

test("a code leads to the same table while a seat is open", async () => {
  const [ann, ben] = [new Person(server), new Person(server)];
  const { table, code } = await ann.table("tic-tac-toe", "link");
  assert.match(code, /^[A-HJ-NP-Z2-9]{6}$/, "without letters and digits that look alike");
  assert.deepEqual((await ben.get(`/api/codes/${code.toLowerCase()}`)).table, table);
  const line = await ben.at(table);
  await line.do("sit");
  await ben.refused(404, "not-found", "GET", `/api/codes/${code}`);
});

test("quick pairing brings together who wants the same", async () => {
  const [ann, ben, cat] = await Promise.all([0, 1, 2].map(() => new Person(server).connect()));
  const clock = { kind: "game", initial_ms: 60_000, increment_ms: 0 };
  await cat.done("seek", { game: "connect-four", clock });
  await ann.done("seek", { game: "tic-tac-toe", clock });
  await ben.done("seek", { game: "tic-tac-toe", clock });
  const [one, two] = await Promise.all([ann.hear("paired"), ben.hear("paired")]);
  assert.equal(one.table, two.table);
  const joined = await Promise.all([ann, ben].map((line) => line.done("join", { table: one.table })));
  const sides = joined.map(({ snapshot }) => snapshot.you).flat();
  assert.deepEqual(sides.sort(), ["first", "second"]);
  assert.deepEqual(joined[0].snapshot.settings.clock, clock);
  // Who gives up is not found any more.
  await cat.done("cancel-seek");
  const dan = await new Person(server).connect();
  await dan.done("seek", { game: "connect-four", clock });
  const eve = await new Person(server).connect();
  await eve.done("seek", { game: "connect-four", clock });
  await Promise.all([dan.hear("paired"), eve.hear("paired")]);
  assert.ok(!cat.ears.heard.some(({ name }) => name === "paired"));
});

test("a challenge waits for one person", async () => {
  const [ann, ben, cat] = [new Person(server), new Person(server), new Person(server)];
  await ben.signUp(newName());
  await ann.refused(404, "not-found", "POST", "/api/tables", { game: "tic-tac-toe", opponent: { kind: "challenge", name: "nobody-here" } });
  const { table } = await ann.table("tic-tac-toe", { kind: "challenge", name: ben.name });
  await (await cat.at(table)).not("seat-taken", "sit");
  const line = await ben.at(table);
  await line.do("sit");
  await play(await ann.at(table), line, "b2 a1");
});

test("a game begins at a written position, on a board of any size", async () => {
  const person = new Person(server);
  const { table } = await person.table("connect-four:4x5x3", "here", { position: "5/5/5/2x2 b" });
  const line = await person.at(table);
  assert.equal(line.snapshot.view.turn, "second");
  assert.equal(line.snapshot.legal.length, 5);
  await play(line, line, "1 3");
  for (const [status, code, wrong] of [
    [404, "unknown-game", { game: "ludo" }],
    [404, "unknown-game", { game: "connect-four:99x99" }],
    [400, "bad-message", { position: "nonsense" }],
    [400, "bad-message", { clock: { kind: "game", initial_ms: 1, increment_ms: 0 } }],
    [400, "bad-message", { opponent: { kind: "nobody" } }],
    [404, "unknown-player", { opponent: { kind: "program", name: "smart:99" } }],
    [400, "bad-message", { colour: "blue" }],
    [401, "sign-in-first", { rated: true, opponent: { kind: "link" } }],
  ]) {
    await person.refused(status, code, "POST", "/api/tables", { game: "connect-four", opponent: { kind: "here" }, ...wrong });
  }
});

test("a program's thinking is told to who asks for it", async () => {
  const person = new Person(server);
  const { table } = await person.table("simplexity", "here");
  const line = await person.at(table);
  await line.do("think", { on: true });
  const info = await line.hear("info", (info) => info.table === table && info.done);
  assert.ok(info.lines[0].moves.length > 0 && info.depth > 0);
  await line.do("think", { on: false });
});

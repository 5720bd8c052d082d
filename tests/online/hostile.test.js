// Whatever anybody may send: other people's seats, nonsense, too much, from elsewhere. Nothing breaks, nothing
// changes, and the tables of others do not notice.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Person, endAll, newName, play, two } from "./person.js";
import { Raw } from "./raw.js";
import { Server, endShared } from "./server.js";

let server;
before(async () => {
  server = await Server.start({ env: { RUST_LOG: "debug" } });
});
after(async () => {
  endAll();
  const code = await server.stop();
  await endShared();
  assert.equal(code, 0);
  assert.ok(!/panicked/.test(server.log), server.log);
  // What opens something is not written down.
  for (const secret of ["correct horse", "alinea-session", "alinea-guest", "Bearer"]) assert.ok(!server.log.includes(secret), secret);
});

test("nobody moves for another, however the message is made up", async () => {
  const { table, first, second, people } = await two(server, "connect-four");
  await play(first, second, "4 4");
  const watcher = await new Person(server).at(table);
  const me = await people[0].get("/api/me");
  for (const extra of [{}, { side: "first" }, { who: me.id }, { id: me.id }, { seat: 0 }]) {
    const answer = await watcher.ask("make-move", { table, ply: 3, move: "4", ...extra });
    assert.ok(["not-seated", "bad-message"].includes(answer.code), JSON.stringify(answer));
  }
  for (const command of ["resign", "offer-draw", "take-back", "decline-draw", "decline-take-back", "rematch"]) {
    await watcher.not("not-seated", command);
  }
  await watcher.not("not-seated", "claim", { result: "win" });
  await second.not("not-your-turn", "make-move", { ply: 3, move: "4" });
  // A message that was heard elsewhere is worth nothing from another.
  await watcher.not("not-seated", "make-move", { ply: 1, move: "4" });
  const { moves, status } = await watcher.done("join", { table }).then(({ snapshot }) => snapshot);
  assert.deepEqual([moves.length, status], [2, "playing"]);
});

test("messages without a wish for an answer, with too many parts or with bytes do no harm", async () => {
  const { table, first, second } = await two(server, "connect-four");
  const line = await new Person(server).connect();
  line.socket.emit("make-move");
  line.socket.emit("make-move", { table, ply: 1, move: "4" });
  line.socket.emit("join", { table }, { table }, [1, 2, 3]);
  line.socket.emit("chat", Buffer.from("bytes"));
  line.socket.emit("join", { table: Buffer.alloc(100) });
  await line.done("cancel-seek");
  await play(first, second, "4 4");
});

test("bodies and addresses have bounds", async () => {
  const person = new Person(server);
  await person.refused(413, "too-large", "POST", "/api/tables", `{"game":"${"x".repeat(20_000)}"}`);
  await person.refused(413, "too-large", "GET", `/api/tables/${"x".repeat(5000)}`);
  await person.refused(400, "bad-message", "POST", "/api/tables", "[".repeat(10_000));
  await person.refused(400, "bad-message", "POST", "/api/tables", "nonsense");
  await person.refused(400, "bad-message", "POST", "/api/tables", "");
  await person.refused(404, "not-found", "GET", "/api/nothing");
  await person.refused(404, "not-found", "POST", "/api/tables/x/y/z", {});
  await person.refused(405, "bad-message", "DELETE", "/api/games");
  await person.refused(404, "unknown-table", "GET", "/api/tables/..%2f..%2fetc%2fpasswd");
  await person.refused(400, "bad-message", "GET", "/api/tables/%ff%fe");
});

test("other sites' pages can neither listen nor change anything", async () => {
  const person = await new Person(server).signUp(newName());
  const evil = { origin: "https://evil.example" };
  for (const [method, path, body] of [
    ["POST", "/api/tables", { game: "tic-tac-toe", opponent: { kind: "here" } }],
    ["DELETE", "/api/session"],
    ["PUT", "/api/account/password", { old: "correct horse", new: "battery staple" }],
    ["POST", "/api/session", { name: person.name, password: "correct horse" }],
    ["GET", "/socket.io/?EIO=4&transport=polling"],
    ["POST", "/socket.io/?EIO=4&transport=polling&sid=x", "40"],
  ]) {
    for (const headers of [evil, { origin: "null" }, { "sec-fetch-site": "cross-site" }]) {
      const response = await person.fetch(method, path, body, headers);
      assert.equal(response.status, 403, `${method} ${path}`);
      assert.equal((await response.json()).code, "foreign-origin");
    }
  }
  const upgrade = await Raw.open(server, { ...evil, cookie: person.cookie });
  assert.equal(upgrade.status, 403);
  upgrade.socket.destroy();
  const ours = await Raw.open(server, { origin: server.url, cookie: person.cookie });
  assert.equal(ours.status, 101);
  ours.socket.destroy();
  const own = await person.fetch("GET", "/socket.io/?EIO=4&transport=polling", undefined, { origin: server.url });
  assert.equal(own.status, 200);
  assert.equal((await person.get("/api/me")).account, true);
});

test("another site can be let in by an option", async () => {
  const open = await Server.start({ options: ["--origin", "https://friend.example"] });
  const status = async (origin) => (await open.fetch("/api/tables", { method: "POST", headers: { origin } })).status;
  assert.equal(await status("https://friend.example"), 400);
  assert.equal(await status("https://evil.example"), 403);
  await open.stop();
});

test("what people write stays text, and cannot disturb a screen", async () => {
  const { table, first, second } = await two(server, "connect-four");
  const words = ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "javascript:alert(1)", "\"'><svg/onload=alert(1)>", "{{constructor.constructor('alert(1)')()}}"];
  for (const [i, text] of words.entries()) {
    await (i % 2 ? first : second).do("chat", { text });
    const told = await first.hear("table-event", ({ event }) => event.text === text);
    assert.equal(told.event.kind, "chat");
  }
  const response = await new Person(server).fetch("GET", `/api/tables/${table}`);
  assert.match(response.headers.get("content-type"), /^application\/json/);
  assert.equal(response.headers.get("x-content-type-options"), "nosniff");
  await second.do("chat", { text: `a\u202Eb\u0000c\u200Fd${"\u0301".repeat(50)}` });
  const { event } = await first.hear("table-event", ({ event }) => event.text?.startsWith("a"));
  assert.ok(!/[\u0000-\u001f\u202a-\u202e\u200b-\u200f]/.test(event.text), JSON.stringify(event.text));
  assert.ok(event.text.length < 20, "accents do not pile up");
});

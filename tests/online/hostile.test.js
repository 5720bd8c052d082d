// Whatever anybody may send: other people's seats, nonsense, too much, from elsewhere. Nothing breaks, nothing
// changes, and the tables of others do not notice.

import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { Person, endAll, newName, play, two, within } from "./person.js";
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

/// Random but the same every time.
function chance(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

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

test("nonsense under every name is refused, and the connection lives", async () => {
  const { table, first, second } = await two(server, "connect-four");
  const random = chance(7);
  const values = [null, true, 0, -1, 1.5, 1e300, "", "x", table, "\u0000", [], [[[]]], {}, { table }, { table: 7 }, { table, ply: {} }, { table, move: [] }, { table: table.slice(1) }, { table, seen: -1 }, { table, text: {} }, "x".repeat(5000)];
  const names = ["join", "leave", "think", "seek", "cancel-seek", "analyse", "stop-analysis", "make-move", "sit", "resign", "offer-draw", "decline-draw", "take-back", "decline-take-back", "claim", "rematch", "chat", "pace", "step", "win", "", "connect", "constructor", "__proto__", "x".repeat(200)];
  for (let round = 0; round < 4; round += 1) {
    const line = await new Person(server).connect();
    for (const name of names) {
      const value = values[random(values.length)];
      if (name === "" || name === "connect") continue; // The client itself does not send these.
      const answer = await line.ask(name, value);
      assert.equal(typeof answer.ok, "boolean", `${name} ${JSON.stringify(value)}`);
    }
    assert.ok(line.socket.connected);
    line.close();
  }
  await play(first, second, "4 4");
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

/// A WebSocket without a library that would object.
async function raw(path, headers = {}) {
  const { hostname, port } = new URL(server.url);
  const socket = connect(port, hostname);
  const lines = Object.entries({
    host: `${hostname}:${port}`,
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
  const head = await within(new Promise((done) => socket.once("data", (data) => done(data.toString("latin1")))), "an answer");
  socket.on("error", () => {});
  return { socket, status: Number(head.split(" ")[1]), closed: new Promise((done) => socket.once("close", done)) };
}

/// A frame as a client sends it.
function frame(opcode, payload, length = payload.length) {
  const head = length < 126 ? Buffer.from([0x80 | opcode, 0x80 | length]) : Buffer.alloc(14);
  if (length >= 126) {
    head[0] = 0x80 | opcode;
    head[1] = 0x80 | 127;
    head.writeBigUInt64BE(BigInt(length), 2);
    return Buffer.concat([head.subarray(0, 10), Buffer.alloc(4), payload]);
  }
  return Buffer.concat([head, Buffer.alloc(4), payload]);
}

test("frames that are too long, broken or of no kind end the connection, and only that", async () => {
  const { first, second } = await two(server, "connect-four");
  const text = (words) => frame(1, Buffer.from(words));
  for (const bytes of [
    frame(1, Buffer.alloc(64 * 1024, 52), 64 << 20), // announces 64 MiB
    frame(1, Buffer.alloc(100_000, 52)),
    frame(1, Buffer.from([0x34, 0xff, 0xfe])), // no UTF-8
    frame(0xb, Buffer.from("x")),
    Buffer.from("GET / HTTP/1.1\r\n\r\n"),
    text("9 what is this"),
    text("47nonsense"),
    text("42" + "[".repeat(10_000)),
    text("451-[\"x\",{\"_placeholder\":true,\"num\":99}]"),
    text("42[7]"),
    text("4"),
    text(""),
  ]) {
    const line = await raw("/socket.io/?EIO=4&transport=websocket");
    assert.equal(line.status, 101);
    line.socket.write(text("40"));
    line.socket.write(bytes);
    line.socket.write(text("1"));
    line.socket.end();
    await within(line.closed, "the end of a broken connection");
  }
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

test("who sends faster than anybody plays is told so, and then sent away", async () => {
  const { table, first, second } = await two(server, "connect-four");
  const line = await new Person(server).connect();
  for (let i = 0; i < 2000; i += 1) line.socket.emit("join", { table }, () => {});
  const answer = await Promise.race([line.ask("join", { table }).catch(() => ({ code: "too-fast" })), line.hear("disconnect").then(() => ({ code: "too-fast" }))]);
  assert.equal(answer.code, "too-fast");
  await line.hear("disconnect");
  await play(first, second, "4 4");
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
  const upgrade = await raw("/socket.io/?EIO=4&transport=websocket", { ...evil, cookie: person.cookie });
  assert.equal(upgrade.status, 403);
  upgrade.socket.destroy();
  assert.equal((await raw("/socket.io/?EIO=4&transport=websocket", { origin: server.url })).status, 101);
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

test("a client that does not read is let go, and the others do not notice", async () => {
  const { table, first, second } = await two(server, "connect-four:20x20x16");
  const line = await raw("/socket.io/?EIO=4&transport=websocket");
  line.socket.write(frame(1, Buffer.from("40")));
  line.socket.write(frame(1, Buffer.from(`420["join",{"table":"${table}","view":true}]`)));
  line.socket.pause();
  for (let ply = 1; ply <= 100; ply += 1) await (ply % 2 ? first : second).move(ply, String(1 + (ply % 20)));
  line.socket.destroy();
  assert.equal((await first.done("join", { table })).snapshot.moves.length, 100);
});

// The two ways of Socket.IO: requests one after the other, and a WebSocket, to which the official client changes by
// itself. Whatever happens on the way, nothing gets lost and nothing comes twice.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Person, endAll, newName, play, two, within } from "./person.js";
import { Server, endShared } from "./server.js";

const PATH = "/socket.io/?EIO=4&transport=polling";

let server;
before(async () => {
  server = await Server.start({ options: ["--limits", "0"] });
});
after(async () => {
  endAll();
  await server.stop();
  await endShared();
  assert.ok(!/panicked/.test(server.log), server.log);
});

/// A client by requests, by hand.
class Polling {
  static async open(person) {
    if (!person.cookies.size) await person.get("/api/me");
    const polling = new Polling();
    polling.person = person;
    const [opening] = await polling.hear();
    assert.equal(opening[0], "0");
    polling.opening = JSON.parse(opening.slice(1));
    polling.path = `${PATH}&sid=${polling.opening.sid}`;
    return polling;
  }

  path = PATH;

  ask(method, body, headers) {
    return this.person.server.fetch(this.path, { method, body, headers: { ...this.person.headers, cookie: this.person.cookie, ...headers } });
  }

  async hear() {
    const response = await this.ask("GET");
    assert.equal(response.status, 200);
    return (await response.text()).split("\x1e");
  }

  async say(...packets) {
    return (await this.ask("POST", packets.join("\x1e"))).status;
  }
}

test("a game is played by requests alone", async () => {
  const people = [new Person(server), new Person(server)];
  const { table } = await people[0].table("connect-four", "link");
  const [first, second] = [await people[0].at(table, { transports: ["polling"] }), await people[1].at(table, { transports: ["polling"] })];
  await second.do("sit");
  await play(first, second, "4 4 5 5 6 6 7");
  const { snapshot } = await second.done("join", { table });
  assert.deepEqual([snapshot.status, snapshot.result.winner, snapshot.moves.length], ["ended", "first", 7]);
  assert.equal(first.socket.io.engine.transport.name, "polling");
});

test("the official client changes to a WebSocket by itself, and every move of the meantime is told once", async () => {
  for (let round = 0; round < 10; round += 1) {
    const { table, first, second } = await two(server, "connect-four:20x20x16");
    const playing = (async () => {
      for (let ply = 1; ply <= 60; ply += 1) await (ply % 2 ? first : second).move(ply, String(1 + (ply % 20)));
    })();
    const line = await new Person(server).connect({ transports: ["polling", "websocket"] });
    const plies = [];
    line.socket.on("move-made", ({ ply }) => plies.push(ply));
    const { engine } = line.socket.io;
    const isChanged = () => engine.transport.name === "websocket";
    const changed = within(new Promise((done) => (isChanged() ? done() : engine.once("upgrade", done))), "a WebSocket");
    const from = (await line.done("join", { table })).snapshot.moves.length;
    await Promise.all([playing, changed]);
    assert.ok(isChanged());
    const { snapshot } = await line.done("join", { table });
    assert.equal(snapshot.moves.length, 60);
    assert.deepEqual(plies, Array.from({ length: 60 - from }, (_, i) => from + 1 + i));
  }
});

test("what makes no sense is refused as Engine.IO numbers it", async () => {
  const refused = async (path, code, options) => {
    const response = await server.fetch(path, options);
    assert.equal(response.status, 400, path);
    assert.equal((await response.json()).code, code, path);
  };
  await refused("/socket.io/?EIO=4&transport=pigeon", 0);
  await refused("/socket.io/?EIO=4", 0);
  await refused(`${PATH}&sid=nobody`, 1);
  await refused(`${PATH}&sid=nobody`, 1, { method: "POST", body: "40" });
  await refused(PATH, 2, { method: "POST", body: "40" });
  await refused(PATH, 2, { method: "DELETE" });
  await refused("/socket.io/?EIO=4&transport=websocket", 3);
  await refused("/socket.io/?EIO=3&transport=polling", 5);
  await refused("/socket.io/", 5);
});

test("requests that make no sense end that client, and only that", async () => {
  const { first, second } = await two(server, "connect-four");
  const person = new Person(server);
  for (const body of ["", "9", "42{}", "42[7]", "4\x1e4", "bAAAA", "0{}", "x".repeat(20_000), Buffer.from([0x34, 0xff])]) {
    const polling = await Polling.open(person);
    assert.equal(await polling.say("40"), 200);
    assert.match((await polling.hear())[0], /^40/);
    assert.equal((await polling.ask("POST", body)).status, 400, `${body}`);
    assert.equal(await polling.say('421["cancel-seek",{}]'), 400, `${body}`);
  }
  await play(first, second, "4 4");
});

test("two requests at once would share what waits: both end", async () => {
  const polling = await Polling.open(new Person(server));
  await polling.say("40");
  await polling.hear();
  const waiting = polling.hear();
  while ((await polling.ask("GET")).status === 200);
  assert.deepEqual(await waiting, ["1"]);
});

/// Waits until so many are connected.
async function connected(count) {
  const start = performance.now();
  for (;;) {
    const open = await server.figure("alinea_sockets");
    if (open === count) return;
    assert.ok(performance.now() - start < 30_000, `${open} are connected, not ${count}`);
  }
}

test("a client that says goodbye, or asks no more, is let go", async () => {
  endAll();
  await connected(0);
  const [polite, silent] = [await Polling.open(new Person(server)), await Polling.open(new Person(server))];
  for (const polling of [polite, silent]) assert.equal(await polling.say("40"), 200);
  await connected(2);
  assert.equal(await polite.say("1"), 200);
  await connected(1);
  await connected(0);
  assert.equal(await silent.say("3"), 400);
});

test("a client that comes by requests and has nothing to say stays", async () => {
  const line = await new Person(server).connect({ transports: ["polling"] });
  let isGone = false;
  line.socket.once("disconnect", () => (isGone = true));
  // Longer than the server waits for the answer to a ping.
  await new Promise((done) => setTimeout(done, 17_000));
  await line.done("cancel-seek");
  assert.ok(!isGone);
});

test("signing out ends what came by requests, too", async () => {
  const person = await new Person(server).signUp(newName());
  const line = await person.connect({ transports: ["polling"] });
  const gone = new Promise((done) => line.socket.once("disconnect", done));
  const start = performance.now();
  await person.ask("DELETE", "/api/session");
  assert.equal(await within(gone, "the end of the session"), "io server disconnect");
  assert.ok(performance.now() - start < 1_000);
});

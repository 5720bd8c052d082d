// The benchmarks of what must never happen, in their short form: many games are played, something dies or two servers
// are asked for the same, and every acknowledged move is there, none twice, every game goes on, no clock was charged,
// rated games count once.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { endShared, newDatabase, onPostgres, programs } from "./server.js";

const bench = fileURLToPath(new URL("../../bench", import.meta.url));
const only = { skip: onPostgres ? false : "several servers need PostgreSQL; the other run has it" };
after(endShared);

/// Runs one; it ends with 0 if every promise was kept.
async function run(name, ...args) {
  const env = { ...process.env, ALINEA: join(programs, "alinea"), TESTKIT: join(programs, "testkit") };
  const child = spawn(process.execPath, [name, ...args], { cwd: bench, env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (said += data));
  const [code] = await once(child, "close");
  assert.equal(code, 0, said);
}

test("a server is killed three times while games are played at full speed", async () => {
  const { url, end } = await newDatabase();
  await run("kill.mjs", "3", "20", ...(url ? [url] : []));
  await end();
});

test("PostgreSQL goes away and comes back while games are played at two servers", only, () => run("postgres.mjs", "20", "4", "1"));

test("a server is killed, and its games go on at another", only, () => run("node.mjs", "50", "kill"));

test("for one ply only one of two moves at two servers counts", only, () => run("race.mjs", "1000", "20"));

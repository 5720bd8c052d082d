// The fault benchmarks in their short form: many games are played while a component is killed or two servers race.
// Every acknowledged move must exist exactly once, every game continues, no clock is charged for the outage, and rated
// games count once.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { stopShared, newDatabase, onPostgres, programs } from './server.js';

const bench = fileURLToPath(new URL('../../bench', import.meta.url));
const only = { skip: onPostgres ? false : 'several servers need PostgreSQL; the other run has it' };
after(stopShared);

/// Runs one; it exits with 0 if every guarantee held.
async function run(name, ...args) {
  const env = { ...process.env, ALINEA: join(programs, 'alinea'), TESTKIT: join(programs, 'testkit') };
  const child = spawn(process.execPath, [name, ...args], { cwd: bench, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said += data));
  const [code] = await once(child, 'close');
  assert.equal(code, 0, said);
}

test('a server is killed three times while games run at full speed', async () => {
  const { url, end } = await newDatabase();
  await run('kill.mjs', '3', '20', ...(url ? [url] : []));
  await end();
});

test('PostgreSQL stops and restarts while games run on two servers', only, () => run('postgres.mjs', '20', '4', '1'));

test('a server is killed and its games continue on another', only, () => run('takeover.mjs', '50', 'kill'));

test('of two moves for one ply on two servers exactly one counts', only, () => run('race.mjs', '1000', '20'));

// Runs every test on SQLite, and on PostgreSQL the tests of faults and of several servers; with ALINEA_TEST_ALL every test
// runs on both.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
// Most of the time is waiting, so three files run at once. A failed test may leave a server behind.
const options = ['--test', '--test-concurrency=3', '--test-force-exit'];
const FAULTS = ['backup', 'contests', 'faults', 'full', 'nodes', 'reconnect', 'tournaments', 'workers'];
const chosen = process.argv.slice(2);
const onPostgres = process.env.ALINEA_TEST_ALL ? [] : FAULTS.map((name) => `${name}.test.js`);
for (const [backend, files] of Object.entries({ sqlite: [], postgres: onPostgres })) {
  console.log(`# ${backend}`);
  const env = { ...process.env, ALINEA_BACKEND: backend };
  const args = [...options, ...(chosen.length ? chosen : files)];
  const { status } = spawnSync(process.execPath, args, { cwd: folder, stdio: 'inherit', env });
  if (status !== 0) process.exit(status ?? 1);
}

// Runs all tests twice: with everything in an SQLite file, and with everything in PostgreSQL.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
// Much of the time is waiting, so three files at a time. A test that fails may leave a server behind.
const options = ['--test', '--test-concurrency=3', '--test-force-exit'];
for (const backend of ['sqlite', 'postgres']) {
  console.log(`# ${backend}`);
  const { status } = spawnSync(process.execPath, [...options, ...process.argv.slice(2)], {
    cwd: folder,
    stdio: 'inherit',
    env: { ...process.env, ALINEA_BACKEND: backend },
  });
  if (status !== 0) process.exit(status ?? 1);
}

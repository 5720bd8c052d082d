// `node scale.mjs [pairs] [seconds] [moves per second and pair]`: what a move costs with 1, 2 and 3 nodes on one
// PostgreSQL: CPU time of the nodes and of the database, commits, and bytes of its log and tables. The two players of a
// pair are on different nodes. CPU time, unlike speed, depends little on what else the machine does.
import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Pair, end } from './play.mjs';
import { Report } from './report.mjs';
import { guest, startAlinea, startPostgres, wait } from './server.mjs';

const [pairs, seconds, rate] = [100, 20, 5].map((usual, i) => Number(process.argv[i + 2] ?? usual));
const MOST_NODES = 3;
const TICKS_PER_SECOND = 100;

const cluster = await startPostgres();

/** The newest psql of a Debian system, or that of the path. */
function psql() {
  try {
    const versions = readdirSync('/usr/lib/postgresql').sort((a, b) => a - b);
    return join('/usr/lib/postgresql', versions.at(-1), 'bin/psql');
  } catch {
    return 'psql';
  }
}

async function query(url, sql) {
  const { stdout } = await promisify(execFile)(psql(), ['-XqtA', url, '-c', sql]);
  return Number(stdout.trim());
}

/** CPU time of all processes of the cluster, also of those that have ended, in seconds. */
function databaseCpu(url) {
  const data = join(new URL(url).searchParams.get('host'), 'data');
  const postmaster = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0];
  const fields = (pid) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ').map(Number);
  const own = fields(postmaster);
  let ticks = own[11] + own[12] + own[13] + own[14];
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const child = fields(pid);
      if (String(child[1]) === postmaster) ticks += child[11] + child[12];
    } catch {
      // It has ended meanwhile.
    }
  }
  return ticks / TICKS_PER_SECOND;
}

const report = new Report();
const faults = [];
for (let count = 1; count <= MOST_NODES; count += 1) {
  const url = await cluster.database();
  const nodes = [];
  for (let node = 0; node < count; node += 1) nodes.push(await startAlinea(url));
  const cookies = [await guest(nodes[0].url), await guest(nodes[0].url)];
  const times = [];
  const playing = [];
  for (let i = 0; i < pairs; i += 1) {
    const [first, second] = [nodes[i % count], nodes[(i + 1) % count]].map((node) => node.url);
    const options = { pace: 1_000 / rate, second };
    playing.push(await new Pair(first, cookies, (ms) => times.push(ms), options).seat());
  }
  const ends = playing.map((pair) => pair.begin());
  await wait(2_000);

  const look = async () => ({
    moves: times.length,
    nodes: nodes.reduce((sum, node) => sum + node.cpu(), 0),
    database: databaseCpu(url),
    commits: await query(url, 'SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()'),
    log: await query(url, "SELECT pg_current_wal_insert_lsn() - '0/0'"),
    tables: await query(url, 'SELECT pg_database_size(current_database())'),
  });
  // Statistics are written a second after a transaction.
  await wait(1_500);
  const before = await look();
  await wait(seconds * 1_000);
  await wait(1_500);
  const after = await look();
  faults.push(...(await end(playing, ends)));
  playing.forEach((pair) => pair.close());
  for (const node of nodes) await node.kill('SIGTERM');

  const moves = after.moves - before.moves;
  const each = (name) => (after[name] - before[name]) / moves;
  const label = (name) => `${count} node${count > 1 ? 's' : ''}: ${name}`;
  report.figure(label('moves per second'), moves / (seconds + 1.5));
  report.figure(label('CPU time of the nodes per move'), each('nodes') * 1e6, { unit: 'µs' });
  report.figure(label('CPU time of PostgreSQL per move'), each('database') * 1e6, { unit: 'µs' });
  report.figure(label('commits per move'), each('commits'));
  report.figure(label('log of PostgreSQL per move'), each('log'), { unit: 'bytes' });
  report.figure(label('tables and indexes per move'), each('tables'), { unit: 'bytes' });
}
report.guarantee('moves lost, doubled or out of order', faults);
report.end();

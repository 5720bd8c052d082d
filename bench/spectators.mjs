// The spectators of watch.mjs, in a separate process so that their load does not disturb the measurement. Takes a
// server, a cookie, a table and a number; reports when all have joined, and at the end what they received.
import { Client } from './client.mjs';
import { wait } from './server.mjs';

const AT_ONCE = 100;
const [arrivals, faults, received] = [[], [], []];

async function come({ url, cookie, table, spectators }) {
  for (let i = 0; i < spectators; i += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, spectators - i) }, () => Client.connect(url, cookie));
    for (const client of await Promise.all(some)) {
      const number = received.push(0) - 1;
      client.on('move-made', ({ ply, at }) => {
        arrivals.push(Date.now() - at);
        if (ply !== received[number] + 1) faults.push(`spectator ${number}: move ${ply} after ${received[number]}`);
        received[number] = ply;
      });
      await client.ask('join', { table });
    }
  }
  process.send('there');
}

async function go({ acked }) {
  const hasAll = () => received.every((ply) => ply >= acked);
  for (let tries = 0; tries < 100 && !hasAll(); tries += 1) await wait(100);
  received.forEach(
    (ply, number) => ply < acked && faults.push(`spectator ${number}: received ${ply} of ${acked} moves`),
  );
  process.send({ arrivals, faults }, () => process.exit());
}

process.on('message', (message) => ('acked' in message ? go(message) : come(message)));

// Many who look on at one game, for watch.mjs: a process of its own, so that what it hears delays nobody else's clock.
// Told a server, a cookie, a table and a number, it says when all are there, and in the end what they heard.
import { Client } from './client.mjs';
import { wait } from './server.mjs';

const AT_ONCE = 100;
const [arrivals, faults, told] = [[], [], []];

async function come({ url, cookie, table, spectators }) {
  for (let i = 0; i < spectators; i += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, spectators - i) }, () => Client.connect(url, cookie));
    for (const client of await Promise.all(some)) {
      const number = told.push(0) - 1;
      client.on('move-made', ({ ply, at }) => {
        arrivals.push(Date.now() - at);
        if (ply !== told[number] + 1) faults.push(`spectator ${number}: move ${ply} after ${told[number]}`);
        told[number] = ply;
      });
      await client.ask('join', { table });
    }
  }
  process.send('there');
}

async function go({ acked }) {
  const isToldAll = () => told.every((ply) => ply >= acked);
  for (let tries = 0; tries < 100 && !isToldAll(); tries += 1) await wait(100);
  told.forEach((ply, number) => ply < acked && faults.push(`spectator ${number}: heard ${ply} of ${acked} moves`));
  process.send({ arrivals, faults }, () => process.exit());
}

process.on('message', (message) => ('acked' in message ? go(message) : come(message)));

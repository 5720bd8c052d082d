// `node idle-clients.mjs URL COOKIE CONNECTIONS`: holds idle connections until its standard input ends; a process of its
// own, because every connection needs a descriptor at both ends.
import { Client } from './client.mjs';

const [url, cookie] = process.argv.slice(2);
const connections = Number(process.argv[4]);
const BATCH = 100;

const clients = [];
let lost = 0;
while (clients.length < connections) {
  const some = Array.from({ length: Math.min(BATCH, connections - clients.length) }, () => Client.connect(url, cookie));
  for (const client of await Promise.all(some)) {
    client.onClose = () => (lost += 1);
    clients.push(client);
  }
}
console.log('connected');
process.stdin.on('end', () => {
  console.log(`lost ${lost}`);
  process.exit();
});
process.stdin.resume();

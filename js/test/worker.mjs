// Assesses a game without limits and posts what is reported.

import { parentPort, workerData } from 'node:worker_threads';

import { load } from '../index.js';

const alinea = await load(workerData.wasm);
alinea.assess(workerData.game, {}, (report) => parentPort.postMessage(report));

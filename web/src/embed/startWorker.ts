// The script of a worker inside the one file of the embedded board: browsers refuse workers of other hosts.

import InlineWorker from '../local/worker?worker&inline';

export const startWorker = (): Worker => new InlineWorker();

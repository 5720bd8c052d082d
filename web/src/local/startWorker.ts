// The script of a worker beside those of the page. The embedded board brings it along (`embed/startWorker.ts`).

export const startWorker = (): Worker => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });

import { workerData } from 'node:worker_threads';
import { HindsightError } from '../../../../src/errors.js';
import { exposeThreadApi } from '../../../../src/runtime/threads/worker-thread.js';

/** Entry file of the thread in worker-thread.test.ts. */
const api = {
  greet: (name: string) => `${(workerData as { greeting: string }).greeting} ${name}`,
  fail(): Promise<void> {
    throw new HindsightError('unavailable', 'no room', [{ field: 'disk', message: 'full' }], { retryAtMs: 42 });
  },
  list: (length: number) => Array.from({ length }, (_, n) => ({ n, name: `span ${n}` })),
  wait: () => new Promise<void>(() => undefined),
  die: () =>
    setImmediate(() => {
      throw new Error('died on purpose');
    }) && undefined,
};

export type EchoApi = typeof api;

exposeThreadApi(api);

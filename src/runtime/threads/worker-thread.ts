import { parentPort, Worker } from 'node:worker_threads';
import { expose, proxy, wrap, type Remote } from 'comlink';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';
import { HindsightError } from '../../errors.js';
import { installChunkedTransfer, installErrorCodeTransfer } from './comlink-transfer-handlers.js';

/** A worker thread that offers an object of async methods. Arguments and results are plain data or transferred buffers. */
export interface WorkerThread<Api> {
  /** Calls that are under way when the thread ends reject with code `unavailable`, and so do later ones. */
  readonly api: Remote<Api>;
  /** Resolves when the thread is gone: with the error that ended it, or with undefined after `close`. */
  readonly ended: Promise<Error | undefined>;
  /** Ends the thread at once; whoever wants work to be finished asks the api first. Legal twice. */
  close(): Promise<void>;
}

/** Starts the thread whose entry file calls `serveThread`. `settings` reaches it as `workerData`. */
export function startThread<Api>(entry: URL, settings: unknown): WorkerThread<Api> {
  installErrorCodeTransfer();
  installChunkedTransfer();
  const worker = new Worker(entry, { workerData: settings });
  let closing = false;
  let failure: Error | undefined;
  worker.on('error', (error: Error) => (failure = error));
  const ended = new Promise<Error | undefined>((resolve) =>
    worker.once('exit', (code) =>
      resolve(closing ? undefined : (failure ?? new Error(`thread ended with exit code ${code}`))),
    ),
  );
  return {
    api: rejectWhenEnded(wrap<Api>(nodeEndpoint(worker)), ended),
    ended,
    async close() {
      closing = true;
      await worker.terminate();
    },
  };
}

/** comlink's calls wait for ever once nobody answers: these end with the thread. */
function rejectWhenEnded<Api>(remote: Remote<Api>, ended: Promise<Error | undefined>): Remote<Api> {
  const waiting = new Set<(error: Error) => void>();
  let gone: Error | undefined;
  void ended.then((error) => {
    gone = new HindsightError('unavailable', `the thread has ended${error === undefined ? '' : `: ${error.message}`}`);
    for (const reject of waiting) reject(gone);
    waiting.clear();
  });
  type Method = (...args: unknown[]) => Promise<unknown>;
  const call =
    (method: Method) =>
    (...args: unknown[]) =>
      new Promise<unknown>((resolve, reject) => {
        if (gone !== undefined) return reject(gone);
        waiting.add(reject);
        method(...args)
          .then(resolve, reject)
          .finally(() => waiting.delete(reject));
      });
  return new Proxy(remote, { get: (target, name) => call(Reflect.get(target, name) as Method) });
}

/** Offers `api` to the thread that started this one. */
export function exposeThreadApi(api: object): void {
  if (parentPort === null) throw new Error('this file is the entry of a worker thread');
  installErrorCodeTransfer();
  installChunkedTransfer();
  expose(api, nodeEndpoint(parentPort));
}

/** A function that the other thread may call: it stays here, calls come as messages. */
export function proxyCallback<F extends (...args: never[]) => unknown>(work: F): F {
  return proxy(work);
}

/** Ends this thread, and with it the service: for what only a new start can mend. Calls under way may still be answered. */
export function crashThread(error: Error): void {
  setImmediate(() => {
    throw error;
  });
}

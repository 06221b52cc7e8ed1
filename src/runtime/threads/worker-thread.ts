import { setImmediate as waitForNextTurn } from 'node:timers/promises';
import { parentPort, type ResourceLimits, Worker } from 'node:worker_threads';
import { expose, proxy, wrap, type Remote } from 'comlink';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';
import { HindsightError } from '../../errors.js';
import {
  collectGarbage,
  measureThreadMemory,
  ThreadCaches,
  type ReleaseExtent,
  type ThreadMemory,
} from '../../thread-memory.js';
import { installChunkedTransfer, installErrorCodeTransfer } from './comlink-transfer-handlers.js';

/** Memory of a thread, measured and released by the thread itself. */
export interface ThreadMemoryApi {
  measureMemory(): Promise<ThreadMemory>;
  /** Drops cached values, then collects the garbage. Takes effect when the thread is not busy. */
  releaseMemory(extent: ReleaseExtent): Promise<void>;
}

/**
 * A worker thread that exposes an object of async methods. Arguments and results are plain data or transferred buffers.
 */
export interface WorkerThread<Api> {
  /** Calls that are pending when the thread ends, and later ones, reject with code `unavailable`. */
  readonly api: Remote<Api>;
  /** Absent: there is no thread. */
  readonly memory?: ThreadMemoryApi;
  /** Resolves when the thread has ended: with its error, or with undefined after `close`. */
  readonly ended: Promise<Error | undefined>;
  /** Ends the thread at once, without finishing pending calls. Idempotent. */
  close(): Promise<void>;
}

/** Starts the thread whose entry file calls `exposeThreadApi`. `settings` reaches it as `workerData`. */
export function startThread<Api>(entry: URL, settings: unknown, limits?: ResourceLimits): WorkerThread<Api> {
  installErrorCodeTransfer();
  installChunkedTransfer();
  const worker = new Worker(entry, { workerData: settings, resourceLimits: limits });
  let closing = false;
  let failure: Error | undefined;
  worker.on('error', (error: Error) => (failure = error));
  const ended = new Promise<Error | undefined>((resolve) =>
    worker.once('exit', (code) =>
      resolve(closing ? undefined : (failure ?? new Error(`thread ended with exit code ${code}`))),
    ),
  );
  const api = rejectWhenEnded(wrap<Api & ThreadMemoryApi>(nodeEndpoint(worker)), ended);
  return {
    api: api,
    memory: api,
    ended,
    async close() {
      closing = true;
      await worker.terminate();
    },
  };
}

/** Without this, comlink calls would never settle after the thread has ended. */
function rejectWhenEnded<Api>(remote: Remote<Api>, ended: Promise<Error | undefined>): Remote<Api> {
  const waiting = new Set<(error: Error) => void>();
  let endError: Error | undefined;
  void ended.then((error) => {
    endError = new HindsightError(
      'unavailable',
      `the thread has ended${error === undefined ? '' : `: ${error.message}`}`,
    );
    for (const reject of waiting) reject(endError);
    waiting.clear();
  });
  type Method = (...args: unknown[]) => Promise<unknown>;
  const call =
    (method: Method) =>
    (...args: unknown[]) =>
      new Promise<unknown>((resolve, reject) => {
        if (endError !== undefined) return reject(endError);
        waiting.add(reject);
        method(...args)
          .then(resolve, reject)
          .finally(() => waiting.delete(reject));
      });
  return new Proxy(remote, { get: (target, name) => call(Reflect.get(target, name) as Method) });
}

/** Exposes `api` to the thread that started this one, and the memory of this thread with its caches. */
export function exposeThreadApi(api: object, caches = new ThreadCaches()): void {
  if (parentPort === null) throw new Error('this file is the entry of a worker thread');
  installErrorCodeTransfer();
  installChunkedTransfer();
  expose({ ...api, ...createThreadMemoryApi(caches) }, nodeEndpoint(parentPort));
}

export function createThreadMemoryApi(caches: ThreadCaches): ThreadMemoryApi {
  return {
    measureMemory: () => Promise.resolve(measureThreadMemory(caches)),
    async releaseMemory(extent) {
      await caches.release(extent);
      await waitForNextTurn(); // a call that waited for this thread is answered first
      collectGarbage();
    },
  };
}

/** Makes a callback callable from the other thread: it runs here, calls arrive as messages. */
export function proxyCallback<F extends (...args: never[]) => unknown>(callback: F): F {
  return proxy(callback);
}

/**
 * Ends this thread, and with it the service: for failures that only a restart repairs. Pending calls may still be
 * answered.
 */
export function crashThread(error: Error): void {
  setImmediate(() => {
    throw error;
  });
}

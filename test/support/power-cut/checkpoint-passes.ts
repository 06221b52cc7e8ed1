import { setTimeout } from 'node:timers/promises';
import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads';
import { PassiveCheckpointer } from '../../../src/streams/adapters/sqlite/wal-checkpointer.js';

const WORKER = new URL('../../../src/streams/adapters/sqlite/checkpoint-worker.js', import.meta.url);

export interface Passes {
  /** Resolves when checkpoint passes can be requested. The log must exist. */
  ready(): Promise<void>;
  request(): void;
  /** Whether a requested pass has ended and the writer must be notified. */
  makeOne(): boolean;
  /** Later requests belong to a new process. */
  close(): Promise<void>;
}

/** Runs a pass synchronously when its end is queried, which is deterministic. */
export function createSynchronousPasses(file: string): Passes {
  const checkpointer = new PassiveCheckpointer(file, (message) => {
    throw new Error(message);
  });
  let isWanted = false;
  return {
    async ready() {},
    request: () => void (isWanted = true),
    makeOne() {
      const made = isWanted;
      isWanted = false;
      if (made) checkpointer.runPass();
      return made;
    },
    async close() {
      isWanted = false;
      checkpointer.close();
    },
  };
}

/** Runs passes in the worker of the service, concurrently with appends. A failed sync ends the worker: then no pass ends. */
export function createThreadPasses(file: string): Passes {
  let open: { readonly worker: Worker; readonly port: MessagePort; readonly ended: Promise<unknown> } | undefined;
  const start = () => {
    const { port1, port2 } = new MessageChannel();
    const worker = new Worker(WORKER, { workerData: { file, passes: port2 }, transferList: [port2] });
    worker.on('error', () => undefined);
    return { worker, port: port1, ended: new Promise((resolve) => worker.once('exit', resolve)) };
  };
  return {
    async ready() {
      const { port } = (open ??= start());
      port.postMessage('pass');
      while (receiveMessageOnPort(port) === undefined) await setTimeout(5);
    },
    request: () => open!.port.postMessage('pass'),
    makeOne: () => receiveMessageOnPort(open!.port) !== undefined,
    async close() {
      const { worker, port, ended } = open!;
      open = undefined;
      worker.once('message', () => void worker.terminate());
      worker.postMessage([{ id: 0, kind: 'close', request: undefined }]);
      await ended;
      port.close();
    },
  };
}

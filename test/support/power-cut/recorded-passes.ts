import { setTimeout } from 'node:timers/promises';
import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads';
import { PassiveCheckpointer } from '../../../src/streams/adapters/sqlite/wal-checkpointer.js';

const WORKER = new URL('../../../src/streams/adapters/sqlite/checkpoint-worker.js', import.meta.url);

export interface Passes {
  /** Resolves when passes begin as soon as they are requested. The log MUST be there. */
  ready(): Promise<void>;
  request(): void;
  /** Whether a pass that was requested has ended: the desk is to be told. */
  makeOne(): boolean;
  /** Requests after it are of a new life. */
  close(): Promise<void>;
}

/** A pass is made when it is asked whether it has ended, and nothing else happens meanwhile: the same in every run. */
export function passesInPlace(file: string): Passes {
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

/** The worker of the service makes them while appends go on. A failed sync ends it: then no pass ends any more. */
export function passesInThread(file: string): Passes {
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

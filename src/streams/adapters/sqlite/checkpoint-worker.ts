import { parentPort, workerData } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { PassiveCheckpointer } from './wal-checkpointer.js';
import type { Call, CheckpointCalls, Reply } from './worker-protocol.js';

export interface CheckpointWorkerData {
  readonly file: string;
  readonly passes: MessagePort;
}

const { file, passes } = workerData as CheckpointWorkerData;
const checkpointer = new PassiveCheckpointer(file, (message) => process.emitWarning(message));

/** A failed sync terminates the worker and with it the service. */
passes.on('message', () => {
  checkpointer.runPass();
  passes.postMessage('passed');
});
parentPort!.on('message', (calls: Call<CheckpointCalls>[]) => {
  checkpointer.close();
  passes.close();
  parentPort!.postMessage(calls.map(({ id }): Reply => ({ id, answer: undefined })));
});

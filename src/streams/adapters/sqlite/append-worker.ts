import { dirname, join } from 'node:path';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { openWriter } from './event-log-connection.js';
import { DiskReserve } from './disk-reserve.js';
import { RESERVE_FILE } from './data-folder.js';
import { EventLogWriter } from './event-log-writer.js';
import { throwError } from './worker-protocol.js';
import type { Call, WriteCalls } from './worker-protocol.js';
import { WalCheckpointer } from './wal-checkpointer.js';
import { GroupCommitScheduler } from './group-commit-scheduler.js';

export interface AppendWorkerData {
  readonly file: string;
  /**
   * Port to the checkpoint worker: a message to it requests a checkpoint pass, a message from it reports that the pass
   * ended.
   */
  readonly passes: MessagePort;
}

const { file, passes } = workerData as AppendWorkerData;
const calls = parentPort!;
const writer = new EventLogWriter(
  () => openWriter(file),
  Date.now,
  () => performance.now(),
);
const wal = new WalCheckpointer(() => passes.postMessage('pass'));
const diskReserve = new DiskReserve(join(dirname(file), RESERVE_FILE), () => performance.now());
const scheduler = new GroupCommitScheduler(writer, wal, diskReserve, (replies) => calls.postMessage(replies));

diskReserve.prepare();
calls.on('messageerror', throwError);
calls.on('message', (message: Call<WriteCalls>[]) => {
  scheduler.receive(message);
  runUntilIdle();
});
passes.on('message', () => scheduler.afterCheckpointPass());

/** Works until the queue is empty. Polls the ports itself, so that calls that arrive meanwhile join the next group. */
function runUntilIdle(): void {
  while (scheduler.busy) {
    for (let next; (next = receiveMessageOnPort(calls));) scheduler.receive(next.message as Call<WriteCalls>[]);
    if (receiveMessageOnPort(passes)) scheduler.afterCheckpointPass();
    scheduler.step();
  }
}

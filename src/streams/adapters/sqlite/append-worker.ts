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
import { GroupCommitWriter } from './group-commit-writer.js';

export interface AppendWorkerData {
  readonly file: string;
  /** To the checkpointer: a message there asks for a pass, a message back says that it has ended. */
  readonly passes: MessagePort;
}

const { file, passes } = workerData as AppendWorkerData;
const calls = parentPort!;
const writer = new EventLogWriter(() => openWriter(file), Date.now);
const wal = new WalCheckpointer(() => passes.postMessage('pass'));
const reserve = new DiskReserve(join(dirname(file), RESERVE_FILE), () => performance.now());
const desk = new GroupCommitWriter(writer, wal, reserve, (replies) => calls.postMessage(replies));

reserve.prepare();
calls.on('messageerror', throwError);
calls.on('message', (message: Call<WriteCalls>[]) => {
  desk.receive(message);
  runUntilIdle();
});
passes.on('message', () => desk.afterCheckpointPass());

/** Stays with SQLite as long as there is work: what arrives meanwhile is picked up here, not by the event loop. */
function runUntilIdle(): void {
  while (desk.busy) {
    for (let next; (next = receiveMessageOnPort(calls));) desk.receive(next.message as Call<WriteCalls>[]);
    if (receiveMessageOnPort(passes)) desk.afterCheckpointPass();
    desk.step();
  }
}

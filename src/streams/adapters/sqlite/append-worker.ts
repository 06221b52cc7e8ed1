import { dirname, join } from 'node:path';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { openWriter } from './connection.js';
import { DiskReserve } from './disk-reserve.js';
import { RESERVE_FILE } from './folder.js';
import { LogWriter } from './log-writer.js';
import { rethrow } from './messages.js';
import type { Call, WriteCalls } from './messages.js';
import { WalKeeper } from './wal-keeper.js';
import { WriteDesk } from './write-desk.js';

export interface AppendWorkerData {
  readonly file: string;
  /** To the checkpointer: a message there asks for a pass, a message back says that it has ended. */
  readonly passes: MessagePort;
}

const { file, passes } = workerData as AppendWorkerData;
const calls = parentPort!;
const writer = new LogWriter(() => openWriter(file), Date.now);
const wal = new WalKeeper(() => passes.postMessage('pass'));
const reserve = new DiskReserve(join(dirname(file), RESERVE_FILE), () => performance.now());
const desk = new WriteDesk(writer, wal, reserve, (replies) => calls.postMessage(replies));

reserve.prepare();
calls.on('messageerror', rethrow);
calls.on('message', (message: Call<WriteCalls>[]) => {
  desk.receive(message);
  work();
});
passes.on('message', () => desk.passed());

/** Stays with SQLite as long as there is work: what arrives meanwhile is picked up here, not by the event loop. */
function work(): void {
  while (desk.busy) {
    for (let next; (next = receiveMessageOnPort(calls));) desk.receive(next.message as Call<WriteCalls>[]);
    if (receiveMessageOnPort(passes)) desk.passed();
    desk.step();
  }
}

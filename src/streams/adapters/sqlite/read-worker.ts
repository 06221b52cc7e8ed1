import { parentPort, workerData } from 'node:worker_threads';
import type { TransferListItem } from 'node:worker_threads';
import type { RecordedEvent } from '../../event-store.js';
import { upcastToNewest } from '../../events/event-registry.js';
import { openReaderConnection } from './event-log-connection.js';
import type { Connection } from './event-log-connection.js';
import { openLogChecker } from './event-log-checker.js';
import { EventLogReader } from './event-log-reader.js';
import { toFault, throwError } from './worker-protocol.js';
import type { Call, ReadCalls, Reply } from './worker-protocol.js';

const { file } = workerData as { readonly file: string };
const port = parentPort!;
let database: Connection | undefined;
let reader: EventLogReader | undefined;
let checks: ReturnType<typeof openLogChecker> | undefined;

port.on('messageerror', throwError);
port.on('message', (calls: Call<ReadCalls>[]) => {
  for (const call of calls) {
    const reply = replyTo(call);
    port.postMessage([reply], collectBodies(reply));
  }
});

function replyTo(call: Call<ReadCalls>): Reply {
  try {
    return { id: call.id, answer: call.kind === 'close' ? close() : execute(call) };
  } catch (error) {
    return { id: call.id, fault: toFault(error) };
  }
}

function close(): void {
  database?.close();
  checks?.connection.close();
}

function execute(call: Exclude<Call<ReadCalls>, { kind: 'close' }>): unknown {
  if (call.kind === 'checkAfter') return (checks ??= openLogChecker(file)).checker.checkAfter(call.request);
  reader ??= new EventLogReader((database = openReaderConnection(file)), upcastToNewest);
  switch (call.kind) {
    case 'head':
      return reader.head();
    case 'readAll':
      return reader.readAll(call.request.after, call.request.options);
    case 'readEvent':
      return reader.readEvent(call.request.stream, call.request.revision);
    case 'readStream':
      return reader.readStream(call.request.stream, call.request.from, call.request.limit);
  }
}

/** SQLite allocates a separate buffer for each body, so they can be transferred without a copy. */
function collectBodies(reply: Reply): TransferListItem[] {
  const events = 'answer' in reply ? ([reply.answer].flat() as (RecordedEvent | undefined)[]) : [];
  return events.flatMap((event) => (event?.body === undefined ? [] : [event.body.buffer as ArrayBuffer]));
}

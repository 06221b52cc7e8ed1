import { parentPort, workerData } from 'node:worker_threads';
import type { TransferListItem } from 'node:worker_threads';
import type { RecordedEvent } from '../../event-store.js';
import { upcastToNewest } from '../../events/registry.js';
import { openReaderConnection } from './connection.js';
import type { Connection } from './connection.js';
import { LogReading } from './log-reading.js';
import { faultOf, rethrow } from './messages.js';
import type { Call, ReadCalls, Reply } from './messages.js';

const { file } = workerData as { readonly file: string };
const port = parentPort!;
let database: Connection | undefined;
let reading: LogReading | undefined;

port.on('messageerror', rethrow);
port.on('message', (calls: Call<ReadCalls>[]) => {
  for (const call of calls) {
    const reply = replyTo(call);
    port.postMessage([reply], bodiesOf(reply));
  }
});

function replyTo(call: Call<ReadCalls>): Reply {
  try {
    return { id: call.id, answer: call.kind === 'close' ? database?.close() : answer(call) };
  } catch (error) {
    return { id: call.id, fault: faultOf(error) };
  }
}

function answer(call: Exclude<Call<ReadCalls>, { kind: 'close' }>): unknown {
  reading ??= new LogReading(database = openReaderConnection(file), upcastToNewest);
  switch (call.kind) {
    case 'head': return reading.head();
    case 'readAll': return reading.readAll(call.request.after, call.request.options);
    case 'readEvent': return reading.readEvent(call.request.stream, call.request.revision);
    case 'readStream': return reading.readStream(call.request.stream, call.request.from, call.request.limit);
  }
}

/** SQLite gives each body a buffer of its own: they leave without a copy. */
function bodiesOf(reply: Reply): TransferListItem[] {
  const events = 'answer' in reply ? [reply.answer].flat() as (RecordedEvent | undefined)[] : [];
  return events.flatMap((event) => (event?.body === undefined ? [] : [event.body.buffer as ArrayBuffer]));
}

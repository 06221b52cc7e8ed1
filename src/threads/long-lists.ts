import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { transferHandlers, type TransferHandler } from 'comlink';

/** Items that are cloned in one go: a few ms for rows of a trace. */
const SLICE = 1_000;

/** An empty slice ends the list. */
type Slice = readonly unknown[];

let installed = false;

/**
 * A result that is a long list crosses threads in slices. In one message it would hold the receiving thread, which may be
 * the one that serves, for 2 µs an item: 200 ms for a trace of 100,000 spans.
 */
export function sliceLongLists(): void {
  if (installed) return;
  installed = true;
  const sliced: TransferHandler<readonly unknown[], MessagePort> = {
    canHandle: (value): value is readonly unknown[] => Array.isArray(value) && value.length > SLICE,
    serialize(list) {
      const { port1, port2 } = new MessageChannel();
      offer(port1, list);
      return [port2, [port2 as never]]; // comlink's types know the ports of browsers only
    },
    // comlink hands results on through a promise, so one is welcome here.
    deserialize: (port) => receive(port) as unknown as readonly unknown[],
  };
  transferHandlers.set('long list', sliced);
}

/** Sends a slice each time it is asked to: Node would hand over all that is waiting in one go. */
function offer(port: MessagePort, list: readonly unknown[]): void {
  let from = 0;
  port.on('message', () => {
    const slice: Slice = list.slice(from, (from += SLICE));
    port.postMessage(slice);
    if (slice.length === 0) port.close();
  });
}

function receive(port: MessagePort): Promise<unknown[]> {
  const list: unknown[] = [];
  const next = () => port.postMessage('next');
  return new Promise((resolve, reject) => {
    port.on('message', (slice: Slice) => {
      for (const item of slice) list.push(item);
      if (slice.length === 0) resolve(list);
      else setImmediate(next);
    });
    port.on('close', () => reject(new Error('the other thread ended in the middle of a list')));
    next();
  });
}

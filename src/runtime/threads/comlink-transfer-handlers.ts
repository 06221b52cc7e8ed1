import { type TransferHandler, transferHandlers } from 'comlink';
import { type ErrorCode, type FieldError, HindsightError } from '../../errors.js';
import { MessageChannel, type MessagePort } from 'node:worker_threads';

type ThrownValue = { readonly isError: boolean; readonly value: { readonly message: string; readonly name?: string } };
type ThrownValueWithCode = ThrownValue & {
  readonly code?: ErrorCode;
  readonly fields?: readonly FieldError[];
  readonly retryAtMs?: number;
};
let areErrorCodesInstalled = false;

/** comlink carries message, name and stack of an error; our codes tell whether a retry helps, and some when, so they travel too. */
export function installErrorCodeTransfer(): void {
  if (areErrorCodesInstalled) return;
  areErrorCodesInstalled = true;
  const thrown = transferHandlers.get('throw') as TransferHandler<{ value: unknown }, ThrownValue>;
  const carrying: TransferHandler<{ value: unknown }, ThrownValueWithCode> = {
    canHandle: (value): value is { value: unknown } => thrown.canHandle(value),
    serialize(value) {
      const [wire, transferables] = thrown.serialize(value);
      const error = value.value;
      if (!(error instanceof HindsightError)) return [wire, transferables];
      const { code, fields, retryAtMs } = error;
      return [{ ...wire, code, fields, retryAtMs }, transferables];
    },
    deserialize(wire) {
      if (wire.code !== undefined)
        throw new HindsightError(wire.code, wire.value.message, wire.fields, { retryAtMs: wire.retryAtMs });
      return thrown.deserialize(wire);
    },
  };
  transferHandlers.set('throw', carrying);
}

/** Items that are cloned in one go: a few ms for rows of a trace. */
const CHUNK_ITEMS = 1_000;

/** An empty slice ends the list. */
type ListChunk = readonly unknown[];

let isChunkedTransferInstalled = false;

/**
 * A result that is a long list crosses threads in slices. In one message it would hold the receiving thread, which may be
 * the one that serves, for 2 µs an item: 200 ms for a trace of 100,000 spans.
 */
export function installChunkedTransfer(): void {
  if (isChunkedTransferInstalled) return;
  isChunkedTransferInstalled = true;
  const sliced: TransferHandler<readonly unknown[], MessagePort> = {
    canHandle: (value): value is readonly unknown[] => Array.isArray(value) && value.length > CHUNK_ITEMS,
    serialize(list) {
      const { port1, port2 } = new MessageChannel();
      sendChunks(port1, list);
      return [port2, [port2 as never]]; // comlink's types know the ports of browsers only
    },
    // comlink hands results on through a promise, so one is welcome here.
    deserialize: (port) => receiveChunks(port) as unknown as readonly unknown[],
  };
  transferHandlers.set('long list', sliced);
}

/** Sends a slice each time it is asked to: Node would hand over all that is waiting in one go. */
function sendChunks(port: MessagePort, list: readonly unknown[]): void {
  let from = 0;
  port.on('message', () => {
    const slice: ListChunk = list.slice(from, (from += CHUNK_ITEMS));
    port.postMessage(slice);
    if (slice.length === 0) port.close();
  });
}

function receiveChunks(port: MessagePort): Promise<unknown[]> {
  const list: unknown[] = [];
  const next = () => port.postMessage('next');
  return new Promise((resolve, reject) => {
    port.on('message', (slice: ListChunk) => {
      for (const item of slice) list.push(item);
      if (slice.length === 0) resolve(list);
      else setImmediate(next);
    });
    port.on('close', () => reject(new Error('the other thread ended in the middle of a list')));
    next();
  });
}

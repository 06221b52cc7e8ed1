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

/**
 * comlink transfers message, name and stack of an error. Callers also need our error codes, field errors and retry
 * times: this handler adds them. Idempotent.
 */
export function installErrorCodeTransfer(): void {
  if (areErrorCodesInstalled) return;
  areErrorCodesInstalled = true;
  const thrown = transferHandlers.get('throw') as TransferHandler<{ value: unknown }, ThrownValue>;
  const withCode: TransferHandler<{ value: unknown }, ThrownValueWithCode> = {
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
  transferHandlers.set('throw', withCode);
}

/** Items per message: cloning so many rows of a trace takes a few ms. */
const CHUNK_ITEMS = 1_000;

/** An empty chunk ends the list. */
type ListChunk = readonly unknown[];

let isChunkedTransferInstalled = false;

/**
 * Transfers long lists in chunks. As one message, a list would block the receiving thread, which may be the one that
 * serves requests, for 2 µs per item: 200 ms for a trace of 100,000 spans. Idempotent.
 */
export function installChunkedTransfer(): void {
  if (isChunkedTransferInstalled) return;
  isChunkedTransferInstalled = true;
  const chunked: TransferHandler<readonly unknown[], MessagePort> = {
    canHandle: (value): value is readonly unknown[] => Array.isArray(value) && value.length > CHUNK_ITEMS,
    serialize(list) {
      const { port1, port2 } = new MessageChannel();
      sendChunks(port1, list);
      return [port2, [port2 as never]]; // comlink's types only know browser ports
    },
    // comlink awaits results, so a promise is fine here.
    deserialize: (port) => receiveChunks(port) as unknown as readonly unknown[],
  };
  transferHandlers.set('long list', chunked);
}

/** Sends a chunk on each request: Node would deliver all queued messages in one go. */
function sendChunks(port: MessagePort, list: readonly unknown[]): void {
  let from = 0;
  port.on('message', () => {
    const chunk: ListChunk = list.slice(from, (from += CHUNK_ITEMS));
    port.postMessage(chunk);
    if (chunk.length === 0) port.close();
  });
}

function receiveChunks(port: MessagePort): Promise<unknown[]> {
  const list: unknown[] = [];
  const next = () => port.postMessage('next');
  return new Promise((resolve, reject) => {
    port.on('message', (chunk: ListChunk) => {
      for (const item of chunk) list.push(item);
      if (chunk.length === 0) resolve(list);
      else setImmediate(next);
    });
    port.on('close', () => reject(new Error('The other thread ended while it sent a list')));
    next();
  });
}

import { SPAN_ID_BYTES, TRACE_ID_BYTES } from '../../../telemetry/ids.js';
import { TokenHash } from '../../../telemetry/tokens.js';

const TWO_TO_32 = 2 ** 32;

const hash = new TokenHash();

/**
 * 48-bit hash of an exception of a span: the same for the span event and the log record that tell of it. The ids are
 * those at `row` of columns with 16 and 8 bytes a row. Part of stored rollups: another hash needs a rebuild.
 */
export function exceptionId(traceIds: Uint8Array, spanIds: Uint8Array, row: number, type: string, message: string): number {
  hash.start();
  hash.add(new DataView(traceIds.buffer, traceIds.byteOffset), row * TRACE_ID_BYTES, (row + 1) * TRACE_ID_BYTES);
  hash.add(new DataView(spanIds.buffer, spanIds.byteOffset), row * SPAN_ID_BYTES, (row + 1) * SPAN_ID_BYTES);
  hash.addText(type);
  hash.addText(message);
  return hash.check() * TWO_TO_32 + hash.token();
}

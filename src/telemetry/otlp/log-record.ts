import type { Attributes } from '../attributes.js';
/** One log record in full. Ids are lower-case hex, "" for none or malformed; times are ns since 1970, 0n for none. */
export interface LogRecord {
  readonly time: bigint; readonly observedTime: bigint;
  /** As sent, 0 for none; see severity.ts. */
  readonly severityNumber: number; readonly severityText: string;
  /** String form. */
  readonly body: string; readonly eventName: string;
  readonly traceId: string; readonly spanId: string; readonly attributes: Attributes;
}
/** The log record message at [offset, offset + length) of an inflated logs request. */
export function decodeLog(body: Uint8Array, offset: number, length: number): LogRecord { void body; void offset; void length; throw new Error('being written'); }

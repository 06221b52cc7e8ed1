import type { Attributes } from '../attributes.js';
export interface SpanEventRecord { readonly name: string; readonly time: bigint; readonly attributes: Attributes }
export interface SpanLinkRecord { readonly traceId: string; readonly spanId: string; readonly traceState: string; readonly attributes: Attributes }
/** One span in full. Ids are lower-case hex, "" for none; times are ns since 1970. */
export interface SpanRecord {
  readonly traceId: string; readonly spanId: string; readonly parentSpanId: string; readonly traceState: string;
  readonly name: string; readonly kind: number; readonly start: bigint; readonly end: bigint;
  readonly statusCode: number; readonly statusMessage: string;
  readonly attributes: Attributes; readonly events: readonly SpanEventRecord[]; readonly links: readonly SpanLinkRecord[];
}
/** The span message at [offset, offset + length) of an inflated traces request. */
export function decodeSpan(body: Uint8Array, offset: number, length: number): SpanRecord { void body; void offset; void length; throw new Error('being written'); }

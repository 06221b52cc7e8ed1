import type { SpanColumns } from '../span-columns.js';
/** Appends the accepted spans of an inflated, validated request. `rejected`: ordinals to pass by, ascending. */
export function decodeSpans(body: Uint8Array, revision: number, rejected: readonly number[], into: SpanColumns): void { void body; void revision; void rejected; void into; throw new Error('being written'); }

import type { Attributes } from '../attributes.js';
export interface Resource { readonly serviceName: string; readonly attributes: Attributes }
export interface RecordRange { readonly offset: number; readonly length: number }
/** Resource of the record at `offset` of an inflated traces or logs request. One pass over the outer levels. */
export function resourceAt(body: Uint8Array, offset: number): Resource { void body; void offset; throw new Error('being written'); }
/** Where the span or log record with this ordinal (rejected ones counted) stands; undefined past the last. */
export function recordAt(body: Uint8Array, ordinal: number): RecordRange | undefined { void body; void ordinal; throw new Error('being written'); }

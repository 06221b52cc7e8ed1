import type { ContentEncoding } from '../../telemetry/compression/content-encoding.js';
import type { WireFormat } from '../../telemetry/otlp/export-responses.js';

/** Assumed compression ratio (upper end of typically 8 to 12) for encodings that do not declare the inflated length. */
const ASSUMED_RATIO = 12;

/** Factor from one attempt to inflate a body to the next, when it inflates to more than was expected. */
const ATTEMPT_FACTOR = 8;

/** Memory for validating, as a multiple of the inflated body: the body and a copy, or the body and its compressed form. */
const PROTOBUF_MULTIPLE = 2;
/** JSON is translated to protobuf as well, in a buffer that grows. */
const JSON_MULTIPLE = 4;

/** A header of 10 bytes, an empty deflate block of 2, and a trailer of 8. */
const MIN_GZIP_BYTES = 20;

const GZIP_MAGIC = 0x1f8b;

/** Maximum compression ratio of deflate. */
const MAX_DEFLATE_RATIO = 1_032;

/**
 * The inflated length that a gzip body declares in its last four bytes, modulo 2^32 (RFC 1952, ISIZE). Undefined if it is
 * implausible: the body is not gzip or is truncated. A valid body never inflates to less.
 */
export function readClaimedGzipLength(body: Uint8Array): number | undefined {
  if (body.byteLength < MIN_GZIP_BYTES) return undefined;
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const claimed = view.getUint32(body.byteLength - 4, true);
  const plausible = view.getUint16(0) === GZIP_MAGIC && claimed <= body.byteLength * MAX_DEFLATE_RATIO;
  return plausible ? claimed : undefined;
}

/**
 * Bytes to which the first attempt inflates a body at most. The body may declare a false length or none: an attempt that
 * needs more ends there, and is repeated with `nextInflatedLimit` bytes once the memory for them is reserved.
 */
export function estimateInflatedBytes(encoding: ContentEncoding, body: Uint8Array, maxInflatedBytes: number): number {
  if (encoding === 'identity') return Math.min(maxInflatedBytes, body.byteLength);
  const claimed = encoding === 'gzip' ? readClaimedGzipLength(body) : undefined;
  return Math.min(maxInflatedBytes, Math.max(body.byteLength, claimed ?? body.byteLength * ASSUMED_RATIO));
}

/** Limit of the next attempt. Few attempts lead to the maximum, and none needs much more memory than the body does. */
export function nextInflatedLimit(limit: number, maxInflatedBytes: number): number {
  return Math.min(maxInflatedBytes, limit * ATTEMPT_FACTOR);
}

/** Memory for validating a body that inflates to at most `inflatedBytes`, in addition to the body itself. */
export function computeValidationMemory(format: WireFormat, inflatedBytes: number): number {
  return inflatedBytes * (format === 'json' ? JSON_MULTIPLE : PROTOBUF_MULTIPLE);
}

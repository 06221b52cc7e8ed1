import type { Encoding } from '../../telemetry/encodings.js';
import type { WireFormat } from '../../telemetry/otlp/responses.js';

/** Telemetry shrinks about 8 to 12 times; an encoding that does not tell its length is counted at the upper end. */
const ASSUMED_RATIO = 12;

/** A parsed JSON document and the protobuf made of it, as a multiple of its text. */
const JSON_MULTIPLE = 4;

/** Header of 10 bytes, an empty deflate block of 2, trailer of 8. */
const SMALLEST_GZIP = 20;
const GZIP_MAGIC = 0x1f8b;
/** Deflate cannot shrink by more. */
const MAX_DEFLATE_RATIO = 1_032;

/**
 * Length that a gzip body claims for its (last) member, modulo 2^32, in its last four bytes (RFC 1952, ISIZE).
 * Undefined where it cannot be true: the body is no gzip, or was cut off. An honest body never inflates to less.
 */
export function claimedGzipLength(body: Uint8Array): number | undefined {
  if (body.byteLength < SMALLEST_GZIP) return undefined;
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const claimed = view.getUint32(body.byteLength - 4, true);
  const plausible = view.getUint16(0) === GZIP_MAGIC && claimed <= body.byteLength * MAX_DEFLATE_RATIO;
  return plausible ? claimed : undefined;
}

/** Memory that examining a body takes besides the body itself. An estimate: the limit is enforced while inflating. */
export function bytesToExamine(format: WireFormat, encoding: Encoding, body: Uint8Array, maxInflatedBytes: number): number {
  const inflated = Math.min(maxInflatedBytes, expectedInflatedBytes(encoding, body));
  return format === 'json' ? inflated * JSON_MULTIPLE : inflated;
}

function expectedInflatedBytes(encoding: Encoding, body: Uint8Array): number {
  if (encoding === 'identity') return body.byteLength;
  const claimed = encoding === 'gzip' ? claimedGzipLength(body) : undefined;
  return Math.max(body.byteLength, claimed ?? body.byteLength * ASSUMED_RATIO);
}

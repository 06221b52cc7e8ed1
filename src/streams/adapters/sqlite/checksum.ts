import { createHash } from 'node:crypto';
import type { EncodedEvent } from '../../encoded-event.js';

const DIGEST_BYTES = 8;

/** Everything that a reader is told of an event, beside its body. */
export interface ChecksummedHeader extends Omit<EncodedEvent, 'body'> {
  readonly rowid: number;
  readonly stream: string;
  readonly revision: number;
  readonly recordedAt: number;
}

/**
 * 8 bytes over the header and the body's digest, then the 8 bytes of the body's digest (none without a body).
 * Readers who leave the body out still verify the header.
 */
export function checksumOf(header: ChecksummedHeader, body: Uint8Array | undefined): Uint8Array {
  const bodyDigest = body === undefined ? new Uint8Array(0) : digest(body);
  return Buffer.concat([headerDigest(header, bodyDigest), bodyDigest]);
}

export function headerMatches(header: ChecksummedHeader, checksum: Uint8Array): boolean {
  return startsWith(checksum, headerDigest(header, checksum.subarray(DIGEST_BYTES)));
}

export function bodyMatches(body: Uint8Array | null, checksum: Uint8Array): boolean {
  const expected = checksum.subarray(DIGEST_BYTES);
  return body === null ? expected.length === 0 : expected.length > 0 && startsWith(expected, digest(body));
}

function headerDigest(header: ChecksummedHeader, bodyDigest: Uint8Array): Uint8Array {
  const { rowid, stream, revision, id, type, recordedAt, data } = header;
  const text = JSON.stringify([rowid, stream, revision, id, type, recordedAt, data]);
  return createHash('sha256').update(text).update(bodyDigest).digest().subarray(0, DIGEST_BYTES);
}

function digest(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest().subarray(0, DIGEST_BYTES);
}

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return Buffer.compare(bytes.subarray(0, start.length), start) === 0;
}

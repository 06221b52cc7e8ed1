import { createHash } from 'node:crypto';

/**
 * UUID version 8 (RFC 9562) derived from the SHA-256 of `text`: equal texts give equal ids, so independent writers of
 * the same fact agree on its id.
 */
export function deriveUuid(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes[6] = (bytes[6] & 0x0f) | 0x80;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

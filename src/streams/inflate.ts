import { gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { decompress } from 'fzstd';
import type { Encoding } from '../telemetry/encodings.js';

/**
 * The body that was compressed. Never more than `inflatedBytes` are made, and never fewer returned:
 * anything else throws, because the log says how many there are.
 */
export function inflate(body: Uint8Array, encoding: Encoding, inflatedBytes: number): Uint8Array {
  const inflated = inflatedBytes === 0 ? new Uint8Array(0) : inflators[encoding](body, inflatedBytes);
  if (inflated.byteLength !== inflatedBytes) {
    throw new RangeError(`A ${encoding} body inflates to ${inflated.byteLength} bytes instead of ${inflatedBytes}`);
  }
  return inflated;
}

const inflators: Readonly<Record<Encoding, (body: Uint8Array, bytes: number) => Uint8Array>> = {
  identity: (body) => body,
  gzip: (body, maxOutputLength) => gunzipSync(body, { maxOutputLength }),
  deflate: (body, maxOutputLength) => (hasZlibHeader(body) ? inflateSync : inflateRawSync)(body, { maxOutputLength }),
  zstd: (body, bytes) => decompress(body, new Uint8Array(bytes)),
};

/** HTTP's deflate is the zlib format (RFC 9110, 8.4.1.2); some senders leave its header out. */
function hasZlibHeader(body: Uint8Array): boolean {
  return body.length > 1 && (body[0]! & 0x0f) === 8 && ((body[0]! << 8) | body[1]!) % 31 === 0;
}

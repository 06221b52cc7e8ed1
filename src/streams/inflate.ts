import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Encoding } from '../telemetry/encodings.js';
import { inflate as inflateUpTo } from '../telemetry/otlp/inflate.js';

const gunzipOnPool = promisify(gunzip);

/** Smaller bodies are inflated sooner than handed over. */
const WORTH_HANDING_OVER = 4_096;

/**
 * The body that an event carries, inflated. The log says how many bytes there are: when there are more or fewer, or
 * they cannot be inflated any more, this throws.
 */
export function inflate(body: Uint8Array, encoding: Encoding, inflatedBytes: number): Uint8Array {
  const result = inflateUpTo(body, encoding, inflatedBytes);
  if (!result.ok) throw new Error(`A stored body cannot be inflated: ${result.message}`);
  if (result.bytes.byteLength !== inflatedBytes) {
    throw new Error(`A stored body has ${result.bytes.byteLength} bytes instead of ${inflatedBytes}`);
  }
  return result.bytes;
}

/**
 * The same, off this thread where that pays: gzip, as nearly all senders use it, on the pool of libuv. Whatever is odd
 * about a body is told by `inflate`.
 */
export async function inflateOnPool(body: Uint8Array, encoding: Encoding, inflatedBytes: number): Promise<Uint8Array> {
  if (encoding !== 'gzip' || body.byteLength < WORTH_HANDING_OVER) return inflate(body, encoding, inflatedBytes);
  try {
    const bytes = await gunzipOnPool(body, { maxOutputLength: inflatedBytes, chunkSize: inflatedBytes });
    if (bytes.byteLength === inflatedBytes) return bytes;
  } catch {
    // Falls through: the careful way says what is wrong, in the words that operators know.
  }
  return inflate(body, encoding, inflatedBytes);
}

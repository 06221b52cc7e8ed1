import type { Encoding } from '../telemetry/encodings.js';
import { inflate as inflateUpTo } from '../telemetry/otlp/inflate.js';

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

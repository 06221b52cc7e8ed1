/**
 * The bytes as 32-bit words in native byte order (little-endian on all platforms of Node): a view if they are aligned,
 * else a copy.
 */
export function asWords32(bytes: Uint8Array): Uint32Array {
  if (bytes.byteOffset % 4 !== 0) return copyWords32(bytes);
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >>> 2);
}

/** A copy of the bytes as 32-bit words. (`slice` of a Buffer is a view.) */
export function copyWords32(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(new Uint8Array(bytes).buffer, 0, bytes.byteLength >>> 2);
}

/** The bytes of an array of numbers, as a view. */
export function asBytes(array: Uint32Array | Uint16Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** Mixes 32 bits so that every bit of the result depends on all of them. Returns an unsigned number. */
export function mix32(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Hash of a pair of words, such as a span id. */
export function hashPair(a: number, b: number): number {
  return mix32(Math.imul(a, 0x9e3779b1) ^ mix32(b));
}

/** Hash of four words, such as a trace id. */
export function hashQuad(a: number, b: number, c: number, d: number): number {
  return mix32(Math.imul(a ^ (b << 15) ^ (b >>> 17), 0x9e3779b1) ^ mix32(c ^ Math.imul(d, 0x85ebca6b)));
}

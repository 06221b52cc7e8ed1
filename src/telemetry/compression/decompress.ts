import { gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from 'node:zlib';
import { type ContentEncoding, DecompressionError, type DecompressionFault } from './content-encoding.js';
import { decompressZstd } from './decompress-zstd.js';

export type DecompressionOutcome =
  /** `bytes` owns its ArrayBuffer: it can be transferred. */
  | { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly ok: false; readonly fault: DecompressionFault; readonly message: string };

/** Deflate cannot shrink by more: what a gzip trailer promises beyond it is a lie. */
const MAX_DEFLATE_RATIO = 1032;
const SMALLEST_GZIP = 18;
/** What zlib works with where the size is not known. With less, bodies that lie about their size cost many times the time. */
const USUAL_CHUNK = 64 << 10;

/**
 * Undoes a content-coding. Never makes more than `maxBytes`, whatever the body promises. `deflate` is the zlib format,
 * as HTTP has it, or raw, as some senders have it. Several gzip members or zstd frames make one body; what follows
 * them must be another. An empty body is empty in every encoding. The result does not share memory with `body`.
 */
export function decompress(body: Uint8Array, encoding: ContentEncoding, maxBytes: number): DecompressionOutcome {
  try {
    return { ok: true, bytes: toOwnedBytes(decodeContent(body, encoding, maxBytes)) };
  } catch (error) {
    if (error instanceof DecompressionError) return { ok: false, fault: error.fault, message: error.message };
    throw error;
  }
}

function decodeContent(body: Uint8Array, encoding: ContentEncoding, maxBytes: number): Uint8Array {
  if (body.length === 0) return new Uint8Array(0);
  switch (encoding) {
    case 'identity':
      if (body.length > maxBytes) throw createTooLargeError(maxBytes);
      return body.slice();
    case 'gzip':
      return decompressGzip(body, maxBytes);
    case 'deflate':
      return decompressDeflate(body, maxBytes);
    case 'zstd':
      return decompressZstd(body, maxBytes);
  }
}

/** The trailer tells the size (of the last member, modulo 2^32): when it can be true, plain bombs are refused without work. */
function decompressGzip(body: Uint8Array, maxBytes: number): Uint8Array {
  if (body.length < SMALLEST_GZIP) throw new DecompressionError('malformed', 'The gzip body is cut off.');
  const size = new DataView(body.buffer, body.byteOffset + body.length - 4, 4).getUint32(0, true);
  const credible = size <= body.length * MAX_DEFLATE_RATIO;
  if (credible && size > maxBytes) throw createTooLargeError(maxBytes);
  return decompressWithZlib(gunzipSync, 'gzip', body, maxBytes, credible ? Math.max(USUAL_CHUNK, size) : USUAL_CHUNK);
}

function decompressDeflate(body: Uint8Array, maxBytes: number): Uint8Array {
  if (!hasZlibHeader(body)) return decompressWithZlib(inflateRawSync, 'deflate', body, maxBytes, USUAL_CHUNK);
  try {
    return decompressWithZlib(inflateSync, 'deflate', body, maxBytes, USUAL_CHUNK);
  } catch (error) {
    // A raw stream may begin like a zlib header by chance.
    if (error instanceof DecompressionError && error.fault === 'malformed') {
      return decompressWithZlib(inflateRawSync, 'deflate', body, maxBytes, USUAL_CHUNK);
    }
    throw error;
  }
}

/** RFC 1950: method 8, and the two bytes are a multiple of 31. */
function hasZlibHeader(body: Uint8Array): boolean {
  return body.length >= 2 && (body[0] & 0x0f) === 8 && ((body[0] << 8) | body[1]) % 31 === 0;
}

type SyncDecompressor = (body: Uint8Array, options: ZlibOptions) => Buffer;

function decompressWithZlib(
  inflater: SyncDecompressor,
  name: string,
  body: Uint8Array,
  maxBytes: number,
  chunkSize: number,
): Uint8Array {
  let result: ZlibInfoResult;
  try {
    // zlib refuses a limit of 0.
    const limits = { maxOutputLength: Math.max(1, maxBytes), chunkSize, info: true };
    result = inflater(body, limits) as unknown as ZlibInfoResult;
  } catch (error) {
    if (isOutputLimitError(error)) throw createTooLargeError(maxBytes);
    throw new DecompressionError('malformed', `The body is not valid ${name}.`, error);
  }
  if (result.buffer.length > maxBytes) throw createTooLargeError(maxBytes);
  if (result.engine.bytesWritten !== body.length)
    throw new DecompressionError('malformed', `The ${name} body is followed by other bytes.`);
  return result.buffer;
}

/** What the synchronous functions answer with the option `info`, which their types do not tell. */
interface ZlibInfoResult {
  readonly buffer: Buffer;
  /** `bytesWritten` counts the compressed bytes that were consumed. */
  readonly engine: { readonly bytesWritten: number };
}

function isOutputLimitError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
}

function createTooLargeError(maxBytes: number): DecompressionError {
  return DecompressionError.forOversizedBody(maxBytes);
}

/** The same bytes alone in their ArrayBuffer. */
function toOwnedBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength;
  if (whole && bytes.buffer instanceof ArrayBuffer) return new Uint8Array(bytes.buffer);
  return Uint8Array.from(bytes);
}

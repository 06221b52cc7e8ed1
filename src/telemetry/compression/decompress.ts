import { gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from 'node:zlib';
import { DecompressionError, type DecompressionFault, type TransferEncoding } from './content-encoding.js';
import { decompressLz4 } from './decompress-lz4.js';
import { decompressSnappy } from './decompress-snappy.js';
import { decompressZstd } from './decompress-zstd.js';

export type DecompressionOutcome =
  /** `bytes` may be a view of a larger buffer, or `body` itself. */
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly fault: DecompressionFault; readonly message: string };

/** Highest compression ratio of deflate: a gzip trailer that declares more is false. */
const MAX_DEFLATE_RATIO = 1032;
const MIN_GZIP_BYTES = 18;
/** Output chunk for small bodies of unknown size. A smaller one makes bodies with a false size many times slower. */
const SMALL_CHUNK_BYTES = 64 << 10;
/**
 * Larger outputs are written into one buffer of the largest size: the system provides only the pages that are used, and
 * takes them all back. Many chunks would stay in the allocator, and be copied into one.
 */
const MAX_SMALL_BYTES = 1 << 20;

/**
 * Decompresses a body by its HTTP content coding. Never produces more than `maxBytes`, whatever the body declares.
 * `deflate` accepts the zlib format of HTTP and the raw format of some senders, `snappy` one block and the framing format.
 * Several gzip members, zstd or LZ4 frames make one body; trailing bytes are malformed. An empty body is empty in every
 * encoding. What is not compressed is not copied.
 */
export function decompress(body: Uint8Array, encoding: TransferEncoding, maxBytes: number): DecompressionOutcome {
  try {
    return { ok: true, bytes: decodeContent(body, encoding, maxBytes) };
  } catch (error) {
    if (error instanceof DecompressionError) return { ok: false, fault: error.fault, message: error.message };
    throw error;
  }
}

function decodeContent(body: Uint8Array, encoding: TransferEncoding, maxBytes: number): Uint8Array {
  if (body.length === 0) return new Uint8Array(0);
  switch (encoding) {
    case 'identity':
      if (body.length > maxBytes) throw createTooLargeError(maxBytes);
      return body;
    case 'gzip':
      return decompressGzip(body, maxBytes);
    case 'deflate':
      return decompressDeflate(body, maxBytes);
    case 'zstd':
      return decompressZstd(body, maxBytes);
    case 'snappy':
      return decompressSnappy(body, maxBytes);
    case 'lz4':
      return decompressLz4(body, maxBytes);
  }
}

/**
 * The trailer holds the size of the last member modulo 2^32: if that is plausible and too large, the body is refused
 * without decompressing it.
 */
function decompressGzip(body: Uint8Array, maxBytes: number): Uint8Array {
  if (body.length < MIN_GZIP_BYTES) throw new DecompressionError('malformed', 'The gzip body is cut off.');
  const size = new DataView(body.buffer, body.byteOffset + body.length - 4, 4).getUint32(0, true);
  const isPlausible = size <= body.length * MAX_DEFLATE_RATIO;
  if (isPlausible && size > maxBytes) throw createTooLargeError(maxBytes);
  return decompressWithZlib(gunzipSync, 'gzip', body, maxBytes, isPlausible ? size : 0);
}

function decompressDeflate(body: Uint8Array, maxBytes: number): Uint8Array {
  if (!hasZlibHeader(body)) return decompressWithZlib(inflateRawSync, 'deflate', body, maxBytes);
  try {
    return decompressWithZlib(inflateSync, 'deflate', body, maxBytes);
  } catch (error) {
    // A raw stream may begin like a zlib header by chance.
    if (error instanceof DecompressionError && error.fault === 'malformed') {
      return decompressWithZlib(inflateRawSync, 'deflate', body, maxBytes);
    }
    throw error;
  }
}

/** RFC 1950: method 8, and the first two bytes are a multiple of 31. */
function hasZlibHeader(body: Uint8Array): boolean {
  return body.length >= 2 && (body[0] & 0x0f) === 8 && ((body[0] << 8) | body[1]) % 31 === 0;
}

type SyncDecompressor = (body: Uint8Array, options: ZlibOptions) => Buffer;

/** `claimedBytes`: size that the body declares, 0 if unknown; it may be false. */
function decompressWithZlib(
  decompressor: SyncDecompressor,
  name: string,
  body: Uint8Array,
  maxBytes: number,
  claimedBytes = 0,
): Uint8Array {
  let result: ZlibInfoResult | undefined;
  try {
    if (claimedBytes <= MAX_SMALL_BYTES && maxBytes > MAX_SMALL_BYTES)
      result = decompressSmall(decompressor, body, claimedBytes);
    result ??= decompressLarge(decompressor, body, maxBytes);
  } catch (error) {
    if (isOutputLimitError(error)) throw createTooLargeError(maxBytes);
    throw new DecompressionError('malformed', `The body is not valid ${name}.`, error);
  }
  if (result.buffer.length > maxBytes) throw createTooLargeError(maxBytes);
  if (result.engine.bytesWritten !== body.length)
    throw new DecompressionError('malformed', `The ${name} body is followed by other bytes.`);
  return result.buffer;
}

/** Undefined if the output is not small. */
function decompressSmall(
  decompressor: SyncDecompressor,
  body: Uint8Array,
  claimedBytes: number,
): ZlibInfoResult | undefined {
  try {
    return runZlib(decompressor, body, MAX_SMALL_BYTES, Math.max(SMALL_CHUNK_BYTES, chunkSizeFor(claimedBytes)));
  } catch (error) {
    if (isOutputLimitError(error)) return undefined;
    throw error;
  }
}

function decompressLarge(decompressor: SyncDecompressor, body: Uint8Array, maxBytes: number): ZlibInfoResult {
  return runZlib(decompressor, body, maxBytes, Math.max(SMALL_CHUNK_BYTES, chunkSizeFor(maxBytes)));
}

/** Size of the output buffer for a body of known size. zlib allocates a second one as soon as the first is full. */
export function chunkSizeFor(inflatedBytes: number): number {
  return inflatedBytes + 1;
}

function runZlib(
  decompressor: SyncDecompressor,
  body: Uint8Array,
  maxOutputLength: number,
  chunkSize: number,
): ZlibInfoResult {
  // zlib does not accept a limit of 0.
  const limits = { maxOutputLength: Math.max(1, maxOutputLength), chunkSize, info: true };
  return decompressor(body, limits) as unknown as ZlibInfoResult;
}

/** Result of the synchronous functions with the option `info`, which their types do not cover. */
interface ZlibInfoResult {
  readonly buffer: Buffer;
  /** `bytesWritten` counts the compressed bytes consumed. */
  readonly engine: { readonly bytesWritten: number };
}

function isOutputLimitError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
}

function createTooLargeError(maxBytes: number): DecompressionError {
  return DecompressionError.forOversizedBody(maxBytes);
}

/** Takes what it is sent and drops it. */
const closedPort = new MessageChannel().port1;
closedPort.close();

/**
 * Returns the memory of a decompressed body at once. V8 counts buffers outside its heap and collects the garbage of the
 * whole heap for every 64 MB of them, which costs more than to decompress them. `bytes` was returned by a function of
 * this project that decompresses `encoding`; it and its views MUST NOT be used any more. No effect on what does not come
 * from zlib, and on what is small enough to share a buffer with others.
 */
export function releaseInflated(bytes: Uint8Array, encoding: TransferEncoding): void {
  const { buffer } = bytes;
  if (encoding !== 'gzip' && encoding !== 'deflate') return;
  if (!(buffer instanceof ArrayBuffer) || buffer.byteLength <= Buffer.poolSize) return;
  closedPort.postMessage(undefined, [buffer]);
}

import { gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from 'node:zlib';
import type { Encoding } from '../encodings.js';
import { InflateFault, type Fault } from './inflate-fault.js';
import { unzstd } from './unzstd.js';

export type Inflated =
  /** `bytes` owns its ArrayBuffer: it can be transferred. */
  | { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly ok: false; readonly fault: Fault; readonly message: string };

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
export function inflate(body: Uint8Array, encoding: Encoding, maxBytes: number): Inflated {
  try {
    return { ok: true, bytes: owned(decode(body, encoding, maxBytes)) };
  } catch (error) {
    if (error instanceof InflateFault) return { ok: false, fault: error.fault, message: error.message };
    throw error;
  }
}

function decode(body: Uint8Array, encoding: Encoding, maxBytes: number): Uint8Array {
  if (body.length === 0) return new Uint8Array(0);
  switch (encoding) {
    case 'identity':
      if (body.length > maxBytes) throw tooLarge(maxBytes);
      return body.slice();
    case 'gzip':
      return gunzip(body, maxBytes);
    case 'deflate':
      return undeflate(body, maxBytes);
    case 'zstd':
      return unzstd(body, maxBytes);
  }
}

/** The trailer tells the size (of the last member, modulo 2^32): when it can be true, plain bombs are refused without work. */
function gunzip(body: Uint8Array, maxBytes: number): Uint8Array {
  if (body.length < SMALLEST_GZIP) throw new InflateFault('malformed', 'The gzip body is cut off.');
  const size = new DataView(body.buffer, body.byteOffset + body.length - 4, 4).getUint32(0, true);
  const credible = size <= body.length * MAX_DEFLATE_RATIO;
  if (credible && size > maxBytes) throw tooLarge(maxBytes);
  return withZlib(gunzipSync, 'gzip', body, maxBytes, credible ? Math.max(USUAL_CHUNK, size) : USUAL_CHUNK);
}

function undeflate(body: Uint8Array, maxBytes: number): Uint8Array {
  if (!hasZlibHeader(body)) return withZlib(inflateRawSync, 'deflate', body, maxBytes, USUAL_CHUNK);
  try {
    return withZlib(inflateSync, 'deflate', body, maxBytes, USUAL_CHUNK);
  } catch (error) {
    // A raw stream may begin like a zlib header by chance.
    if (error instanceof InflateFault && error.fault === 'malformed') {
      return withZlib(inflateRawSync, 'deflate', body, maxBytes, USUAL_CHUNK);
    }
    throw error;
  }
}

/** RFC 1950: method 8, and the two bytes are a multiple of 31. */
function hasZlibHeader(body: Uint8Array): boolean {
  return body.length >= 2 && (body[0] & 0x0f) === 8 && ((body[0] << 8) | body[1]) % 31 === 0;
}

type SyncInflater = (body: Uint8Array, options: ZlibOptions) => Buffer;

function withZlib(inflater: SyncInflater, name: string, body: Uint8Array, maxBytes: number, chunkSize: number): Uint8Array {
  let result: InfoResult;
  try {
    // zlib refuses a limit of 0.
    const limits = { maxOutputLength: Math.max(1, maxBytes), chunkSize, info: true };
    result = inflater(body, limits) as unknown as InfoResult;
  } catch (error) {
    if (isTooLarge(error)) throw tooLarge(maxBytes);
    throw new InflateFault('malformed', `The body is not valid ${name}.`, error);
  }
  if (result.buffer.length > maxBytes) throw tooLarge(maxBytes);
  if (result.engine.bytesWritten !== body.length) throw new InflateFault('malformed', `The ${name} body is followed by other bytes.`);
  return result.buffer;
}

/** What the synchronous functions answer with the option `info`, which their types do not tell. */
interface InfoResult {
  readonly buffer: Buffer;
  /** `bytesWritten` counts the compressed bytes that were consumed. */
  readonly engine: { readonly bytesWritten: number };
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
}

function tooLarge(maxBytes: number): InflateFault {
  return InflateFault.tooLarge(maxBytes);
}

/** The same bytes alone in their ArrayBuffer. */
function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength;
  if (whole && bytes.buffer instanceof ArrayBuffer) return new Uint8Array(bytes.buffer);
  return Uint8Array.from(bytes);
}

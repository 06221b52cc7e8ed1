import { ZSTDDecoder } from 'zstddec';
import { DecompressionError } from './content-encoding.js';

/** The C functions that zstddec compiles from zstd. Addresses lie in `memory`, which grows and never shrinks. */
interface ZstdInstance {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** 0 where there is no room. */
  malloc(bytes: number): number;
  free(address: number): void;
  /** Of all frames, as their headers promise. A signed reading of 64 bits without sign. */
  ZSTD_findDecompressedSize(from: number, bytes: number): bigint;
  /** Bytes written, or an error. */
  ZSTD_decompress(to: number, room: number, from: number, bytes: number): number;
  ZSTD_isError(result: number): number;
}

/** Answers of ZSTD_findDecompressedSize (zstd.h). */
const SIZE_UNKNOWN = 2n ** 64n - 1n;
const SIZE_ERROR = 2n ** 64n - 2n;
/** ZSTD_error_dstSize_tooSmall (zstd_errors.h). */
const NO_ROOM = -70;

/** A block makes at most 128 KiB and takes at least four bytes (RFC 8878 §3.1.1.2): what makes more is a lie. */
const MAX_RATIO = (128 << 10) / 4;
/** Room that a body without sizes is given first, and by what it grows while it does not suffice. */
const USUAL_RATIO = 16;
const SMALLEST_ROOM = 64 << 10;
const GROWTH = 4;
const code = await compileZstdModule();
/** Between two bodies. Nothing here waits, so one is enough. */
let idle: ZstdInstance | WeakRef<ZstdInstance> | undefined;
const initialBytes = instantiate().memory.buffer.byteLength;

/**
 * Decompresses zstd frames (RFC 8878, without dictionaries) to at most `maxBytes`. Time and memory are bounded by the
 * length of the body and by `maxBytes`, whatever its frames claim. Between bodies 16 MiB at most are kept, more only
 * until memory is collected or a body comes that does not need it.
 */
export function decompressZstd(body: Uint8Array, maxBytes: number): Uint8Array<ArrayBuffer> {
  const zstd = takeInstance();
  const result = decompressBody(zstd, body, maxBytes);
  if (!(result instanceof DecompressionError)) {
    returnInstance(zstd, result.length);
    return result;
  }
  returnInstance(zstd, result.fault === 'too-large' ? maxBytes : 0);
  throw result;
}

/** Whoever takes one and does not put it back, because it failed in ways that nobody foresaw, leaves none behind. */
function takeInstance(): ZstdInstance {
  const zstd = idle instanceof WeakRef ? idle.deref() : idle;
  idle = undefined;
  return zstd ?? instantiate();
}

/** `made`: bytes that came out. Large bodies in a row share a memory: had each its own, all would be there until they are collected. */
function returnInstance(zstd: ZstdInstance, made: number): void {
  if (zstd.memory.buffer.byteLength === initialBytes) idle = zstd;
  else if (made > initialBytes / 2) idle = new WeakRef(zstd);
}

/** zstddec would answer corrupt bodies with empty ones, and keeps its memory: of its class only the loading is of use. */
async function compileZstdModule(): Promise<WebAssembly.Module> {
  let module: WebAssembly.Module | undefined;
  class Loader extends ZSTDDecoder {
    override _init(source: WebAssembly.WebAssemblyInstantiatedSource): void {
      ({ module } = source);
    }
  }
  await new Loader().init();
  if (module === undefined) throw new Error('zstddec was loaded, and gave no module');
  return module;
}

function instantiate(): ZstdInstance {
  return new WebAssembly.Instance(code, { env: { emscripten_notify_memory_growth: () => undefined } })
    .exports as ZstdInstance;
}

function decompressBody(
  zstd: ZstdInstance,
  body: Uint8Array,
  maxBytes: number,
): Uint8Array<ArrayBuffer> | DecompressionError {
  const from = allocate(zstd, body.length);
  new Uint8Array(zstd.memory.buffer).set(body, from);
  const result = decompressFrames(zstd, from, body.length, maxBytes);
  zstd.free(from);
  return result;
}

function decompressFrames(
  zstd: ZstdInstance,
  from: number,
  bytes: number,
  maxBytes: number,
): Uint8Array<ArrayBuffer> | DecompressionError {
  const promised = BigInt.asUintN(64, zstd.ZSTD_findDecompressedSize(from, bytes));
  if (promised === SIZE_ERROR) return createMalformedError();
  const known = promised !== SIZE_UNKNOWN;
  if (known && promised > maxBytes) return DecompressionError.forOversizedBody(maxBytes);
  const most = Math.min(known ? Number(promised) : maxBytes, bytes * MAX_RATIO);
  let room = known ? most : Math.min(most, Math.max(SMALLEST_ROOM, bytes * USUAL_RATIO));
  for (;;) {
    const result = decompressInto(zstd, room, from, bytes);
    if (result !== NO_ROOM) return result;
    if (room === most)
      return most === maxBytes ? DecompressionError.forOversizedBody(maxBytes) : createMalformedError();
    room = Math.min(most, room * GROWTH);
  }
}

function decompressInto(
  zstd: ZstdInstance,
  room: number,
  from: number,
  bytes: number,
): Uint8Array<ArrayBuffer> | DecompressionError | typeof NO_ROOM {
  const to = allocate(zstd, room);
  const written = zstd.ZSTD_decompress(to, room, from, bytes);
  const failed = zstd.ZSTD_isError(written) !== 0;
  const content = failed ? undefined : new Uint8Array(zstd.memory.buffer).slice(to, to + written);
  zstd.free(to);
  return content ?? (written === NO_ROOM ? NO_ROOM : createMalformedError());
}

function allocate(zstd: ZstdInstance, bytes: number): number {
  const address = zstd.malloc(bytes);
  if (address === 0) throw new Error(`zstd finds no room for ${bytes} bytes`);
  return address;
}

function createMalformedError(): DecompressionError {
  return new DecompressionError('malformed', 'The body is not valid zstd.');
}

import { ZSTDDecoder } from 'zstddec';
import { DecompressionError } from './content-encoding.js';

/** The C functions of zstd that zstddec exports. Addresses point into `memory`, which grows and never shrinks. */
interface ZstdInstance {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Returns 0 if the allocation fails. */
  malloc(bytes: number): number;
  free(address: number): void;
  /** Total size of all frames as their headers declare it. An unsigned 64-bit value in a signed bigint. */
  ZSTD_findDecompressedSize(from: number, bytes: number): bigint;
  /** Returns the number of bytes written, or an error code. */
  ZSTD_decompress(to: number, capacity: number, from: number, bytes: number): number;
  ZSTD_isError(result: number): number;
}

/** Special results of ZSTD_findDecompressedSize (zstd.h). */
const SIZE_UNKNOWN = 2n ** 64n - 1n;
const SIZE_ERROR = 2n ** 64n - 2n;
/** ZSTD_error_dstSize_tooSmall (zstd_errors.h). */
const OUTPUT_TOO_SMALL = -70;

/**
 * A block yields at most 128 KiB and takes at least four bytes (RFC 8878 §3.1.1.2): a larger declared size is false.
 */
const MAX_RATIO = (128 << 10) / 4;
/** Initial output capacity for a body without declared sizes, and the factor by which it grows while insufficient. */
const EXPECTED_RATIO = 16;
const MIN_CAPACITY = 64 << 10;
const CAPACITY_GROWTH = 4;
const zstdModule = await compileZstdModule();
/** Instances cached between two calls, one of the initial size and one that has grown. Calls are synchronous, so one suffices. */
let smallInstance: ZstdInstance | undefined;
let largeInstance: WeakRef<ZstdInstance> | undefined;
const initialBytes = instantiate().memory.buffer.byteLength;

/**
 * Decompresses zstd frames (RFC 8878, without dictionaries) to at most `maxBytes`. Time and memory are bounded by the
 * length of the body and by `maxBytes`, whatever its frames declare. Between calls at most 16 MiB stay allocated, more
 * only until garbage collection or the next small body. Throws DecompressionError.
 */
export function decompressZstd(body: Uint8Array, maxBytes: number): Uint8Array<ArrayBuffer> {
  const zstd = takeInstance(body.length + maxBytes);
  const result = decompressBody(zstd, body, maxBytes);
  if (!(result instanceof DecompressionError)) {
    returnInstance(zstd, result.length);
    return result;
  }
  returnInstance(zstd, result.fault === 'too-large' ? maxBytes : 0);
  throw result;
}

/**
 * Takes a cached instance or creates one; a large one only for what may need it. An instance that is not returned, because
 * of an unexpected failure, is dropped.
 */
function takeInstance(neededBytes: number): ZstdInstance {
  const large = neededBytes > initialBytes / 2 ? largeInstance?.deref() : undefined;
  if (large !== undefined) {
    largeInstance = undefined;
    return large;
  }
  const zstd = smallInstance ?? instantiate();
  smallInstance = undefined;
  return zstd;
}

/**
 * `outputBytes`: size of the result. A large instance is cached weakly, so that consecutive large bodies share one
 * memory instead of each holding its own until garbage collection.
 */
function returnInstance(zstd: ZstdInstance, outputBytes: number): void {
  if (zstd.memory.buffer.byteLength === initialBytes) smallInstance = zstd;
  else if (outputBytes > initialBytes / 2) largeInstance = new WeakRef(zstd);
}

/**
 * Only the loader of zstddec's class is used: it would return empty output for corrupt bodies and never frees its
 * memory.
 */
async function compileZstdModule(): Promise<WebAssembly.Module> {
  let module: WebAssembly.Module | undefined;
  class Loader extends ZSTDDecoder {
    override _init(source: WebAssembly.WebAssemblyInstantiatedSource): void {
      ({ module } = source);
    }
  }
  await withoutFetch(() => new Loader().init());
  if (module === undefined) throw new Error('zstddec loaded but returned no WebAssembly module');
  return module;
}

/**
 * Where there is a `fetch`, zstddec fetches its code from a data URL, which loads the HTTP client of Node.js: 170 ms of CPU
 * time in each thread. Otherwise it decodes the text itself. It looks for `fetch` before `init` returns.
 */
function withoutFetch<Result>(call: () => Result): Result {
  const { fetch } = globalThis;
  Object.assign(globalThis, { fetch: undefined });
  try {
    return call();
  } finally {
    Object.assign(globalThis, { fetch });
  }
}

function instantiate(): ZstdInstance {
  return new WebAssembly.Instance(zstdModule, { env: { emscripten_notify_memory_growth: () => undefined } })
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
  const declaredSize = BigInt.asUintN(64, zstd.ZSTD_findDecompressedSize(from, bytes));
  if (declaredSize === SIZE_ERROR) return createMalformedError();
  const isDeclared = declaredSize !== SIZE_UNKNOWN;
  if (isDeclared && declaredSize > maxBytes) return DecompressionError.forOversizedBody(maxBytes);
  const maxCapacity = Math.min(isDeclared ? Number(declaredSize) : maxBytes, bytes * MAX_RATIO);
  let capacity = isDeclared ? maxCapacity : Math.min(maxCapacity, Math.max(MIN_CAPACITY, bytes * EXPECTED_RATIO));
  for (;;) {
    const result = decompressInto(zstd, capacity, from, bytes);
    if (result !== OUTPUT_TOO_SMALL) return result;
    if (capacity === maxCapacity)
      return maxCapacity === maxBytes ? DecompressionError.forOversizedBody(maxBytes) : createMalformedError();
    capacity = Math.min(maxCapacity, capacity * CAPACITY_GROWTH);
  }
}

function decompressInto(
  zstd: ZstdInstance,
  capacity: number,
  from: number,
  bytes: number,
): Uint8Array<ArrayBuffer> | DecompressionError | typeof OUTPUT_TOO_SMALL {
  const to = allocate(zstd, capacity);
  const written = zstd.ZSTD_decompress(to, capacity, from, bytes);
  const failed = zstd.ZSTD_isError(written) !== 0;
  const content = failed ? undefined : new Uint8Array(zstd.memory.buffer).slice(to, to + written);
  zstd.free(to);
  return content ?? (written === OUTPUT_TOO_SMALL ? OUTPUT_TOO_SMALL : createMalformedError());
}

function allocate(zstd: ZstdInstance, bytes: number): number {
  const address = zstd.malloc(bytes);
  if (address === 0) throw new Error(`zstd failed to allocate ${bytes} bytes`);
  return address;
}

function createMalformedError(): DecompressionError {
  return new DecompressionError('malformed', 'The body is not valid zstd.');
}

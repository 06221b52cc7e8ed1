import type { Logger } from '../self-telemetry/logger.js';

/** Returns what native code has freed to the operating system, if the platform can do that. */
export type NativeMemoryTrimmer = () => Promise<void>;

/** Parameters of mallopt(3). */
const M_TRIM_THRESHOLD = -1;
const M_MMAP_THRESHOLD = -3;
/**
 * Bytes from which on malloc asks the operating system for each piece by itself, and free bytes at the end of an arena from
 * which on it returns them. Without them malloc raises both, up to 32 and 64 MiB, with the largest piece that was ever
 * freed: tables of 50 MB then lie in arenas, between small pieces.
 */
const OWN_MAPPING_BYTES = 1024 * 1024;
const FREE_END_BYTES = 1024 * 1024;

/**
 * SQLite, decompression and buffers allocate with malloc. That of glibc has an arena for each few threads, and returns no
 * memory that is free between two pieces in use: after load half of all arenas is free, and stays with the process.
 * malloc_trim(3) returns it; it takes some milliseconds for 100 MB. From this call on, large pieces have mappings of their
 * own. On other platforms, and without the optional package koffi, the result does nothing, and says so once.
 */
export function createNativeMemoryTrimmer(log: Logger): NativeMemoryTrimmer {
  const loaded = loadMallocTrim().catch((error: unknown) => {
    log.info('Memory freed by native code is not returned to the operating system: malloc_trim is not available', {
      error,
    });
    return () => Promise.resolve();
  });
  return async () => (await loaded)();
}

async function loadMallocTrim(): Promise<NativeMemoryTrimmer> {
  if (process.platform !== 'linux') throw new Error('only glibc on Linux has it');
  const { default: koffi } = await import('koffi');
  const libc = koffi.load('libc.so.6');
  const mallopt = libc.func('int mallopt(int parameter, int value)');
  mallopt(M_MMAP_THRESHOLD, OWN_MAPPING_BYTES);
  mallopt(M_TRIM_THRESHOLD, FREE_END_BYTES);
  const mallocTrim = libc.func('int malloc_trim(size_t pad)');
  return () =>
    new Promise((resolve, reject) => mallocTrim.async(0, (error) => (error === null ? resolve() : reject(error))));
}

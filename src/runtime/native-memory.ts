import type { Logger } from '../self-telemetry/logger.js';

/** Returns what native code has freed to the operating system, if the platform can do that. */
export type NativeMemoryTrimmer = () => Promise<void>;

/**
 * SQLite, decompression and buffers allocate with malloc. That of glibc has an arena for each few threads, and returns no
 * memory that is free between two pieces in use: after load half of all arenas is free, and stays with the process.
 * malloc_trim(3) returns it; it takes some milliseconds for 100 MB. On other platforms, and without the optional package
 * koffi, the result does nothing, and says so once.
 */
export function createNativeMemoryTrimmer(log: Logger): NativeMemoryTrimmer {
  let loaded: Promise<NativeMemoryTrimmer> | undefined;
  return async () => {
    loaded ??= loadMallocTrim().catch((error: unknown) => {
      log.info('Freed memory of native code stays with the process: malloc_trim cannot be called', { error });
      return () => Promise.resolve();
    });
    await (
      await loaded
    )();
  };
}

async function loadMallocTrim(): Promise<NativeMemoryTrimmer> {
  if (process.platform !== 'linux') throw new Error('only glibc on Linux has it');
  const { default: koffi } = await import('koffi');
  const mallocTrim = koffi.load('libc.so.6').func('int malloc_trim(size_t pad)');
  return () =>
    new Promise((resolve, reject) => mallocTrim.async(0, (error) => (error === null ? resolve() : reject(error))));
}

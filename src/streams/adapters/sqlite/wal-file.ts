import { closeSync, existsSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';

const CHUNK_BYTES = 1024 * 1024;

/**
 * Makes the WAL of `file` durable as it reads now. After a failed sync the kernel takes its pages for clean although the
 * disk does not have them: a later sync succeeds without writing them, and a power cut would take what was acknowledged
 * behind them. So every byte is written again, in place, which a cut at any moment leaves as it is.
 * MUST be called before a connection appends to a WAL that another connection or process has left.
 */
export function rewriteWal(file: string): void {
  const wal = `${file}-wal`;
  if (!existsSync(wal)) return;
  const descriptor = openSync(wal, 'r+');
  try {
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (let at = 0, bytes; (bytes = readSync(descriptor, chunk, 0, CHUNK_BYTES, at)) > 0; at += bytes) writeWhole(descriptor, chunk.subarray(0, bytes), at);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function writeWhole(descriptor: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done, bytes.length - done, at + done);
}

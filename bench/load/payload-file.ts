import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Export requests prepared before a run, so that generating them is not measured: gzip level 6, like exporters, with
 * unique span ids. A file is a sequence of little-endian uint32 lengths, each followed by that many bytes.
 */
export interface PayloadFile {
  readonly path: string;
  readonly batches: number;
  readonly recordsPerBatch: number;
}

const GENERATOR = fileURLToPath(new URL('./generate-process.js', import.meta.url));

/** What payloads contain: spans or log records of the simulated shop, or records that differ more (VariedSpans, VariedLogs). */
export type Workload = 'traces' | 'logs' | 'varied-spans' | 'varied-logs';

/** Writes one file per core, in parallel. */
export async function generatePayloads(
  folder: string,
  workload: Workload,
  records: number,
  recordsPerBatch: number,
  processes = 2,
): Promise<PayloadFile[]> {
  const batches = Math.ceil(records / recordsPerBatch / processes);
  return Promise.all(
    Array.from({ length: processes }, async (_, n) => {
      const path = `${folder}/${workload}-${n}.bin`;
      const child = spawn(
        process.execPath,
        [GENERATOR, path, workload, String(batches), String(recordsPerBatch), String(n + 1)],
        { stdio: 'inherit' },
      );
      const [code] = (await once(child, 'exit')) as [number | null];
      if (code !== 0) throw new Error(`the generator ended with ${code}`);
      return { path, batches, recordsPerBatch };
    }),
  );
}

/** Reads payloads one by one, from the first file to the last. */
export class PayloadReader {
  private readonly header = Buffer.alloc(4);
  private file = -1;
  private descriptor: number | undefined;

  constructor(private readonly paths: readonly string[]) {}

  /** The next payload, undefined after the last. */
  next(): Buffer | undefined {
    while (this.descriptor === undefined || readSync(this.descriptor, this.header) < 4) {
      if (this.descriptor !== undefined) closeSync(this.descriptor);
      this.descriptor = undefined;
      if (++this.file >= this.paths.length) return undefined;
      this.descriptor = openSync(this.paths[this.file], 'r');
    }
    const payload = Buffer.allocUnsafe(this.header.readUInt32LE());
    readSync(this.descriptor, payload);
    return payload;
  }
}

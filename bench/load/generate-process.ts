import { closeSync, openSync, writeSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { createTelemetryGenerator } from '../../test/support/telemetry-generator.js';

/** Process that writes one payload file. Arguments: path, signal, batches, records per batch, seed. */
const [path, signal, batches, recordsPerBatch, seed] = process.argv.slice(2);
const generator = createTelemetryGenerator(Number(seed) * 7919 + (Date.now() % 1_000_000), {
  startNs: BigInt(Date.now() - 60_000) * 1_000_000n,
  perSecond: 150_000,
});
const file = openSync(path, 'w');
for (let n = 0; n < Number(batches); n++) {
  const payload = gzipSync(
    signal === 'logs' ? generator.logs(Number(recordsPerBatch)) : generator.traces(Number(recordsPerBatch)),
  );
  const length = Buffer.alloc(4);
  length.writeUInt32LE(payload.length);
  writeSync(file, length);
  writeSync(file, payload);
}
closeSync(file);

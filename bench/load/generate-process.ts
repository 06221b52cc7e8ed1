import { closeSync, openSync, writeSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { createTelemetryGenerator } from '../../test/support/telemetry-generator.js';
import { VariedLogs } from './varied-logs.js';
import { VariedSpans } from './varied-spans.js';

/** Process that writes one payload file. Arguments: path, workload, batches, records per batch, seed. */
const [path, workload, batches, recordsPerBatch, seedNumber] = process.argv.slice(2);
const seed = Number(seedNumber) * 7919 + (Date.now() % 1_000_000);
const startNs = BigInt(Date.now() - 60_000) * 1_000_000n;
const PER_SECOND = 150_000;

function createSource(): (records: number) => Buffer {
  if (workload === 'varied-logs') {
    const logs = new VariedLogs(seed, startNs, 1e6 / PER_SECOND);
    return (records) => logs.next(records);
  }
  if (workload === 'varied-spans') {
    const spans = new VariedSpans(seed, startNs, 1e6 / PER_SECOND);
    return (records) => spans.next(records);
  }
  const shop = createTelemetryGenerator(seed, { startNs, perSecond: PER_SECOND });
  return (records) => (workload === 'logs' ? shop.logs(records) : shop.traces(records));
}

const next = createSource();
const file = openSync(path, 'w');
for (let n = 0; n < Number(batches); n++) {
  const payload = gzipSync(next(Number(recordsPerBatch)));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(payload.length);
  writeSync(file, length);
  writeSync(file, payload);
}
closeSync(file);

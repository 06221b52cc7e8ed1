import { gzipSync } from 'node:zlib';
import { createLogColumns } from '../src/telemetry/columns/log-batch-columns.js';
import { createMetricColumns } from '../src/telemetry/columns/metric-batch-columns.js';
import { validateExportRequest, validateRecords } from '../src/telemetry/otlp/validation/validate-export-request.js';
import { translateJsonToProtobuf } from '../src/telemetry/otlp/json/json-to-protobuf.js';
import { decodeLogs } from '../src/telemetry/otlp/decoding/log-decoder.js';
import { decodeMetrics } from '../src/telemetry/otlp/decoding/metric-decoder.js';
import { decodeSpans } from '../src/telemetry/otlp/decoding/span-decoder.js';
import { decodeSpanRecord } from '../src/telemetry/otlp/decoding/record-decoder.js';
import type { Signal } from '../src/telemetry/signals.js';
import { createSpanColumns } from '../src/telemetry/columns/span-batch-columns.js';
import { createTelemetryGenerator, type TelemetryGenerator } from '../test/support/telemetry-generator.js';

/** One figure of a benchmark. */
export interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly note: string;
}

const BATCH = 512;
const BATCHES = 16;
const RECORDS = BATCH * BATCHES;
const RUN_MS = 400;
const RUNS = 3;
const NO_BOUNDS = { oldestMs: 0, newestMs: 4e12 };

/** Records per second of CPU time of this process, the best of some runs after a warm-up. */
function measureRate(round: () => void): number {
  let best = 0;
  for (let run = 0; run <= RUNS; run++) {
    const start = process.cpuUsage();
    const until = performance.now() + RUN_MS;
    let records = 0;
    for (; performance.now() < until; records += RECORDS) round();
    const { user, system } = process.cpuUsage(start);
    if (run > 0) best = Math.max(best, (records / (user + system)) * 1e6);
  }
  return best;
}

function generateBatches(make: (generator: TelemetryGenerator) => Buffer): Buffer[] {
  const generator = createTelemetryGenerator(1);
  return Array.from({ length: BATCHES }, () => make(generator));
}

/** Spans per second of the decode loop, the baseline of other figures. */
export function measureDecodeRate(): number {
  const bodies = generateBatches((generator) => generator.traces(BATCH));
  const columns = createSpanColumns(RECORDS);
  return measureRate(() => {
    columns.clear();
    for (const body of bodies) decodeSpans(body, 0, [], columns);
  });
}

function measureLogRate(): number {
  const bodies = generateBatches((generator) => generator.logs(BATCH));
  const columns = createLogColumns(RECORDS);
  return measureRate(() => {
    columns.clear();
    for (const body of bodies) decodeLogs(body, 0, [], 0, columns);
  });
}

function measurePointRate(): number {
  const bodies = generateBatches((generator) => generator.metrics(BATCH));
  const columns = createMetricColumns(RECORDS);
  return measureRate(() => {
    columns.clear();
    for (const body of bodies) decodeMetrics(body, 0, [], columns);
  });
}

function measureValidationRate(signal: Signal): number {
  const bodies = generateBatches((generator) => generator[signal](BATCH));
  return measureRate(() => bodies.forEach((body) => validateRecords(signal, body, NO_BOUNDS)));
}

function measureJsonRate(): number {
  const bodies = generateBatches((generator) => generator.traces(BATCH)).map((body) =>
    Buffer.from(convertSpansToJson(body)),
  );
  return measureRate(() => bodies.forEach((body) => translateJsonToProtobuf('traces', body)));
}

/** Gzip, validation and identity: the cost of a usual request before its append. */
function measureIngestValidationRate(): number {
  const bodies = generateBatches((generator) => gzipSync(generator.traces(BATCH)));
  const request = {
    gridId: 'grid',
    signal: 'traces',
    format: 'protobuf',
    encoding: 'gzip',
    maxInflatedBytes: 64 << 20,
    ...NO_BOUNDS,
  } as const;
  return measureRate(() => bodies.forEach((body) => validateExportRequest({ ...request, body })));
}

export async function run(): Promise<Row[]> {
  const row = (name: string, perSecond: number, note: string): Row => ({
    name,
    value: Math.round(perSecond / 1000),
    unit: 'k/s per core',
    note,
  });
  return [
    row('decode spans', measureDecodeRate(), 'columns, tokens and keys of batches of 512'),
    row('decode logs', measureLogRate(), 'columns, tokens, words and templates'),
    row('decode data points', measurePointRate(), 'columns and attributes'),
    row('validate spans', measureValidationRate('traces'), 'ids, times, UTF-8'),
    row('validate logs', measureValidationRate('logs'), ''),
    row('validate data points', measureValidationRate('metrics'), ''),
    row('validate spans', measureIngestValidationRate(), 'gunzip, validate, SHA-256'),
    row('translate spans', measureJsonRate(), 'OTLP/JSON to protobuf'),
  ];
}

/** OTLP/JSON with the most expensive fields: ids, times, names and attributes. */
function convertSpansToJson(body: Uint8Array): string {
  const columns = createSpanColumns(BATCH);
  decodeSpans(body, 0, [], columns);
  const spans = Array.from({ length: columns.count }, (_, row) => {
    const { traceId, spanId, parentSpanId, name, kind, start, end, attributes } = decodeSpanRecord(
      body,
      columns.offset[row],
      columns.length[row],
    );
    const pairs = Object.entries(attributes).map(([key, value]) => ({
      key,
      value: typeof value === 'string' ? { stringValue: value } : { doubleValue: value },
    }));
    return {
      traceId,
      spanId,
      parentSpanId,
      name,
      kind,
      startTimeUnixNano: String(start),
      endTimeUnixNano: String(end),
      attributes: pairs,
    };
  });
  return JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
}

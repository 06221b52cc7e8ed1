import { gzipSync } from 'node:zlib';
import { createLogColumns } from '../src/telemetry/log-columns.js';
import { createMetricColumns } from '../src/telemetry/metric-columns.js';
import { examine } from '../src/telemetry/otlp/examine.js';
import { jsonToProtobuf } from '../src/telemetry/otlp/json-to-protobuf.js';
import { decodeLogs } from '../src/telemetry/otlp/log-decoder.js';
import { decodeMetrics } from '../src/telemetry/otlp/metric-decoder.js';
import { decodeSpans } from '../src/telemetry/otlp/span-decoder.js';
import { decodeSpan } from '../src/telemetry/otlp/span-record.js';
import { validate } from '../src/telemetry/otlp/validate.js';
import type { Signal } from '../src/telemetry/signals.js';
import { createSpanColumns } from '../src/telemetry/span-columns.js';
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

/** Records per second of this process's CPU time, the best of some runs after a warm-up. */
function rate(round: () => void): number {
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

function batches(make: (generator: TelemetryGenerator) => Buffer): Buffer[] {
  const generator = createTelemetryGenerator(1);
  return Array.from({ length: BATCHES }, () => make(generator));
}

/** Spans per second of the decode loop: what other figures are compared with. */
export function calibrate(): number {
  const bodies = batches((generator) => generator.traces(BATCH));
  const columns = createSpanColumns(RECORDS);
  return rate(() => {
    columns.clear();
    for (const body of bodies) decodeSpans(body, 0, [], columns);
  });
}

function logRate(): number {
  const bodies = batches((generator) => generator.logs(BATCH));
  const columns = createLogColumns(RECORDS);
  return rate(() => {
    columns.clear();
    for (const body of bodies) decodeLogs(body, 0, [], 0, columns);
  });
}

function pointRate(): number {
  const bodies = batches((generator) => generator.metrics(BATCH));
  const columns = createMetricColumns(RECORDS);
  return rate(() => {
    columns.clear();
    for (const body of bodies) decodeMetrics(body, 0, [], columns);
  });
}

function validateRate(signal: Signal): number {
  const bodies = batches((generator) => generator[signal](BATCH));
  return rate(() => bodies.forEach((body) => validate(signal, body, NO_BOUNDS)));
}

function jsonRate(): number {
  const bodies = batches((generator) => generator.traces(BATCH)).map((body) => Buffer.from(spansAsJson(body)));
  return rate(() => bodies.forEach((body) => jsonToProtobuf('traces', body)));
}

/** Gzip, validation, identity: all that a request of the usual kind costs before it is appended. */
function examineRate(): number {
  const bodies = batches((generator) => gzipSync(generator.traces(BATCH)));
  const request = { gridId: 'grid', signal: 'traces', format: 'protobuf', encoding: 'gzip', maxInflatedBytes: 64 << 20, ...NO_BOUNDS } as const;
  return rate(() => bodies.forEach((body) => examine({ ...request, body })));
}

export async function run(): Promise<Row[]> {
  const row = (name: string, perSecond: number, note: string): Row => ({ name, value: Math.round(perSecond / 1000), unit: 'k/s per core', note });
  return [
    row('decode spans', calibrate(), 'columns, tokens and keys of batches of 512'),
    row('decode logs', logRate(), 'columns, tokens, words and templates'),
    row('decode data points', pointRate(), 'columns and attributes'),
    row('validate spans', validateRate('traces'), 'ids, times, UTF-8'),
    row('validate logs', validateRate('logs'), ''),
    row('validate data points', validateRate('metrics'), ''),
    row('examine spans', examineRate(), 'gunzip, validate, SHA-256'),
    row('translate spans', jsonRate(), 'OTLP/JSON to protobuf'),
  ];
}

/** OTLP/JSON with the fields that cost most: ids, times, names and attributes. */
function spansAsJson(body: Uint8Array): string {
  const columns = createSpanColumns(BATCH);
  decodeSpans(body, 0, [], columns);
  const spans = Array.from({ length: columns.count }, (_, row) => {
    const { traceId, spanId, parentSpanId, name, kind, start, end, attributes } = decodeSpan(body, columns.offset[row], columns.length[row]);
    const pairs = Object.entries(attributes).map(([key, value]) => ({ key, value: typeof value === 'string' ? { stringValue: value } : { doubleValue: value } }));
    return { traceId, spanId, parentSpanId, name, kind, startTimeUnixNano: String(start), endTimeUnixNano: String(end), attributes: pairs };
  });
  return JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
}

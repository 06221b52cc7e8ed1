import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createLogColumns } from '../../../../../src/telemetry/columns/log-batch-columns.js';
import { createMetricColumns } from '../../../../../src/telemetry/columns/metric-batch-columns.js';
import { decodeLogs } from '../../../../../src/telemetry/otlp/decoding/log-decoder.js';
import { decodeLogRecord, decodeSpanRecord } from '../../../../../src/telemetry/otlp/decoding/record-decoder.js';
import { findRecordAt, readResourceAt } from '../../../../../src/telemetry/otlp/decoding/record-resource.js';
import { decodeMetrics } from '../../../../../src/telemetry/otlp/decoding/metric-decoder.js';
import { decodeSpans } from '../../../../../src/telemetry/otlp/decoding/span-decoder.js';
import { validateRecords } from '../../../../../src/telemetry/otlp/validation/validate-export-request.js';
import { MalformedBody } from '../../../../../src/telemetry/otlp/wire/wire-reader.js';
import type { Signal } from '../../../../../src/telemetry/signals.js';
import { createSpanColumns } from '../../../../../src/telemetry/columns/span-batch-columns.js';
import { createTelemetryGenerator } from '../../../../support/telemetry-generator.js';

const BOUNDS = { oldestMs: 1, newestMs: 2e12 };
const generator = createTelemetryGenerator(13);
/** Some spans, an exception among them: about every fiftieth has one. */
function tracesWithException(): Buffer {
  for (;;) {
    const body = generator.traces(4);
    if (body.includes('exception.type')) return body;
  }
}
const BODIES: Readonly<Record<Signal, Uint8Array>> = {
  traces: tracesWithException(),
  logs: generator.logs(6),
  metrics: generator.metrics(8),
};
const spans = createSpanColumns();
const logs = createLogColumns();
const points = createMetricColumns();

/** A body that validation takes must decode, in columns and record by record; nothing else may happen. */
function examineMutation(signal: Signal, body: Uint8Array): void {
  let rejected: readonly number[];
  let total: number;
  try {
    ({ rejected, total } = validateRecords(signal, body, BOUNDS));
  } catch (error) {
    assert.ok(error instanceof MalformedBody, String(error));
    return;
  }
  if (signal === 'traces') decodeTraces(body, rejected, total);
  else if (signal === 'logs') decodeLogRecords(body, rejected, total);
  else decodePoints(body, rejected, total);
}

function decodeTraces(body: Uint8Array, rejected: readonly number[], total: number): void {
  spans.clear();
  decodeSpans(body, 0, rejected, spans);
  assert.equal(spans.count, total - rejected.length);
  for (let row = 0; row < spans.count; row++) {
    decodeSpanRecord(body, spans.offset[row], spans.length[row]);
    assert.equal(readResourceAt(body, spans.offset[row]).serviceName, spans.strings.text(spans.service[row]));
  }
}

function decodeLogRecords(body: Uint8Array, rejected: readonly number[], total: number): void {
  logs.clear();
  decodeLogs(body, 0, rejected, 1, logs);
  assert.equal(logs.count, total - rejected.length);
  for (let row = 0; row < logs.count; row++) {
    decodeLogRecord(body, logs.offset[row], logs.length[row]);
    assert.deepEqual(findRecordAt(body, logs.ordinal[row]), { offset: logs.offset[row], length: logs.length[row] });
  }
}

/** Points without a value are no rows. */
function decodePoints(body: Uint8Array, rejected: readonly number[], total: number): void {
  points.clear();
  decodeMetrics(body, 0, rejected, points);
  assert.ok(points.count <= total - rejected.length);
  for (let row = 0; row < points.count; row++) {
    assert.equal(readResourceAt(body, points.offset[row]).serviceName, points.strings.text(points.service[row]));
    JSON.parse(points.strings.text(points.attributes[row]));
  }
}

describe('hostile bodies', () => {
  const signal = fc.constantFrom<Signal>('traces', 'logs', 'metrics');

  it('with changed bytes are refused, or decode consistently with validation', () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 10, 18, 127, 128, 255))), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(signal, changes, (which, edits) => {
        const body = Buffer.from(BODIES[which]);
        for (const [at, byte] of edits) body[at % body.length] = byte;
        examineMutation(which, body);
      }),
      { numRuns: 6000 },
    );
  });

  it('with bytes removed or inserted are refused, or decode consistently with validation', () => {
    fc.assert(
      fc.property(signal, fc.nat(), fc.nat(40), fc.uint8Array({ maxLength: 6 }), (which, at, cut, put) => {
        const body = BODIES[which];
        const from = at % body.length;
        examineMutation(which, Buffer.concat([body.subarray(0, from), put, body.subarray(from + cut)]));
      }),
      { numRuns: 3000 },
    );
  });

  it('of arbitrary bytes are refused, or decode consistently with validation', () => {
    fc.assert(
      fc.property(signal, fc.uint8Array({ maxLength: 60 }), (which, body) => examineMutation(which, body)),
      { numRuns: 3000 },
    );
  });

  it('cut at any byte are refused unless the cut is between two resources', () => {
    const body = BODIES.traces;
    let taken = 0;
    for (let length = 1; length < body.length; length++) {
      try {
        validateRecords('traces', body.subarray(0, length), BOUNDS);
        taken++;
      } catch (error) {
        assert.ok(error instanceof MalformedBody);
      }
    }
    assert.ok(taken < 4, `${taken} of ${body.length} cuts were taken`);
  });
});

import assert from 'node:assert/strict';
import { deflateSync, gunzipSync, gzipSync } from 'node:zlib';
import {
  type ExportValidation,
  type ExportValidationRequest,
  validateExportRequest,
} from '../../../../../src/telemetry/otlp/validation/validate-export-request.js';
import { officialDecode, officialEncode } from '../../../../support/official-otlp.js';
import { toOtlpJson } from '../../../../support/otlp-json.js';
import { createTelemetryGenerator } from '../../../../support/telemetry-generator.js';

const generator = createTelemetryGenerator(9);
const SPANS = generator.traces(30);
const ID = { traceId: Buffer.alloc(16, 1), spanId: Buffer.alloc(8, 1), startTimeUnixNano: 5n, endTimeUnixNano: 5n };
const PLAIN = { resourceSpans: [{ scopeSpans: [{ spans: [ID, { ...ID, spanId: Buffer.alloc(3) }] }] }] };

function request(over: Partial<ExportValidationRequest>): ExportValidationRequest {
  return {
    gridId: 'grid',
    signal: 'traces',
    format: 'protobuf',
    encoding: 'identity',
    body: SPANS,
    oldestMs: 0,
    newestMs: Number(generator.nowNs / 1_000_000n) + 600_000,
    maxInflatedBytes: 1 << 20,
    ...over,
  };
}

function accepted(validation: ExportValidation): Extract<ExportValidation, { ok: true }> {
  assert.ok(validation.ok, validation.ok ? '' : validation.message);
  return validation;
}

describe('validation of an export request', () => {
  it('stores compressed protobuf as received', () => {
    for (const [encoding, body] of [
      ['gzip', gzipSync(SPANS)],
      ['deflate', deflateSync(SPANS)],
    ] as const) {
      const validation = accepted(validateExportRequest(request({ encoding, body })));
      assert.equal(validation.body, body);
      assert.equal(validation.encoding, encoding);
      assert.equal(validation.inflatedBytes, SPANS.length);
      assert.equal(validation.accepted, 30);
    }
  });

  it('compresses what came as it is, and what came as JSON', () => {
    const plain = accepted(validateExportRequest(request({})));
    assert.equal(plain.encoding, 'gzip');
    assert.deepEqual(gunzipSync(plain.body), Buffer.from(SPANS));
    const json = accepted(
      validateExportRequest(request({ format: 'json', encoding: 'gzip', body: gzipSync(toOtlpJson(PLAIN)) })),
    );
    assert.equal(json.encoding, 'gzip');
    const protobuf = gunzipSync(json.body);
    assert.equal(json.inflatedBytes, protobuf.length);
    assert.deepEqual(officialDecode('traces', protobuf), officialDecode('traces', officialEncode('traces', PLAIN)));
  });

  it('names what it rejects', () => {
    const {
      rejected,
      message,
      accepted: count,
    } = accepted(validateExportRequest(request({ format: 'json', body: Buffer.from(toOtlpJson(PLAIN)) })));
    assert.deepEqual(
      { rejected, message, count },
      { rejected: [1], message: '1 span rejected: 1 with an invalid span id', count: 1 },
    );
  });

  it('gives one identity to one request in every encoding, and another to another Grid, signal or body', () => {
    const identity = (over: Partial<ExportValidationRequest>): string =>
      accepted(validateExportRequest(request(over))).identity;
    const own = identity({});
    assert.match(own, /^[0-9a-f]{64}$/);
    assert.equal(identity({ encoding: 'gzip', body: gzipSync(SPANS) }), own);
    assert.equal(identity({ encoding: 'gzip', body: gzipSync(SPANS, { level: 1 }) }), own);
    const others = [
      identity({ gridId: 'other' }),
      identity({ body: new Uint8Array(0) }),
      identity({ body: new Uint8Array(0), signal: 'logs' }),
      identity({ format: 'json', body: Buffer.from(toOtlpJson(PLAIN)) }),
    ];
    assert.equal(new Set([own, ...others]).size, 5);
  });

  it('answers faults of the sender with a reason', () => {
    const fault = (over: Partial<ExportValidationRequest>): unknown => {
      const validation = validateExportRequest(request(over));
      assert.ok(!validation.ok);
      assert.match(validation.message, /^The .*\.$/);
      return validation.fault;
    };
    assert.equal(fault({ body: SPANS.subarray(0, 100) }), 'malformed');
    assert.equal(fault({ encoding: 'gzip' }), 'malformed');
    assert.equal(fault({ format: 'json' }), 'malformed');
    assert.equal(fault({ format: 'json', body: new Uint8Array(0) }), 'malformed');
    assert.equal(fault({ maxInflatedBytes: SPANS.length - 1 }), 'too-large');
    assert.equal(fault({ encoding: 'gzip', body: gzipSync(SPANS), maxInflatedBytes: SPANS.length - 1 }), 'too-large');
    const buckets = Buffer.from(
      `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"histogram":{"dataPoints":[{"bucketCounts":[${'0,'.repeat(1000)}0]}]}}]}]}]}`,
    );
    assert.equal(fault({ signal: 'metrics', format: 'json', body: buckets, maxInflatedBytes: 4000 }), 'too-large');
  });

  it('takes empty requests', () => {
    assert.equal(accepted(validateExportRequest(request({ body: new Uint8Array(0) }))).accepted, 0);
    assert.equal(accepted(validateExportRequest(request({ format: 'json', body: Buffer.from('{}') }))).accepted, 0);
  });
});

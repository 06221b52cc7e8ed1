import assert from 'node:assert/strict';
import { encodeExportResponse, encodeStatus, RPC_CODE } from '../../../../src/telemetry/otlp/export-responses.js';
import { WireReader } from '../../../../src/telemetry/otlp/wire/wire-reader.js';
import { SIGNALS } from '../../../../src/telemetry/signals.js';
import { RESPONSE_TYPES } from '../../../support/official-otlp.js';

const FOUR_MIB = 4 << 20;
const json = (bytes: Uint8Array): unknown => JSON.parse(Buffer.from(bytes).toString());
const REJECTED = { traces: 'rejectedSpans', logs: 'rejectedLogRecords', metrics: 'rejectedDataPoints' } as const;

/** Length-delimited fields of a message, by number. */
function fieldsOf(bytes: Uint8Array): Map<number, Uint8Array[]> {
  const fields = new Map<number, Uint8Array[]>();
  const reader = new WireReader(bytes);
  while (reader.pos < bytes.length) {
    const tag = reader.readTag(bytes.length);
    const from = reader.pos;
    reader.skip(tag, bytes.length);
    const start = (tag & 7) === 2 ? from + (reader.pos - from > 128 ? 2 : 1) : from;
    fields.set(tag >>> 3, [...(fields.get(tag >>> 3) ?? []), bytes.subarray(start, reader.pos)]);
  }
  return fields;
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

describe('export response', () => {
  it('leaves partial_success unset on full success', () => {
    for (const signal of SIGNALS) {
      assert.equal(encodeExportResponse(signal, 'protobuf', 0, '').length, 0);
      assert.deepEqual(json(encodeExportResponse(signal, 'json', 0, '')), {});
    }
  });

  it('names the rejected and the reason, in protobuf as the official decoder reads it and in JSON', () => {
    for (const signal of SIGNALS) {
      const bytes = encodeExportResponse(signal, 'protobuf', 300, 'too old');
      const type = RESPONSE_TYPES[signal];
      assert.deepEqual(type.toObject(type.decode(bytes), { longs: String }), {
        partialSuccess: { [REJECTED[signal]]: '300', errorMessage: 'too old' },
      });
      assert.deepEqual(json(encodeExportResponse(signal, 'json', 300, 'too old')), {
        partialSuccess: { [REJECTED[signal]]: '300', errorMessage: 'too old' },
      });
    }
  });

  it('warns with 0 rejected', () => {
    assert.deepEqual(json(encodeExportResponse('logs', 'json', 0, 'key expires')), {
      partialSuccess: { rejectedLogRecords: '0', errorMessage: 'key expires' },
    });
    const type = RESPONSE_TYPES.logs;
    assert.deepEqual(
      type.toObject(type.decode(encodeExportResponse('logs', 'protobuf', 0, 'key expires')), { longs: String }),
      { partialSuccess: { errorMessage: 'key expires' } },
    );
  });

  it('shortens a message rather than pass 4 MiB', () => {
    for (const format of ['protobuf', 'json'] as const)
      assert.ok(encodeExportResponse('traces', format, 1, '\u0001'.repeat(FOUR_MIB)).length < FOUR_MIB);
  });
});

describe('google.rpc.Status', () => {
  const status = {
    code: RPC_CODE.unavailable,
    message: 'later',
    violations: [{ field: 'body', description: 'cut' }],
    retryAfterMs: 2500,
  };

  it('has its details in JSON', () => {
    assert.deepEqual(json(encodeStatus('json', status)), {
      code: 14,
      message: 'later',
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.BadRequest',
          fieldViolations: [{ field: 'body', description: 'cut' }],
        },
        { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '2.5s' },
      ],
    });
    assert.deepEqual(json(encodeStatus('json', { code: 3, message: 'no' })), { code: 3, message: 'no' });
  });

  it('has its details in protobuf', () => {
    const fields = fieldsOf(encodeStatus('protobuf', status));
    assert.deepEqual([...(fields.get(1)?.[0] ?? [])], [14]);
    assert.equal(textOf(fields.get(2)![0]), 'later');
    const [badRequest, retryInfo] = fields.get(3)!.map(fieldsOf);
    assert.equal(textOf(badRequest.get(1)![0]), 'type.googleapis.com/google.rpc.BadRequest');
    const violation = fieldsOf(fieldsOf(badRequest.get(2)![0]).get(1)![0]);
    assert.equal(textOf(violation.get(1)![0]), 'body');
    assert.equal(textOf(violation.get(2)![0]), 'cut');
    assert.equal(textOf(retryInfo.get(1)![0]), 'type.googleapis.com/google.rpc.RetryInfo');
    const delay = new WireReader(fieldsOf(retryInfo.get(2)![0]).get(1)![0]);
    const end = delay.bytes.length;
    assert.deepEqual(
      [delay.readTag(end), delay.readVarint(end), delay.readTag(end), delay.readVarint(end)],
      [8, 2, 16, 500_000_000],
    );
  });

  it('stays under 4 MiB', () => {
    const violations = Array.from({ length: 5000 }, () => ({
      field: '\u0001'.repeat(10_000),
      description: '\u0001'.repeat(10_000),
    }));
    for (const format of ['protobuf', 'json'] as const)
      assert.ok(encodeStatus(format, { code: 3, message: 'x'.repeat(FOUR_MIB), violations }).length < FOUR_MIB);
  });
});

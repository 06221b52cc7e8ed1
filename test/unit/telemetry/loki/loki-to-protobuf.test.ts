import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decompress } from '../../../../src/telemetry/compression/decompress.js';
import { translateLokiToProtobuf } from '../../../../src/telemetry/loki/loki-to-protobuf.js';
import { MalformedJson } from '../../../../src/telemetry/otlp/json/json-reader.js';
import { translateJsonToProtobuf } from '../../../../src/telemetry/otlp/json/json-to-protobuf.js';
import { MalformedBody } from '../../../../src/telemetry/otlp/wire/wire-reader.js';
import { OversizedMessage } from '../../../../src/telemetry/otlp/wire/wire-writer.js';

/** A push.PushRequest of github.com/grafana/loki/pkg/push, compressed by github.com/golang/snappy, as Loki's clients send it. */
const PUSHED = Buffer.from(
  '/gHwWwrcAQote2FwcD0ic2hvcCIsIGVudj0icHJvZCBcImV1XCIiLCBsZXZlbD0id2FybiJ9Eh4KCwiA4s+qBhCVmu86Eg9wYXltZW50IGlzIGxhdGUSigEKCwiB4s+qDSEEEnANIfCRZmFpbGVkIOKclxosCgh0cmFjZV9pZBIgNWI4ZWZmZjc5ODAzODEwM2QyNjliNjMzODEzZmM2MGMaGwoHc3Bhbl9pZBIQZWVlMTliN2VjM2MxYjE3NBoOCgVsZXZlbBIFZXJyb3IaDAoEdGllchIEZ29sZAodCgx7am9iPSJjcm9uIn0SDQoLCIDiz6oGEJWa7zo=',
  'base64',
);
/** The same as JSON, the labels of the first stream behind its values. */
const AS_JSON = {
  streams: [
    {
      values: [
        ['1700000000123456789', 'payment is late'],
        [
          '1700000001123456789',
          'payment failed ✗',
          { trace_id: '5b8efff798038103d269b633813fc60c', span_id: 'eee19b7ec3c1b174', level: 'error', tier: 'gold' },
        ],
      ],
      stream: { app: 'shop', env: 'prod "eu"', level: 'warn' },
    },
    { stream: { job: 'cron' }, values: [['1700000000123456789', '']] },
  ],
};

const bytesOf = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));
const translateJson = (value: unknown): Uint8Array => translateLokiToProtobuf('loki-json', bytesOf(value));
const attributes = (values: Record<string, string>) =>
  Object.entries(values).map(([key, stringValue]) => ({ key, value: { stringValue } }));

function inflate(body: Uint8Array): Uint8Array {
  const result = decompress(body, 'snappy', 10_000);
  assert.ok(result.ok);
  return result.bytes;
}

const EXPECTED = translateJsonToProtobuf(
  'logs',
  bytesOf({
    resourceLogs: [
      {
        resource: {
          attributes: attributes({ 'service.name': 'shop', app: 'shop', env: 'prod "eu"', level: 'warn' }),
        },
        scopeLogs: [
          {
            logRecords: [
              {
                timeUnixNano: '1700000000123456789',
                severityNumber: 13,
                severityText: 'warn',
                body: { stringValue: 'payment is late' },
              },
              {
                timeUnixNano: '1700000001123456789',
                severityNumber: 17,
                severityText: 'error',
                body: { stringValue: 'payment failed ✗' },
                attributes: attributes({
                  trace_id: '5b8efff798038103d269b633813fc60c',
                  span_id: 'eee19b7ec3c1b174',
                  level: 'error',
                  tier: 'gold',
                }),
                traceId: '5b8efff798038103d269b633813fc60c',
                spanId: 'eee19b7ec3c1b174',
              },
            ],
          },
        ],
      },
      {
        resource: { attributes: attributes({ 'service.name': 'cron', job: 'cron' }) },
        scopeLogs: [{ logRecords: [{ timeUnixNano: '1700000000123456789', body: { stringValue: '' } }] }],
      },
    ],
  }),
);

describe("logs of Loki's clients", () => {
  it('mean the same as logs of OTLP, as protobuf and as JSON', () => {
    assert.deepEqual(translateLokiToProtobuf('loki-protobuf', inflate(PUSHED)), EXPECTED);
    assert.deepEqual(translateJson(AS_JSON), EXPECTED);
  });

  it('may be none', () => {
    for (const none of [{}, { streams: [] }, { streams: [{ stream: { a: 'b' } }] }, { more: [1] }])
      assert.equal(translateJson(none).length, 0);
    assert.equal(translateLokiToProtobuf('loki-protobuf', new Uint8Array(0)).length, 0);
  });

  it('are refused with the name of the field', () => {
    for (const [body, message] of [
      [[], 'expected an object'],
      [{ streams: {} }, 'streams: expected an array'],
      [{ streams: [1] }, 'streams[0]: expected an object'],
      [{ streams: [{ stream: { a: 1 } }] }, 'streams[0].stream.a: expected a string'],
      [{ streams: [{ values: [1] }] }, 'streams[0].values[0]: expected an array'],
      [{ streams: [{ values: [[1, 'a']] }] }, 'streams[0].values[0][0]: expected a string'],
      [
        { streams: [{ values: [['now', 'a']] }] },
        'streams[0].values[0][0]: expected a string with nanoseconds since 1970',
      ],
      [{ streams: [{ values: [['1']] }] }, 'streams[0].values[0][1]: expected a string'],
      [{ streams: [{ values: [['1', 'a', {}, 1]] }] }, 'streams[0].values[0]: expected at most three items'],
    ] as [unknown, string][])
      assert.throws(() => translateJson(body), { name: 'MalformedJson', message });
    for (const labels of ['app="x"', '{app=x}', '{app="x"'])
      assert.throws(
        () =>
          translateLokiToProtobuf(
            'loki-protobuf',
            Buffer.from([0x0a, labels.length + 2, 0x0a, labels.length, ...Buffer.from(labels)]),
          ),
        MalformedBody,
      );
    assert.throws(() => translateLokiToProtobuf('loki-json', bytesOf(AS_JSON), 300), OversizedMessage);
  });

  it('throw nothing else, whatever the body', () => {
    const bodies = [
      ['loki-json', bytesOf(AS_JSON)],
      ['loki-protobuf', inflate(PUSHED)],
    ] as const;
    fc.assert(
      fc.property(
        fc.constantFrom(...bodies),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        ([format, body], changes) => {
          const mutated = Buffer.from(body);
          for (const [at, byte] of changes) mutated[at % mutated.length] = byte;
          try {
            translateLokiToProtobuf(format, mutated, 10_000);
          } catch (error) {
            assert.ok(error instanceof MalformedJson || error instanceof MalformedBody, String(error));
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MAX_VALUE_DEPTH } from '../../../../../src/telemetry/otlp/wire/any-value.js';
import { translateJsonToProtobuf, MalformedJson } from '../../../../../src/telemetry/otlp/json/json-to-protobuf.js';
import { validateRecords } from '../../../../../src/telemetry/otlp/validation/validate-export-request.js';
import { OversizedMessage } from '../../../../../src/telemetry/otlp/wire/wire-writer.js';
import type { Signal } from '../../../../../src/telemetry/signals.js';
import { officialDecode, officialEncode } from '../../../../support/official-otlp.js';
import { logRequest, NOW_NS, traceRequest } from '../../../../support/otlp-model.js';
import { toOtlpJson } from '../../../../support/otlp-json.js';

const BOUNDS = { oldestMs: 0, newestMs: Number(NOW_NS / 1_000_000n) };

function translate(signal: Signal, json: string): Record<string, unknown> {
  return officialDecode(signal, translateJsonToProtobuf(signal, Buffer.from(json)));
}

function assertFault(json: string, message: string, signal: Signal = 'traces'): void {
  assert.throws(
    () => translateJsonToProtobuf(signal, Buffer.from(json)),
    (error) => error instanceof MalformedJson && error.message === message,
    json,
  );
}

const span = (fields: string): string => `{"resourceSpans":[{"scopeSpans":[{"spans":[${fields}]}]}]}`;
const value = (json: string): string => span(`{"attributes":[{"key":"k","value":${json}}]}`);

function spanOf(json: string): unknown {
  return (translate('traces', json) as { resourceSpans: [{ scopeSpans: [{ spans: [unknown] }] }] }).resourceSpans[0]
    .scopeSpans[0].spans[0];
}

describe('OTLP/JSON', () => {
  it('means the same as protobuf, for random traces', () => {
    fc.assert(
      fc.property(traceRequest, (request) => {
        assert.deepEqual(
          translate('traces', toOtlpJson(request)),
          officialDecode('traces', officialEncode('traces', request)),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('means the same as protobuf, for random logs', () => {
    fc.assert(
      fc.property(logRequest, (request) => {
        assert.deepEqual(
          translate('logs', toOtlpJson(request)),
          officialDecode('logs', officialEncode('logs', request)),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('means the same as protobuf, for every kind of metric', () => {
    const times = {
      startTimeUnixNano: 1n,
      timeUnixNano: 2n ** 63n,
      attributes: [{ key: 'k', value: { stringValue: 'v' } }],
    };
    const exemplars = [
      {
        timeUnixNano: 5n,
        asInt: -3n,
        traceId: Buffer.alloc(16, 7),
        spanId: Buffer.alloc(8, 7),
        filteredAttributes: [{ key: 'f' }],
      },
    ];
    const request = {
      resourceMetrics: [
        {
          scopeMetrics: [
            {
              metrics: [
                {
                  name: 'gauge',
                  description: 'd',
                  unit: 'u',
                  gauge: {
                    dataPoints: [
                      { ...times, asDouble: Infinity, exemplars, flags: 1 },
                      { ...times, asInt: -(2n ** 63n) },
                    ],
                  },
                },
                { name: 'sum', sum: { dataPoints: [times], aggregationTemporality: 2, isMonotonic: true } },
                {
                  name: 'h',
                  histogram: {
                    dataPoints: [
                      {
                        ...times,
                        count: 3n,
                        sum: 4.5,
                        bucketCounts: [1n, 2n],
                        explicitBounds: [0.5],
                        min: -1,
                        max: 1e300,
                      },
                    ],
                    aggregationTemporality: 1,
                  },
                },
                {
                  name: 'e',
                  exponentialHistogram: {
                    dataPoints: [
                      {
                        ...times,
                        scale: -4,
                        zeroCount: 9n,
                        positive: { offset: -7, bucketCounts: [1n, 2n ** 60n] },
                        zeroThreshold: 0.25,
                      },
                    ],
                  },
                },
                {
                  name: 's',
                  summary: {
                    dataPoints: [{ ...times, count: 1n, sum: 2, quantileValues: [{ quantile: 0.9, value: 1.5 }] }],
                  },
                },
              ],
            },
          ],
        },
      ],
    };
    assert.deepEqual(
      translate('metrics', toOtlpJson(request)),
      officialDecode('metrics', officialEncode('metrics', request)),
    );
  });

  it('preserves every digit of 64-bit integers, as text or as number', () => {
    for (const digits of ['1760000000123456789', '"1760000000123456789"']) {
      assert.deepEqual(spanOf(span(`{"startTimeUnixNano":${digits}}`)), { startTimeUnixNano: '1760000000123456789' });
    }
    assert.ok(JSON.stringify(spanOf(value('{"intValue":-9223372036854775808}'))).includes('-9223372036854775808'));
    assert.ok(JSON.stringify(spanOf(value('{"intValue":1e3}'))).includes('"1000"'));
  });

  it('takes ids in any case and rejects the record whose id is not hex', () => {
    const good = `"spanId":"00000000000000AB","startTimeUnixNano":"5","endTimeUnixNano":"5"`;
    const body = (trace: string, parent = ''): Uint8Array =>
      translateJsonToProtobuf('traces', Buffer.from(span(`{"traceId":"${trace}","parentSpanId":"${parent}",${good}}`)));
    assert.deepEqual(validateRecords('traces', body('ABCDEFabcdef00112233445566778899'), BOUNDS).rejected, []);
    for (const trace of [
      '',
      'xyz',
      'ABCDEFabcdef0011223344556677889',
      'q0CDEFabcdef00112233445566778899',
      'q83vq83vABEiM0RVZneImQ==',
    ]) {
      assert.deepEqual(validateRecords('traces', body(trace), BOUNDS).rejected, [0], trace);
    }
    assert.deepEqual(validateRecords('traces', body('ABCDEFabcdef00112233445566778899', 'zz'), BOUNDS).rejected, [0]);
  });

  it('ignores unknown and snake_case fields of any shape, and null', () => {
    const unknown =
      '"future":{"a":[1,[],{},{"b":[null,true,"x\\"]}"]}],"c":-1.5e3},"trace_id":"aa","name":null,"attributes":null';
    assert.deepEqual(spanOf(span(`{${unknown},"kind":2}`)), { kind: 2 });
  });

  it('understands escapes, white space and a byte order mark; lone surrogates become U+FFFD', () => {
    const json = `\ufeff \n${span(String.raw`{ "\u006eame" : "tab\t \"q\" \u00e9 \ud83d\ude00 \ud800 \udc00\ud800 é😀" }`)}\t`;
    assert.deepEqual((spanOf(json) as { name: string }).name, 'tab\t "q" é 😀 \ufffd \ufffd\ufffd é😀');
  });

  it('leaves invalid UTF-8 to be rejected with its record', () => {
    const json = Buffer.from(
      span(
        `{"traceId":"${'01'.repeat(16)}","spanId":"${'01'.repeat(8)}","startTimeUnixNano":1,"endTimeUnixNano":1,"name":"broken X"}`,
      ),
    );
    assert.deepEqual(validateRecords('traces', translateJsonToProtobuf('traces', json), BOUNDS).rejected, []);
    json[json.indexOf('X')] = 0xff;
    assert.equal(
      validateRecords('traces', translateJsonToProtobuf('traces', json), BOUNDS).message,
      '1 span rejected: 1 with invalid UTF-8',
    );
  });

  it('reports the path of the invalid field', () => {
    assertFault('{"resourceSpans":[{},{"scopeSpans":{}}]}', 'resourceSpans[1].scopeSpans: expected an array');
    assertFault(
      span('{},{"kind":"SPAN_KIND_SERVER"}'),
      'resourceSpans[0].scopeSpans[0].spans[1].kind: expected an integer',
    );
    assertFault(span('{"name":5}'), 'resourceSpans[0].scopeSpans[0].spans[0].name: expected a string');
    assertFault(span('{"traceId":5}'), 'resourceSpans[0].scopeSpans[0].spans[0].traceId: expected a string');
    assertFault(
      span('{"startTimeUnixNano":"-1"}'),
      'resourceSpans[0].scopeSpans[0].spans[0].startTimeUnixNano: expected an integer (fixed64)',
    );
    assertFault(
      span('{"startTimeUnixNano":1.5}'),
      'resourceSpans[0].scopeSpans[0].spans[0].startTimeUnixNano: expected an integer (fixed64)',
    );
    assertFault(
      span('{"startTimeUnixNano":"18446744073709551616"}'),
      'resourceSpans[0].scopeSpans[0].spans[0].startTimeUnixNano: expected an integer (fixed64)',
    );
    assertFault(
      span('{"startTimeUnixNano":{}}'),
      'resourceSpans[0].scopeSpans[0].spans[0].startTimeUnixNano: expected an integer',
    );
    const at = 'resourceSpans[0].scopeSpans[0].spans[0].attributes[0].value';
    assertFault(value('{"boolValue":"true"}'), `${at}.boolValue: expected true or false`);
    assertFault(value('{"doubleValue":"many"}'), `${at}.doubleValue: expected a number`);
    assertFault(value('{"bytesValue":"%%"}'), `${at}.bytesValue: expected base64`);
    assertFault(value('"text"'), `${at}: expected an object`);
    assertFault('[]', 'expected an object');
  });

  it('refuses what is no JSON', () => {
    for (const json of [
      '',
      ' ',
      '{',
      '{]',
      '{"a"}',
      '{"a":1,}',
      '{"a":01}',
      '{"a":1.}',
      '{"a":"\n"}',
      '{"a":"\\x"}x',
      '{"resourceSpans":[}',
      '{} {}',
      '{"a":truE}',
      '{"a":"',
      '{"a":"\\',
      'nul',
      '{,}',
      '{"a":[1,]}',
      '{"a":[1 2]}',
      '{"a":{"b":1]}',
    ]) {
      assert.throws(() => translateJsonToProtobuf('traces', Buffer.from(json)), MalformedJson, json);
    }
  });

  it('rejects the record that nests too deeply, and skips unknown nesting of any depth', () => {
    const nested = (depth: number): string =>
      `${'{"arrayValue":{"values":['.repeat(depth - 1)}{"intValue":1}${']}}'.repeat(depth - 1)}`;
    const log = (depth: number): Uint8Array =>
      translateJsonToProtobuf(
        'logs',
        Buffer.from(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":${nested(depth)}},{}]}]}]}`),
      );
    assert.deepEqual(validateRecords('logs', log(MAX_VALUE_DEPTH), BOUNDS).rejected, []);
    assert.deepEqual(validateRecords('logs', log(MAX_VALUE_DEPTH + 1), BOUNDS).rejected, [0]);
    assert.deepEqual(validateRecords('logs', log(10_000), BOUNDS).rejected, [0]);
    assert.equal(
      translateJsonToProtobuf('logs', Buffer.from(`{"x":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`)).length,
      0,
    );
  });

  it('stops where the protobuf grows past the limit', () => {
    const json = Buffer.from(
      `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"histogram":{"dataPoints":[{"bucketCounts":[${'0,'.repeat(100_000)}0]}]}}]}]}]}`,
    );
    assert.throws(() => translateJsonToProtobuf('metrics', json, 300_000), OversizedMessage);
    assert.ok(translateJsonToProtobuf('metrics', json, 900_000).length > 800_000);
  });

  it('answers every mutation with protobuf or MalformedJson', () => {
    const json = Buffer.from(
      toOtlpJson({
        resourceSpans: [
          {
            resource: {
              attributes: [
                { key: 'a', value: { arrayValue: { values: [{ boolValue: true }, { doubleValue: 1.5 }] } } },
              ],
            },
            scopeSpans: [
              { spans: [{ traceId: Buffer.alloc(16, 1), name: 'n\u00e9\\', kind: 2, startTimeUnixNano: 5n }] },
            ],
          },
        ],
      }),
    );
    const bytes = fc.oneof(fc.nat(255), fc.constantFrom(...Buffer.from('{}[],:"\\0-enut')));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(), bytes), { minLength: 1, maxLength: 3 }),
        fc.nat(json.length),
        (changes, length) => {
          const mutated = Buffer.from(json.subarray(0, length % 7 === 0 ? length : json.length));
          for (const [at, byte] of changes) if (mutated.length > 0) mutated[at % mutated.length] = byte;
          try {
            validateRecords('traces', translateJsonToProtobuf('traces', mutated), BOUNDS);
          } catch (error) {
            assert.ok(error instanceof MalformedJson, String(error));
          }
        },
      ),
      { numRuns: 5000 },
    );
  });
});

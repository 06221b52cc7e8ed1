import assert from 'node:assert/strict';
import type { Signal } from '../../src/telemetry/signals.js';
import { encode } from '../unit/http/otlp/support/encodings.js';
import { Http2Client, LOGS_METHOD } from '../unit/http/otlp/support/http2-client.js';
import { BlackBox, operationsFound, type OtlpReply } from '../support/black-box.js';
import { Minute } from '../support/test-minute.js';
import { RESPONSE_TYPES } from '../support/official-otlp.js';
import {
  KIND,
  logsOf,
  protobufOf,
  span,
  spanId,
  spansOf,
  traceId,
  type Json,
  type SpanFields,
} from '../support/otlp-requests.js';

const NOW = Date.now();
const minute = (number: number): Minute => new Minute(number, NOW);
const NS_PER_MINUTE = 60_000_000_000n;
const DAYS_7 = 7n * 24n * 60n * NS_PER_MINUTE;
const SIGNALS: readonly Signal[] = ['traces', 'logs', 'metrics'];

const json = ({ bytes }: OtlpReply): unknown => JSON.parse(Buffer.from(bytes).toString());
const decoded = (signal: Signal, { bytes }: { readonly bytes: Uint8Array }): unknown => {
  const type = RESPONSE_TYPES[signal];
  return type.toObject(type.decode(bytes), { longs: String });
};

describe('ingestion', function () {
  this.timeout(60_000);
  let box: BlackBox;

  before(async () => (box = await BlackBox.start()));
  after(() => box.dispose());

  const names = (filter: object) => operationsFound(box, filter);

  describe('responses', () => {
    it('an empty success in the encoding of the request, also to requests without records', async () => {
      const empty: Record<Signal, object[]> = {
        traces: [
          {},
          { resourceSpans: [] },
          { resourceSpans: [{}] },
          { resourceSpans: [{ scopeSpans: [{ spans: [] }] }] },
        ],
        logs: [{}, { resourceLogs: [{ scopeLogs: [{}] }] }],
        metrics: [{}, { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'a' }] }] }] }],
      };
      for (const signal of SIGNALS) {
        for (const request of empty[signal]) {
          const inJson = await box.send(signal, request);
          assert.deepEqual(
            [inJson.status, json(inJson), inJson.headers.get('content-type')],
            [200, {}, 'application/json'],
          );
          const inProtobuf = await box.send(signal, protobufOf(signal, request));
          assert.deepEqual(
            [inProtobuf.status, inProtobuf.bytes.length, inProtobuf.headers.get('content-type')],
            [200, 0, 'application/x-protobuf'],
          );
        }
      }
      assert.equal((await box.counters()).sum('records_accepted_total'), 0);
    });

    const FAULTS: readonly [what: string, path: string, init: RequestInit, status: number, code: number][] = [
      ['no key', '/v1/traces', { body: '{}', headers: { 'api-key': '' } }, 401, 16],
      ['an unknown key', '/v1/traces', { body: '{}', headers: { 'api-key': 'hs_aaaaaaaaaaaa_nononononono' } }, 401, 16],
      ['no JSON', '/v1/traces', { body: '{"resourceSpans":[' }, 400, 3],
      ['another type of field', '/v1/logs', { body: '{"resourceLogs":{}}' }, 400, 3],
      [
        'an enum by its name',
        '/v1/traces',
        { body: '{"resourceSpans":[{"scopeSpans":[{"spans":[{"kind":"SPAN_KIND_SERVER"}]}]}]}' },
        400,
        3,
      ],
      ['an unknown path', '/', { body: '{}' }, 404, 12],
      ['profiles', '/v1development/profiles', { body: '{}' }, 404, 12],
      ['bytes that are no gzip', '/v1/metrics', { body: '{}', headers: { 'content-encoding': 'gzip' } }, 400, 3],
    ];

    for (const [what, path, init, status, code] of FAULTS) {
      it(`a google.rpc.Status to ${what}`, async () => {
        const response = await fetch(box.service.otlpHttpUrl + path, {
          method: 'POST',
          ...init,
          headers: {
            'content-type': 'application/json',
            'api-key': box.apiKey,
            ...(init.headers as Record<string, string>),
          },
        });
        const body = (await response.json()) as { code: number; message: string };
        assert.deepEqual(
          [response.status, response.headers.get('content-type'), body.code, response.headers.get('retry-after')],
          [status, 'application/json', code, null],
        );
        assert.ok(body.message.length > 10, body.message);
      });
    }

    it('a google.rpc.Status in protobuf to protobuf', async () => {
      const { status, headers, bytes } = await box.send('traces', Uint8Array.of(0x0a, 0x7f, 0x00));
      assert.deepEqual(
        [status, headers.get('content-type'), ...bytes.subarray(0, 2)],
        [400, 'application/x-protobuf', 0x08, 3],
      );
    });

    it('405 and 415', async () => {
      const get = await fetch(`${box.service.otlpHttpUrl}/v1/traces`);
      assert.deepEqual([get.status, get.headers.get('allow')], [405, 'POST']);
      assert.equal((await box.send('traces', {}, { 'content-type': 'text/plain' })).status, 415);
      assert.equal((await box.send('traces', {}, { 'content-encoding': 'br' })).status, 415);
    });
  });

  describe('of JSON', () => {
    it('accepts ids in any case, 64-bit integers as text or number, null as absence, and ignores unknown fields', async () => {
      const time = minute(0);
      const start = time.ns(0);
      const request = {
        unknown: { deep: [1, { x: null }] },
        resourceSpans: [
          {
            schemaUrl: 'x',
            extra: 1,
            resource: {
              attributes: [{ key: 'service.name', value: { stringValue: 'json' } }],
              droppedAttributesCount: 3,
            },
            scopeSpans: [
              {
                scope: null,
                spans: [
                  {
                    traceId: 'ABCDEFabcdef00000000000000000001',
                    spanId: 'ABCDEFabcdef0001',
                    parentSpanId: '',
                    name: 'known',
                    span_name: 'unknown',
                    kind: KIND.server,
                    flags: 257,
                    startTimeUnixNano: String(start),
                    endTimeUnixNano: Number(start),
                    traceState: 'a=b',
                    status: {},
                    droppedEventsCount: 1,
                    links: [{ traceId: 'ABCDEFabcdef00000000000000000001', spanId: 'ABCDEFabcdef0002' }],
                    attributes: [
                      { key: 'n', value: { intValue: 5 } },
                      { key: 's', value: { intValue: '6' } },
                      { key: 'd', value: { doubleValue: '1.5' } },
                      { key: 'no value' },
                      { key: 'null', value: null },
                    ],
                    events: null,
                  },
                  {
                    trace_id: traceId(1),
                    span_id: spanId(1),
                    traceId: traceId(2),
                    spanId: spanId(2),
                    name: 'snake case is unknown',
                    startTimeUnixNano: String(start),
                    endTimeUnixNano: String(start),
                  },
                ],
              },
            ],
          },
        ],
      };
      await box.record('traces', request);
      const { body } = await box.trace('details/abcdefabcdef0001');
      assert.deepEqual(
        [body.traceId, body.operationName, body.parentSpanId, body.spanKind, body.attributes],
        ['abcdefabcdef00000000000000000001', 'known', null, 'SERVER', { n: 5, s: 6, d: 1.5, 'no value': '', null: '' }],
      );
      assert.equal((await box.trace(`details/${spanId(1)}`)).status, 404);
      assert.equal((await box.trace(`details/${spanId(2)}`)).status, 200);
    });
  });

  describe('of every encoding', () => {
    const time = minute(1);
    const ENCODINGS = ['identity', 'gzip', 'deflate', 'zstd', 'snappy', 'lz4'] as const;

    it('stores JSON and protobuf identically', async () => {
      const fields: Partial<SpanFields> = {
        attributes: [
          ['n', 9_007_199_254_740_993n],
          ['bytes', { bytesValue: 'AQID' }],
          ['x', NaN],
        ],
        events: [{ name: 'e', time: time.ns(1), attributes: [['k', true]] }],
        status: { code: 2, message: 'm' },
      };
      for (const [index, encoding] of ENCODINGS.entries()) {
        for (const [offset, format] of (['application/json', 'application/x-protobuf'] as const).entries()) {
          const number = 0x1000 + index * 2 + offset;
          const request = spansOf('encodings', span(number, time.ns(number), fields));
          const body = offset === 0 ? Buffer.from(JSON.stringify(request)) : protobufOf('traces', request);
          const { status } = await box.send('traces', encode(body, encoding), {
            'content-type': format,
            'content-encoding': encoding,
          });
          assert.equal(status, 200, `${encoding} ${format}`);
        }
      }
      await box.settled();
      const readSpan = async (number: number): Promise<unknown[]> => {
        const { body } = await box.trace(`details/${spanId(number)}`);
        const { body: events } = await box.trace(`spans/${spanId(number)}/events`);
        return [body.attributes, body.status, body.statusMessage, body.serviceName, events.events];
      };
      const [first, ...others] = await Promise.all(
        Array.from({ length: 2 * ENCODINGS.length }, (_, n) => readSpan(0x1000 + n)),
      );
      assert.deepEqual(first, [
        { n: '9007199254740993', bytes: 'AQID', x: 'NaN' },
        'ERROR',
        'm',
        'encodings',
        [
          {
            name: 'e',
            timestamp: time.iso(1),
            timeUnixNano: String(time.ns(1)),
            attributes: { k: 'true' },
            droppedAttributesCount: 0,
          },
        ],
      ]);
      for (const other of others) assert.deepEqual(other, first);
    });

    it('deduplicates the same bytes under any compression', async () => {
      const body = Buffer.from(
        JSON.stringify(logsOf('once', { time: time.ns(0), body: 'once' }, { time: time.ns(0), body: 'once' })),
      );
      for (const encoding of [...ENCODINGS, ...ENCODINGS])
        assert.equal(
          (
            await box.send('logs', encode(body, encoding), {
              'content-type': 'application/json',
              'content-encoding': encoding,
            })
          ).status,
          200,
        );
      await box.settled();
      assert.equal(
        (await box.logs({ ...time.range(), serviceName: 'once' })).body.totalCount,
        2,
        'equal records inside one request are all kept',
      );
      assert.equal((await box.counters()).sum('requests_duplicate_total', 'signal="logs"'), 2 * ENCODINGS.length - 1);
    });
  });

  describe('of invalid records', () => {
    const time = minute(2);
    const start = time.ns(0);
    const good = span(0x2000, start);
    const BAD_SPANS: readonly [string, Partial<Record<keyof SpanFields, unknown>>][] = [
      ['trace id', { traceId: '' }],
      ['trace id', { traceId: '0'.repeat(32) }],
      ['trace id', { traceId: 'a'.repeat(30) }],
      ['trace id', { traceId: 'a'.repeat(34) }],
      ['trace id', { traceId: 'g'.repeat(32) }],
      ['trace id', { traceId: undefined }],
      ['span id', { spanId: '' }],
      ['span id', { spanId: '0'.repeat(16) }],
      ['span id', { spanId: 'b'.repeat(18) }],
      ['span id', { spanId: '12345' }],
      ['parent span id', { parentSpanId: 'abc1' }],
      ['older', { start: 0n }],
      ['older', { start: start - DAYS_7 - NS_PER_MINUTE * 60n }],
      ['future', { end: start + NS_PER_MINUTE * 180n }],
      ['future', { start: start + NS_PER_MINUTE * 180n, end: start + NS_PER_MINUTE * 180n }],
      ['future', { start: 2n ** 63n }],
      ['future', { start: 2n ** 64n - 1n }],
    ];

    it('reports each of them with the reason and accepts the others', async () => {
      for (const [reason, fields] of BAD_SPANS) {
        const bad = { ...span(0x2001, start), ...fields } as SpanFields;
        const reply = await box.send('traces', spansOf('partial', bad));
        const { partialSuccess } = json(reply) as { partialSuccess: { rejectedSpans: string; errorMessage: string } };
        assert.deepEqual(
          [reply.status, partialSuccess.rejectedSpans],
          [200, '1'],
          JSON.stringify(fields, (_, v: unknown) => (typeof v === 'bigint' ? String(v) : v)),
        );
        assert.match(partialSuccess.errorMessage, new RegExp(`^1 span rejected: 1 .*${reason}`));
      }
      assert.deepEqual(await names({ ...time.range(), serviceName: 'partial' }), []);
      const reply = await box.send(
        'traces',
        spansOf(
          'partial',
          ...BAD_SPANS.map(([, fields]) => ({ ...span(0x2001, start), ...fields }) as SpanFields),
          good,
        ),
      );
      const { partialSuccess } = json(reply) as { partialSuccess: { rejectedSpans: string; errorMessage: string } };
      assert.deepEqual(partialSuccess, {
        rejectedSpans: '17',
        errorMessage:
          '17 spans rejected: 6 with an invalid trace id, 4 with an invalid span id, 1 with an invalid parent span id, 2 older than retention, 4 too far in the future',
      });
      await box.settled();
      assert.deepEqual(await names({ ...time.range(), serviceName: 'partial' }), ['span 8192']);
    });

    it('reports them in protobuf and over gRPC as well', async () => {
      const bad = { time: 2n ** 63n, body: 'bad' };
      const request = protobufOf('logs', logsOf('partial', bad, { time: start, body: 'good' }, bad));
      const expected = {
        partialSuccess: { rejectedLogRecords: '2', errorMessage: '2 log records rejected: 2 too far in the future' },
      };
      assert.deepEqual(decoded('logs', await box.send('logs', request)), expected);
      const client = new Http2Client(Number(new URL(box.service.otlpGrpcUrl).port));
      const reply = await client.call(request, { ':path': LOGS_METHOD, 'api-key': box.apiKey });
      client.close();
      assert.deepEqual([reply.code, decoded('logs', { bytes: reply.response })], [0, expected]);
      await box.settled();
      const { items } = (await box.logs({ ...time.range(), serviceName: 'partial' })).body;
      assert.deepEqual(
        items.map((item) => item.body),
        ['good'],
        'the repetition counts once',
      );
      assert.equal((await box.log(`details/${items[0].id}`)).body.body, 'good');
    });

    it('accepts times just within the limits', async () => {
      const now = BigInt(Date.now()) * 1_000_000n;
      const times = [now - DAYS_7 + NS_PER_MINUTE, now + 9n * NS_PER_MINUTE];
      await box.record('traces', spansOf('bounds', ...times.map((at, n) => span(0x2100 + n, at))));
      await box.record('logs', logsOf('bounds', ...times.map((time) => ({ time, body: 'in bounds' }))));
      const range = { rangeStart: '2020-01-01T00:00:00Z', rangeEnd: '2100-01-01T00:00:00Z', serviceName: 'bounds' };
      assert.deepEqual(await names(range), ['span 8448', 'span 8449']);
      assert.equal((await box.logs(range)).body.totalCount, 2);
    });

    it('accepts a span that ends before its start or has no end', async () => {
      await box.record(
        'traces',
        spansOf('backwards', span(0x2200, start, { end: start - 1n }), span(0x2201, start, { end: 0n })),
      );
      for (const number of [0x2200, 0x2201])
        assert.equal((await box.trace(`details/${spanId(number)}`)).body.duration, 0);
    });
  });

  describe('of metrics', () => {
    it('counts points, and rejects those without a time, a name or fitting buckets', async () => {
      const at = { timeUnixNano: String(minute(4).ns(0)) };
      const metrics: Json[] = [
        {
          name: 'requests',
          sum: {
            aggregationTemporality: 2,
            isMonotonic: true,
            dataPoints: [{ ...at, asInt: '5' }, { asInt: '5' }, { flags: 1 }],
          },
        },
        {
          name: 'load',
          gauge: {
            dataPoints: [
              { ...at, asDouble: 'NaN' },
              { ...at, timeUnixNano: '0', asDouble: 1 },
            ],
          },
        },
        {
          name: 'latency',
          histogram: {
            aggregationTemporality: 1,
            dataPoints: [
              { ...at, count: '3', bucketCounts: ['1', '2'], explicitBounds: [5] },
              { ...at, bucketCounts: ['1', '2', '3'], explicitBounds: [5] },
            ],
          },
        },
        {
          name: 'sizes',
          exponentialHistogram: {
            aggregationTemporality: 2,
            dataPoints: [{ ...at, count: 1, scale: -2, zeroCount: '1' }],
          },
        },
        { name: 'old', summary: { dataPoints: [{ ...at, count: 1, quantileValues: [{ quantile: 0.5, value: 1 }] }] } },
        { gauge: { dataPoints: [{ ...at, asDouble: 1 }] } },
      ];
      const counted = async (): Promise<number[]> => {
        const counters = await box.counters();
        return ['records_accepted_total', 'records_rejected_total', 'records_projected_total'].map((name) =>
          counters.sum(name, 'signal="metrics"'),
        );
      };
      assert.deepEqual(await counted(), [0, 0, 0]);
      const reply = await box.send('metrics', { resourceMetrics: [{ scopeMetrics: [{ metrics }] }] });
      assert.deepEqual(json(reply), {
        partialSuccess: {
          rejectedDataPoints: '4',
          errorMessage:
            '4 data points rejected: 2 without a time, 1 with bucket counts that do not fit the bounds, 1 of a metric without a name',
        },
      });
      await box.settled();
      assert.deepEqual(await counted(), [6, 4, 6]);
    });
  });
});

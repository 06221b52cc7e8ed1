import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Signal } from '../../../../../src/telemetry/signals.js';
import { MAX_VALUE_DEPTH } from '../../../../../src/telemetry/otlp/wire/any-value.js';
import {
  MAX_SERVICE_MINUTES,
  TooManyServiceMinutes,
} from '../../../../../src/telemetry/otlp/validation/service-minute-counter.js';
import { validateRecords } from '../../../../../src/telemetry/otlp/validation/validate-export-request.js';
import {
  MAX_EVENTS_AND_LINKS,
  MAX_RECORD_BYTES,
  MAX_RECORDS,
  MAX_RESOURCE_OR_SCOPE_BYTES,
  TooManyRecords,
} from '../../../../../src/telemetry/otlp/validation/record-rejections.js';
import { MalformedBody } from '../../../../../src/telemetry/otlp/wire/wire-reader.js';
import { officialEncode } from '../../../../support/official-otlp.js';
import { logRequest, NOW_NS, traceRequest, type LogRecord, type Span } from '../../../../support/otlp-model.js';
import { createTelemetryGenerator } from '../../../../support/telemetry-generator.js';

const MS = 1_000_000n;
const BOUNDS = { oldestMs: Number(NOW_NS / MS) - 1_800_000, newestMs: Number(NOW_NS / MS) + 600_000 };
const UNBOUNDED = { oldestMs: 0, newestMs: Number(NOW_NS / MS) };

/** A letter that stands for broken text: its bytes are made invalid after encoding. */
const BROKEN = 'Ł';

function encodeBroken(signal: Signal, request: object): Uint8Array {
  const bytes = Buffer.from(officialEncode(signal, request));
  for (let at = bytes.indexOf(BROKEN); at >= 0; at = bytes.indexOf(BROKEN)) bytes[at + 1] = 0xc5;
  return bytes;
}

/** Texts that are broken now and then, ids that never hold the bytes of the letter. */
function breakSome<T>(value: T, coins: Iterator<boolean>): T {
  if (typeof value === 'string') return (coins.next().value ? `${value}${BROKEN}` : value.replaceAll(BROKEN, 'L')) as T;
  if (value instanceof Uint8Array) return value.map((byte) => byte & 0x7f) as T;
  if (Array.isArray(value)) return value.map((each: unknown) => breakSome(each, coins)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, breakSome<unknown>(each, coins)])) as T;
}

/** Does any text below hold the letter? */
function isBroken(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(BROKEN);
  if (value instanceof Uint8Array || typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(isBroken);
}

function outside(time: bigint): boolean {
  const micros = time / 1000n;
  return micros < BigInt(BOUNDS.oldestMs) * 1000n || micros > BigInt(BOUNDS.newestMs) * 1000n || time >= 2n ** 63n;
}

function badSpan(span: Span): boolean {
  const isId = (id: Uint8Array, size: number): boolean => id.length === size && id.some((byte) => byte !== 0);
  return (
    !isId(span.traceId, 16) ||
    !isId(span.spanId, 8) ||
    ![0, 8].includes(span.parentSpanId.length) ||
    outside(span.startTimeUnixNano) ||
    (span.endTimeUnixNano > span.startTimeUnixNano && outside(span.endTimeUnixNano)) ||
    isBroken(span)
  );
}

function badLog(log: LogRecord): boolean {
  const time = log.timeUnixNano || log.observedTimeUnixNano;
  return (time !== 0n && outside(time)) || isBroken(log);
}

const rareCoins = fc.infiniteStream(fc.nat(40).map((n) => n === 0));

describe('validation', () => {
  it('rejects exactly the spans that a check of the objects rejects', () => {
    fc.assert(
      fc.property(traceRequest, rareCoins, (clean, coins) => {
        const request = breakSome(clean, coins);
        const bad = request.resourceSpans.flatMap(({ resource, scopeSpans }) =>
          scopeSpans.flatMap(({ scope, spans }) =>
            spans.map((span) => isBroken(resource) || isBroken(scope) || badSpan(span)),
          ),
        );
        const { total, rejected } = validateRecords('traces', encodeBroken('traces', request), BOUNDS);
        assert.equal(total, bad.length);
        assert.deepEqual(
          rejected,
          bad.flatMap((isBad, ordinal) => (isBad ? [ordinal] : [])),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('rejects exactly the log records that a check of the objects rejects', () => {
    fc.assert(
      fc.property(logRequest, rareCoins, (clean, coins) => {
        const request = breakSome(clean, coins);
        const bad = request.resourceLogs.flatMap(({ resource, scopeLogs }) =>
          scopeLogs.flatMap(({ scope, logRecords }) =>
            logRecords.map((log) => isBroken(resource) || isBroken(scope) || badLog(log)),
          ),
        );
        const { total, rejected } = validateRecords('logs', encodeBroken('logs', request), BOUNDS);
        assert.equal(total, bad.length);
        assert.deepEqual(
          rejected,
          bad.flatMap((isBad, ordinal) => (isBad ? [ordinal] : [])),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('accepts what a sane application sends', () => {
    const generator = createTelemetryGenerator(5);
    const bounds = { oldestMs: 1, newestMs: Number(generator.nowNs / MS) + 3_600_000 };
    assert.deepEqual(validateRecords('traces', generator.traces(500), bounds), {
      total: 500,
      rejected: [],
      message: '',
    });
    assert.deepEqual(validateRecords('logs', generator.logs(500), bounds), { total: 500, rejected: [], message: '' });
    assert.deepEqual(validateRecords('metrics', generator.metrics(500), bounds), {
      total: 500,
      rejected: [],
      message: '',
    });
  });

  it('sums the reasons up in one sentence', () => {
    const good = {
      traceId: Buffer.alloc(16, 1),
      spanId: Buffer.alloc(8, 1),
      startTimeUnixNano: NOW_NS,
      endTimeUnixNano: NOW_NS,
    };
    const spans = [
      { ...good, traceId: Buffer.alloc(15, 1) },
      good,
      { ...good, traceId: Buffer.alloc(16) },
      { ...good, startTimeUnixNano: 1n },
    ];
    const request = { resourceSpans: [{ scopeSpans: [{ spans }] }] };
    assert.deepEqual(validateRecords('traces', officialEncode('traces', request), BOUNDS), {
      total: 4,
      rejected: [0, 2, 3],
      message: '3 spans rejected: 2 with an invalid trace id, 1 older than retention',
    });
    const log = { timeUnixNano: 2n ** 63n };
    assert.equal(
      validateRecords(
        'logs',
        officialEncode('logs', { resourceLogs: [{ scopeLogs: [{ logRecords: [log] }] }] }),
        UNBOUNDED,
      ).message,
      '1 log record rejected: 1 too far in the future',
    );
  });

  it('takes empty requests and empty envelopes', () => {
    for (const signal of ['traces', 'logs', 'metrics'] as const) {
      assert.equal(validateRecords(signal, new Uint8Array(0), BOUNDS).total, 0);
      assert.equal(validateRecords(signal, Buffer.from([10, 0, 10, 2, 18, 0]), BOUNDS).total, 0);
    }
  });

  it('passes by unknown fields of future versions, and known ones with another wire type', () => {
    const unknown = Buffer.from([0xf8, 0x06, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01, 0x08, 5]);
    assert.equal(
      validateRecords('traces', Buffer.concat([unknown, createTelemetryGenerator(1).traces(3)]), UNBOUNDED).total,
      3,
    );
  });

  it('refuses what is not protobuf', () => {
    const bodies = {
      'field number 0': [0x02, 0],
      'group start': [0x0b],
      'group end': [0x0c],
      'wire type 7': [0x0f],
      'length past the end': [10, 5, 1],
      'inner length past the outer end': [10, 2, 18, 3, 18, 1, 0],
      'endless varint': [0x08, ...Array<number>(11).fill(0xff)],
      'cut varint': [0x08, 0x80],
      'cut fixed64': [0x09, 1, 2, 3],
      'cut fixed32': [0x0d, 1, 2, 3],
      'field number past 2^29': [0x82, 0x80, 0x80, 0x80, 0x10, 0],
      text: [...Buffer.from('hello, this is not protobuf')],
    };
    for (const [name, bytes] of Object.entries(bodies)) {
      assert.throws(() => validateRecords('traces', Uint8Array.from(bytes), BOUNDS), MalformedBody, name);
    }
  });
});

describe('bounds of a request', () => {
  const LOGS = { resourceLogs: [{ scopeLogs: [{ logRecords: [{}] }] }] };

  it(`are ${MAX_RECORDS} records`, () => {
    const logRecords = Array.from({ length: MAX_RECORDS }, () => ({}));
    const request = { resourceLogs: [{ scopeLogs: [{ logRecords }] }] };
    assert.equal(validateRecords('logs', officialEncode('logs', request), BOUNDS).total, MAX_RECORDS);
    const oneMore = Buffer.concat([officialEncode('logs', request), officialEncode('logs', LOGS)]);
    assert.throws(() => validateRecords('logs', oneMore, BOUNDS), TooManyRecords);
  });

  describe(`are ${MAX_SERVICE_MINUTES} minutes of services`, () => {
    const MINUTE_NS = 60_000_000_000n;
    const named = (name: string) => ({ attributes: [{ key: 'service.name', value: { stringValue: name } }] });
    /** Of each service, a record in each of so many minutes. */
    const scattered = (services: readonly string[], minutes: number) => ({
      traces: {
        resourceSpans: services.map((name) => ({
          resource: named(name),
          scopeSpans: [
            {
              spans: Array.from({ length: minutes }, (_, i) => ({
                traceId: Buffer.alloc(16, 1),
                spanId: Buffer.alloc(8, 1),
                startTimeUnixNano: 5n,
                endTimeUnixNano: BigInt(i) * MINUTE_NS,
              })),
            },
          ],
        })),
      },
      logs: {
        resourceLogs: services.map((name) => ({
          resource: named(name),
          scopeLogs: [
            { logRecords: Array.from({ length: minutes }, (_, i) => ({ timeUnixNano: BigInt(i) * MINUTE_NS + 1n })) },
          ],
        })),
      },
      metrics: {
        resourceMetrics: services.map((name) => ({
          resource: named(name),
          scopeMetrics: [
            {
              metrics: [
                {
                  name: 'm',
                  gauge: {
                    dataPoints: Array.from({ length: minutes }, (_, i) => ({
                      timeUnixNano: BigInt(i) * MINUTE_NS + 1n,
                      asDouble: 1,
                    })),
                  },
                },
              ],
            },
          ],
        })),
      },
    });
    const services = (count: number): string[] => Array.from({ length: count }, (_, i) => `s${i}`);
    const judge = (signal: Signal, names: readonly string[], minutes: number) => () =>
      validateRecords(signal, officialEncode(signal, scattered(names, minutes)[signal]), UNBOUNDED);

    for (const signal of ['traces', 'logs', 'metrics'] as const) {
      it(`of ${signal}: as many are taken, one more is not`, () => {
        assert.equal(judge(signal, services(10), MAX_SERVICE_MINUTES / 10)().rejected.length, 0);
        assert.throws(judge(signal, services(11), MAX_SERVICE_MINUTES / 10), TooManyServiceMinutes);
        assert.throws(judge(signal, ['one'], MAX_SERVICE_MINUTES + 1), TooManyServiceMinutes);
      });
    }

    it('count a service once, however often its resource stands there', () => {
      assert.equal(
        judge(
          'traces',
          Array.from({ length: 3 * MAX_SERVICE_MINUTES }, () => 'same'),
          1,
        )().rejected.length,
        0,
      );
    });

    it('count no record that is rejected', () => {
      const request = officialEncode('logs', scattered(['one'], 3 * MAX_SERVICE_MINUTES).logs);
      assert.equal(
        validateRecords('logs', request, { oldestMs: 60_000 * 2.5 * MAX_SERVICE_MINUTES, newestMs: UNBOUNDED.newestMs })
          .rejected.length,
        2.5 * MAX_SERVICE_MINUTES,
      );
    });

    it('know a name by every way to give it', () => {
      const twice = (name: string) => ({
        attributes: [
          { key: 'service.name', value: { stringValue: 'same' } },
          { key: 'service.name', value: { stringValue: name } },
        ],
      });
      const spans = [
        { traceId: Buffer.alloc(16, 1), spanId: Buffer.alloc(8, 1), startTimeUnixNano: 5n, endTimeUnixNano: 5n },
      ];
      const resourceSpans = services(MAX_SERVICE_MINUTES + 1).map((name) => ({
        resource: twice(name),
        scopeSpans: [{ spans }],
      }));
      assert.throws(
        () => validateRecords('traces', officialEncode('traces', { resourceSpans }), UNBOUNDED),
        TooManyServiceMinutes,
      );
    });
  });

  it(`are ${MAX_EVENTS_AND_LINKS} events and links a span`, () => {
    const good = {
      traceId: Buffer.alloc(16, 1),
      spanId: Buffer.alloc(8, 1),
      startTimeUnixNano: NOW_NS,
      endTimeUnixNano: NOW_NS,
    };
    const events = Array.from({ length: MAX_EVENTS_AND_LINKS }, () => ({}));
    const request = {
      resourceSpans: [
        {
          scopeSpans: [
            {
              spans: [
                { ...good, events },
                { ...good, events, links: [{}] },
              ],
            },
          ],
        },
      ],
    };
    assert.deepEqual(validateRecords('traces', officialEncode('traces', request), BOUNDS).rejected, [1]);
  });

  it(`are ${MAX_RECORD_BYTES} bytes a record, ${MAX_RESOURCE_OR_SCOPE_BYTES} a resource or a scope`, () => {
    const large = { body: { stringValue: 'x'.repeat(MAX_RECORD_BYTES) } };
    const small = { body: { stringValue: 'x'.repeat(MAX_RECORD_BYTES - 100) } };
    const attributes = [{ key: 'k', value: { stringValue: 'x'.repeat(MAX_RESOURCE_OR_SCOPE_BYTES) } }];
    const fitting = [{ key: 'k', value: { stringValue: 'x'.repeat(MAX_RESOURCE_OR_SCOPE_BYTES - 100) } }];
    const request = {
      resourceLogs: [
        { scopeLogs: [{ logRecords: [large, small] }] },
        { resource: { attributes }, scopeLogs: [{ logRecords: [{}, {}] }] },
        { scopeLogs: [{ scope: { attributes }, logRecords: [{}] }, { logRecords: [{}] }] },
        { resource: { attributes: fitting }, scopeLogs: [{ logRecords: [{}] }] },
      ],
    };
    assert.deepEqual(validateRecords('logs', officialEncode('logs', request), BOUNDS).rejected, [0, 2, 3, 4]);
  });

  it('take 100,000 attributes', () => {
    const attributes = Array.from({ length: 100_000 }, (_, n) => ({ key: `key-${n}`, value: { intValue: BigInt(n) } }));
    assert.deepEqual(
      validateRecords(
        'logs',
        officialEncode('logs', { resourceLogs: [{ scopeLogs: [{ logRecords: [{ attributes }] }] }] }),
        BOUNDS,
      ).rejected,
      [],
    );
  });
});

describe('nesting', () => {
  const LEN = 2;

  /** A log record whose body is `depth` AnyValues within each other. */
  function nested(depth: number, through: 'array' | 'map'): Buffer {
    let value: Buffer = Buffer.from([0x10, 1]);
    for (let level = 1; level < depth; level++) {
      value = through === 'array' ? field(5, field(1, value)) : field(6, field(1, field(2, value)));
    }
    return field(1, field(2, field(2, field(5, value))));
  }

  function field(number: number, payload: Buffer): Buffer {
    const head = [number * 8 + LEN];
    let size = payload.length;
    for (; size > 127; size >>>= 7) head.push((size & 127) | 128);
    return Buffer.concat([Buffer.from([...head, size]), payload]);
  }

  it(`is taken to ${MAX_VALUE_DEPTH} levels and rejected beyond, 10,000 levels included`, () => {
    for (const through of ['array', 'map'] as const) {
      assert.deepEqual(validateRecords('logs', nested(MAX_VALUE_DEPTH, through), BOUNDS).rejected, []);
      assert.deepEqual(validateRecords('logs', nested(MAX_VALUE_DEPTH + 1, through), BOUNDS).rejected, [0]);
      assert.deepEqual(validateRecords('logs', nested(10_000, through), BOUNDS), {
        total: 1,
        rejected: [0],
        message: `1 log record rejected: 1 nested deeper than ${MAX_VALUE_DEPTH} levels`,
      });
    }
  });
});

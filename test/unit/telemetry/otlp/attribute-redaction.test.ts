import assert from 'node:assert/strict';
import fc from 'fast-check';
import { redactAttributes, REDACTED_VALUE } from '../../../../src/telemetry/otlp/attribute-redaction.js';
import type { Signal } from '../../../../src/telemetry/signals.js';
import { metricRequest } from '../../../support/metric-model.js';
import { officialDecode, officialEncode } from '../../../support/official-otlp.js';
import { logRequest, traceRequest } from '../../../support/otlp-model.js';
import { array, logsOf, map, protobufOf, spansOf } from '../../../support/otlp-requests.js';

const NEVER = (): boolean => false;
const REQUESTS: readonly (readonly [Signal, fc.Arbitrary<object>])[] = [
  ['traces', traceRequest],
  ['logs', logRequest],
  ['metrics', metricRequest],
];

interface KeyValue {
  readonly key: string;
  readonly value?: object;
}

/** The same on plain objects: what has a key and stands among attributes or in a map. */
function stripped(value: unknown, isSecret: (key: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => stripped(each, isSecret));
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  const { key } = value as KeyValue;
  if (typeof key === 'string' && isSecret(key)) return { key, value: { stringValue: REDACTED_VALUE } };
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, stripped(each, isSecret)]));
}

/** Every key of every attribute, of maps too. */
function keysIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysIn);
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
  const own = typeof (value as KeyValue).key === 'string' ? [(value as KeyValue).key] : [];
  return [...own, ...Object.values(value).flatMap(keysIn)];
}

describe('attributes taken out of a request', () => {
  for (const [signal, requests] of REQUESTS) {
    it(`leaves all of ${signal} but the values of these keys, wherever they stand`, () => {
      fc.assert(
        fc.property(requests, fc.nat(3), (request, nth) => {
          const body = officialEncode(signal, request);
          const before = officialDecode(signal, body);
          const secret = keysIn(before)[nth];
          const isSecret = (key: string): boolean => key === secret;
          const { body: after } = redactAttributes(signal, body, isSecret);
          if (secret === undefined) return assert.equal(after, undefined);
          assert.deepEqual(officialDecode(signal, after ?? new Uint8Array()), stripped(before, isSecret));
        }),
      );
    });

    it(`returns no body if no attribute of ${signal} is secret`, () => {
      fc.assert(
        fc.property(requests, (request) =>
          assert.equal(redactAttributes(signal, officialEncode(signal, request), NEVER).body, undefined),
        ),
      );
    });
  }

  it('looks into maps and arrays within values, and into bodies of logs', () => {
    const body = protobufOf(
      'logs',
      logsOf('shop', {
        time: 1n,
        body: map(['user', 'ann'], ['password', 'pw-1']),
        attributes: [['headers', array(map(['cookie', 'pw-2']))]],
      }),
    );
    const { body: after } = redactAttributes('logs', body, (key) => key === 'password' || key === 'cookie');
    const text = Buffer.from(after ?? []).toString('latin1');
    assert.ok(text.includes('ann') && !text.includes('pw-'), text);
  });

  it('returns the time range of the records that have a time', () => {
    const span = { traceId: 'a0'.repeat(16), spanId: 'b0'.repeat(8) };
    const body = protobufOf(
      'traces',
      spansOf(
        'shop',
        { ...span, start: 5_000_999_999n, end: 7_000_000_000n },
        { ...span, start: 2_000_000_000n, end: 3_000_000_000n },
      ),
    );
    assert.deepEqual(redactAttributes('traces', body, NEVER), { body: undefined, firstMs: 2_000, lastMs: 7_000 });
    const halfTimed = protobufOf('traces', spansOf('shop', { ...span, start: 0n, end: 7_000_000_000n }));
    assert.deepEqual(redactAttributes('traces', halfTimed, NEVER), { body: undefined, firstMs: 7_000, lastMs: 7_000 });
    assert.deepEqual(redactAttributes('logs', protobufOf('logs', logsOf('shop', { body: 'timeless' })), NEVER), {
      body: undefined,
      firstMs: undefined,
      lastMs: undefined,
    });
  });

  it('refuses what is not a request', () => {
    assert.throws(() => redactAttributes('traces', Uint8Array.of(0x0a, 0x7f, 1), NEVER), { name: 'MalformedBody' });
  });
});

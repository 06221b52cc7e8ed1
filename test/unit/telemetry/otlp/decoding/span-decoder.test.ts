import assert from 'node:assert/strict';
import fc from 'fast-check';
import { toHex } from '../../../../../src/telemetry/trace-identifiers.js';
import { decodeSpanRecord } from '../../../../../src/telemetry/otlp/decoding/record-decoder.js';
import { readResourceAt } from '../../../../../src/telemetry/otlp/decoding/record-resource.js';
import { decodeSpans } from '../../../../../src/telemetry/otlp/decoding/span-decoder.js';
import { MalformedBody } from '../../../../../src/telemetry/otlp/wire/wire-reader.js';
import { createSpanColumns, type SpanColumns } from '../../../../../src/telemetry/columns/span-batch-columns.js';
import { toUnixNanos } from '../../../../../src/telemetry/unix-time.js';
import { computeAttributeToken } from '../../../../../src/telemetry/attribute-tokens.js';
import { officialEncode } from '../../../../support/official-otlp.js';
import { traceRequest, type KeyValue, type Span, type TraceRequest } from '../../../../support/otlp-model.js';
import {
  attributesOf,
  exceptionOf,
  type ReadScope,
  scopeAt,
  serviceOf,
  textOf,
  toReadScope,
} from '../../../../support/otlp-oracle.js';
import { createTelemetryGenerator } from '../../../../support/telemetry-generator.js';

const REVISION = 7;
/** Year 2255: up to there columns are exact. */
const LAST_EXACT_NS = 2n ** 53n * 1000n;

interface Expected {
  readonly span: Span;
  readonly resource: readonly KeyValue[];
  readonly scope: ReadScope;
  readonly ordinal: number;
}

function spansOf(request: TraceRequest): Expected[] {
  return request.resourceSpans
    .flatMap(({ resource, scopeSpans }) =>
      scopeSpans.flatMap(({ scope, spans }) =>
        spans.map((span) => ({ span, resource: resource?.attributes ?? [], scope: toReadScope(scope) })),
      ),
    )
    .map((each, ordinal) => ({ ...each, ordinal }));
}

function idHex(id: Uint8Array, size: number): string {
  return id.length === size ? toHex(id) : '00'.repeat(size);
}

function pairsOf(columns: SpanColumns, row: number): string[] {
  const pairs: string[] = [];
  for (let i = row === 0 ? 0 : columns.tokenEnd[row - 1]; i < columns.tokenEnd[row]; i++)
    pairs.push(`${columns.tokens[i]}/${columns.tokenChecks[i]}`);
  return pairs;
}

function tokensOf(pairs: readonly KeyValue[]): string[] {
  return [...attributesOf(pairs)].map(([key, value]) => {
    const { token, check } = computeAttributeToken(key, String(value));
    return `${token}/${check}`;
  });
}

function httpStatusOf(pairs: readonly KeyValue[]): number {
  const attributes = attributesOf(pairs);
  const code = (key: string): number => {
    const text = String(attributes.get(key) ?? '');
    return /^[1-9][0-9]{2}$/.test(text) && pairs.find((pair) => pair.key === key)?.value?.doubleValue === undefined
      ? Number(text)
      : 0;
  };
  return code('http.response.status_code') || code('http.status_code');
}

const PEER_KEYS = [
  'peer.service',
  'db.namespace',
  'db.name',
  'messaging.destination.name',
  'messaging.destination',
  'server.address',
  'net.peer.name',
  'db.system.name',
  'db.system',
  'messaging.system',
  'rpc.system',
];

function peerOf({ kind, attributes }: Span): string {
  return kind === 3 || kind === 4
    ? (PEER_KEYS.map((key) => textOf(attributes, key)).find((text) => text !== '') ?? '')
    : '';
}

interface RowException {
  readonly row: number;
  readonly type: string;
  readonly message: string;
  readonly us: number;
}

function exactUs(us: number): number {
  return Math.min(us, 2 ** 53);
}

function exceptionsOf({ span }: Expected, row: number): RowException[] {
  return span.events.flatMap(({ name, timeUnixNano, attributes }) => {
    const exception = name === 'exception' ? exceptionOf(attributes) : undefined;
    return exception === undefined
      ? []
      : [{ row, ...exception, us: exactUs(Number(withinSpan(timeUnixNano / 1000n, span))) }];
  });
}

/** What lies outside the span is brought to its nearer end; what has no time, to its end. */
function withinSpan(us: bigint, { startTimeUnixNano, endTimeUnixNano }: Span): bigint {
  const first = startTimeUnixNano / 1000n;
  const last = endTimeUnixNano < startTimeUnixNano ? first : endTimeUnixNano / 1000n;
  if (us === 0n || us > last) return last;
  return us < first ? first : us;
}

function exceptionsIn(columns: SpanColumns): RowException[] {
  return Array.from({ length: columns.exceptionCount }, (_, i) => ({
    row: columns.exceptionRow[i],
    type: columns.strings.text(columns.exceptionType[i]),
    message: columns.strings.text(columns.exceptionMessage[i]),
    us: exactUs(columns.exceptionUs[i]),
  }));
}

function assertRow(columns: SpanColumns, row: number, expected: Expected, body: Uint8Array): void {
  const { span, resource } = expected;
  if (span.startTimeUnixNano < LAST_EXACT_NS)
    assert.equal(toUnixNanos(columns.startUs[row], columns.startNs[row]), span.startTimeUnixNano);
  assert.equal(columns.durationNs[row], Number(span.endTimeUnixNano - span.startTimeUnixNano));
  assert.equal(toHex(columns.traceId, row * 16, row * 16 + 16), idHex(span.traceId, 16));
  assert.equal(toHex(columns.spanId, row * 8, row * 8 + 8), idHex(span.spanId, 8));
  assert.equal(toHex(columns.parentId, row * 8, row * 8 + 8), idHex(span.parentSpanId, 8));
  assert.equal(columns.strings.text(columns.service[row]), serviceOf(resource));
  assert.equal(columns.strings.text(columns.operation[row]), span.name);
  assert.equal(columns.kind[row], span.kind > 5 ? 0 : span.kind);
  assert.equal(columns.status[row], (span.status?.code ?? 0) > 2 ? 0 : (span.status?.code ?? 0));
  assert.equal(columns.httpStatus[row], httpStatusOf(span.attributes));
  assert.equal(columns.revision[row], REVISION);
  assert.deepEqual(pairsOf(columns, row), tokensOf(span.attributes));
  const { tokens, checks } = columns.resourceTokens[columns.resource[row]];
  assert.deepEqual(
    Array.from(tokens, (token, i) => `${token}/${checks[i]}`),
    tokensOf(resource),
  );
  assert.equal(columns.strings.text(columns.peer[row]), peerOf(span));
  assert.equal(
    columns.strings.text(columns.resourceVersions[columns.resource[row]]),
    textOf(resource, 'service.version'),
  );
  assert.equal(
    columns.strings.text(columns.resourceInstances[columns.resource[row]]),
    textOf(resource, 'service.instance.id'),
  );
  assertRecord(body, columns.offset[row], columns.length[row], expected);
}

function assertRecord(body: Uint8Array, offset: number, length: number, { span, resource, scope }: Expected): void {
  const record = decodeSpanRecord(body, offset, length);
  const zeroed = (id: Uint8Array): string => (id.every((byte) => byte === 0) ? '' : toHex(id));
  assert.deepEqual(
    {
      ...record,
      attributes: new Map(Object.entries(record.attributes)),
      events: record.events.map((event) => ({ ...event, attributes: new Map(Object.entries(event.attributes)) })),
      links: record.links.map((link) => ({ ...link, attributes: new Map(Object.entries(link.attributes)) })),
    },
    {
      traceId: zeroed(span.traceId),
      spanId: zeroed(span.spanId),
      parentSpanId: zeroed(span.parentSpanId),
      traceState: span.traceState,
      flags: span.flags,
      name: span.name,
      kind: span.kind,
      start: span.startTimeUnixNano,
      end: span.endTimeUnixNano,
      statusCode: span.status?.code ?? 0,
      statusMessage: span.status?.message ?? '',
      attributes: attributesOf(span.attributes),
      droppedAttributesCount: span.droppedAttributesCount,
      droppedEventsCount: span.droppedEventsCount,
      droppedLinksCount: span.droppedLinksCount,
      events: span.events.map(({ name, timeUnixNano, attributes, droppedAttributesCount }) => ({
        name,
        time: timeUnixNano,
        attributes: attributesOf(attributes),
        droppedAttributesCount,
      })),
      links: span.links.map(({ traceId, spanId, traceState, flags, attributes, droppedAttributesCount }) => ({
        traceId: toHex(traceId),
        spanId: toHex(spanId),
        traceState,
        flags,
        attributes: attributesOf(attributes),
        droppedAttributesCount,
      })),
    },
  );
  const enclosing = readResourceAt(body, offset);
  assert.equal(enclosing.serviceName, serviceOf(resource));
  assert.deepEqual(new Map(Object.entries(enclosing.attributes)), attributesOf(resource));
  assert.deepEqual(scopeAt(body, offset), scope);
}

function peersOf(spans: readonly object[]): string[] {
  const columns = createSpanColumns();
  decodeSpans(officialEncode('traces', { resourceSpans: [{ scopeSpans: [{ spans }] }] }), 0, [], columns);
  return Array.from({ length: columns.count }, (_, row) => columns.strings.text(columns.peer[row]));
}

describe('span decoder', () => {
  it('agrees with the official encoder on every field of random requests', () => {
    const columns = createSpanColumns(1);
    fc.assert(
      fc.property(traceRequest, (request) => {
        const body = officialEncode('traces', request);
        const expected = spansOf(request);
        columns.clear();
        decodeSpans(body, REVISION, [], columns);
        assert.equal(columns.count, expected.length);
        expected.forEach((each, row) => assertRow(columns, row, each, body));
        const keys = request.resourceSpans.flatMap(({ resource, scopeSpans }) => [
          ...(resource?.attributes ?? []),
          ...scopeSpans.flatMap(({ spans }) => spans.flatMap(({ attributes }) => attributes)),
        ]);
        assert.deepEqual(exceptionsIn(columns), expected.flatMap(exceptionsOf));
        assert.deepEqual(columns.keys, new Set(keys.map(({ key }) => key)));
      }),
      { numRuns: 300 },
    );
  });

  it('passes the rejected ordinals by and appends what is left', () => {
    fc.assert(
      fc.property(traceRequest, fc.infiniteStream(fc.boolean()), (request, coins) => {
        const all = spansOf(request);
        const rejected = all.map(({ ordinal }) => ordinal).filter(() => coins.next().value);
        const columns = createSpanColumns();
        decodeSpans(officialEncode('traces', request), 1, rejected, columns);
        decodeSpans(officialEncode('traces', request), REVISION, rejected, columns);
        const kept = all.filter(({ ordinal }) => !rejected.includes(ordinal));
        assert.equal(columns.count, kept.length * 2);
        const body = officialEncode('traces', request);
        kept.forEach((each, row) => assertRow(columns, kept.length + row, each, body));
      }),
    );
  });

  it('names whom a span calls by the most telling attribute, a present name before its former one', () => {
    const pair = (key: string, stringValue: string): KeyValue => ({ key, value: { stringValue } });
    const attributes = [
      pair('server.address', 'db-1.internal'),
      pair('db.name', 'old'),
      pair('db.namespace', 'orders'),
      pair('peer.service', ''),
    ];
    assert.deepEqual(
      peersOf([
        { kind: 3, attributes },
        { kind: 4, attributes: attributes.slice(0, 2) },
        { kind: 2, attributes },
        { kind: 3 },
      ]),
      ['orders', 'old', '', ''],
    );
  });

  it('names the peer also where the kind stands behind the attributes', () => {
    const span = officialEncode('traces', {
      resourceSpans: [
        { scopeSpans: [{ spans: [{ attributes: [{ key: 'peer.service', value: { stringValue: 'far' } }] }] }] },
      ],
    });
    const withKind = Buffer.concat([span, Buffer.from([0x30, 3])]);
    for (const at of [1, 3, 5]) withKind[at] += 2;
    const columns = createSpanColumns();
    decodeSpans(withKind, 0, [], columns);
    assert.equal(columns.strings.text(columns.peer[0]), 'far');
  });

  it('cuts the message of an exception between two characters', () => {
    const attributes = [{ key: 'exception.message', value: { stringValue: '🙂'.repeat(300) } }];
    const events = [
      { timeUnixNano: 2_000n, name: 'exception', attributes },
      { name: 'exception', attributes: [] },
      { name: 'retry', attributes },
    ];
    const columns = createSpanColumns();
    decodeSpans(
      officialEncode('traces', { resourceSpans: [{ scopeSpans: [{ spans: [{ endTimeUnixNano: 3_000n, events }] }] }] }),
      0,
      [],
      columns,
    );
    assert.deepEqual(exceptionsIn(columns), [{ row: 0, type: '', message: '🙂'.repeat(256), us: 2 }]);
  });

  it('grows for more exceptions than the initial capacity', () => {
    const events = Array.from({ length: 1_000 }, (_, n) => ({
      timeUnixNano: BigInt(n + 1) * 1_000n,
      name: 'exception',
      attributes: [{ key: 'exception.type', value: { stringValue: `E${n % 3}` } }],
    }));
    const columns = createSpanColumns();
    decodeSpans(
      officialEncode('traces', {
        resourceSpans: [{ scopeSpans: [{ spans: [{ endTimeUnixNano: 1_000_000n, events }] }] }],
      }),
      0,
      [],
      columns,
    );
    assert.deepEqual(
      exceptionsIn(columns),
      events.map((_, n) => ({ row: 0, type: `E${n % 3}`, message: '', us: n + 1 })),
    );
  });

  it('takes the service from a resource that stands behind its spans', () => {
    const resource = officialEncode('traces', {
      resourceSpans: [{ resource: { attributes: [{ key: 'service.name', value: { stringValue: 'late' } }] } }],
    });
    const spans = officialEncode('traces', {
      resourceSpans: [{ scopeSpans: [{ spans: [{ traceId: Buffer.alloc(16, 1), spanId: Buffer.alloc(8, 1) }] }] }],
    });
    const inner = Buffer.concat([spans.subarray(2), resource.subarray(2)]);
    const body = Buffer.concat([Buffer.from([10, inner.length]), inner]);
    const columns = createSpanColumns();
    decodeSpans(body, 0, [], columns);
    assert.equal(columns.strings.text(columns.service[0]), 'late');
    assert.equal(readResourceAt(body, columns.offset[0]).serviceName, 'late');
  });

  it('leaves the columns as they were when a body does not parse', () => {
    const generator = createTelemetryGenerator(3);
    const columns = createSpanColumns();
    decodeSpans(generator.traces(20), 0, [], columns);
    const tokens = pairsOf(columns, 19);
    const resources = columns.resourceTokens.length;
    const exceptions = exceptionsIn(columns);
    const cut = generator.traces(2_000).subarray(0, -3);
    assert.throws(() => decodeSpans(cut, 1, [], columns), MalformedBody);
    assert.equal(columns.count, 20);
    assert.deepEqual(exceptionsIn(columns), exceptions);
    assert.deepEqual(
      [columns.resourceTokens.length, columns.resourceVersions.length, columns.resourceInstances.length],
      [resources, resources, resources],
    );
    decodeSpans(generator.traces(1), 2, [], columns);
    assert.deepEqual(pairsOf(columns, 19), tokens);
    assert.equal(columns.resource[20], columns.resourceTokens.length - 1);
  });

  it('stores nothing of resources without spans, however many', () => {
    const columns = createSpanColumns();
    decodeSpans(Buffer.alloc(200_000, Buffer.from([10, 0])), 0, [], columns);
    assert.equal(columns.resourceTokens.length, 0);
  });

  it('gives one token to a repeated key, the first one', () => {
    const attributes = [
      { key: 'a', value: { stringValue: 'first' } },
      { key: 'a', value: { stringValue: 'second' } },
    ];
    const columns = createSpanColumns();
    decodeSpans(
      officialEncode('traces', { resourceSpans: [{ scopeSpans: [{ spans: [{ attributes }] }] }] }),
      0,
      [],
      columns,
    );
    assert.deepEqual(pairsOf(columns, 0), tokensOf(attributes.slice(0, 1)));
  });

  it('reads a span with 100,000 different attributes, and again after it forgot them', () => {
    const attributes = Array.from({ length: 100_000 }, (_, n) => ({ key: `key-${n}`, value: { intValue: BigInt(n) } }));
    const body = officialEncode('traces', {
      resourceSpans: [{ scopeSpans: [{ spans: [{ attributes }, { attributes: attributes.slice(0, 2) }] }] }],
    });
    for (let round = 0; round < 3; round++) {
      const columns = createSpanColumns();
      decodeSpans(body, 0, [], columns);
      assert.equal(columns.tokenEnd[0], 100_000);
      assert.equal(columns.tokenEnd[1], 100_002);
      assert.equal(columns.keys.size, 100_000);
    }
  });
});

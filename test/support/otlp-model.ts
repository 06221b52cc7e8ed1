import fc from 'fast-check';

/** OTLP messages as plain objects with the field names of the .proto files; 64-bit integers are bigints, ids are bytes. */
export interface AnyValue {
  stringValue?: string;
  boolValue?: boolean;
  intValue?: bigint;
  doubleValue?: number;
  arrayValue?: { values: AnyValue[] };
  kvlistValue?: { values: KeyValue[] };
  bytesValue?: Uint8Array;
}

export interface KeyValue {
  key: string;
  value?: AnyValue;
}

export interface Span {
  traceId: Uint8Array;
  spanId: Uint8Array;
  traceState: string;
  parentSpanId: Uint8Array;
  name: string;
  kind: number;
  startTimeUnixNano: bigint;
  endTimeUnixNano: bigint;
  attributes: KeyValue[];
  droppedAttributesCount: number;
  events: { timeUnixNano: bigint; name: string; attributes: KeyValue[]; droppedAttributesCount: number }[];
  droppedEventsCount: number;
  links: {
    traceId: Uint8Array;
    spanId: Uint8Array;
    traceState: string;
    attributes: KeyValue[];
    droppedAttributesCount: number;
    flags: number;
  }[];
  droppedLinksCount: number;
  status?: { message: string; code: number };
  flags: number;
}

export interface LogRecord {
  timeUnixNano: bigint;
  observedTimeUnixNano: bigint;
  severityNumber: number;
  severityText: string;
  body?: AnyValue;
  attributes: KeyValue[];
  droppedAttributesCount: number;
  flags: number;
  traceId: Uint8Array;
  spanId: Uint8Array;
  eventName: string;
}

export interface TraceRequest {
  resourceSpans: { resource?: { attributes: KeyValue[] }; scopeSpans: { scope?: Scope; spans: Span[] }[] }[];
}

export interface LogRequest {
  resourceLogs: { resource?: { attributes: KeyValue[] }; scopeLogs: { scope?: Scope; logRecords: LogRecord[] }[] }[];
}

export interface Scope {
  name: string;
  version: string;
  attributes: KeyValue[];
}

/** Any text without lone surrogates, which UTF-8 cannot encode. */
export const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('GET', 'Straße', 'ΣΊΣΥΦΟΣ', '日本語 text', ''),
);

const int64 = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.integer().map(BigInt),
  fc.constantFrom(
    0n,
    1n,
    -1n,
    2n ** 53n - 1n,
    2n ** 53n,
    -(2n ** 53n),
    2n ** 63n - 1n,
    -(2n ** 63n),
    999_999_999n,
    1_000_000_000n,
    2n ** 31n,
    2n ** 32n,
  ),
);

const double = fc.oneof(
  fc.double(),
  fc.constantFrom(0, -0, 5, 0.1, NaN, Infinity, -Infinity, 1e21, 1e-7, Number.MAX_VALUE),
);

/** Every kind of AnyValue, including empty and nested ones. */
export const anyValue: fc.Arbitrary<AnyValue> = fc.letrec<{ value: AnyValue; pair: KeyValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.record({ stringValue: text }),
    fc.record({ boolValue: fc.boolean() }),
    fc.record({ intValue: int64 }),
    fc.record({ doubleValue: double }),
    fc.record({ bytesValue: fc.uint8Array({ maxLength: 12 }) }),
    fc.constant({}),
    fc.record({ arrayValue: fc.record({ values: fc.array(tie('value'), { maxLength: 3 }) }) }),
    fc.record({ kvlistValue: fc.record({ values: fc.array(tie('pair'), { maxLength: 3 }) }) }),
  ),
  pair: fc.record({ key: text, value: tie('value') }),
})).value;

const key = fc.oneof(
  fc.constantFrom(
    'http.response.status_code',
    'http.status_code',
    'exception.type',
    'exception.message',
    '__proto__',
    'a',
    'b',
  ),
  fc.constantFrom(
    'peer.service',
    'db.namespace',
    'db.name',
    'messaging.destination',
    'server.address',
    'net.peer.name',
    'db.system',
    'rpc.system',
  ),
  fc.constantFrom('service.name', 'service.version', 'service.instance.id'),
  text,
);

/** Attribute lists with occasional duplicate keys. */
export const attributes = fc.array(fc.record({ key, value: anyValue }), { maxLength: 6 });

const resource = fc.option(
  fc.record({
    attributes: fc
      .tuple(attributes, fc.option(text), attributes)
      .map(([before, service, after]) => [...before, ...named(service), ...after]),
  }),
  { nil: undefined },
);

function named(service: string | null): KeyValue[] {
  return service === null ? [] : [{ key: 'service.name', value: { stringValue: service } }];
}

const scope = fc.option(fc.record({ name: text, version: text, attributes }), { nil: undefined });

export const id = (size: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength: size, maxLength: size });
/** Ids of which some have the wrong length or are all zero. */
export const looseId = (size: number): fc.Arbitrary<Uint8Array> =>
  fc.oneof(
    { weight: 6, arbitrary: id(size) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 20 }) },
    { weight: 1, arbitrary: fc.constant(new Uint8Array(size)) },
  );

/** Times around NOW_NS, and extreme ones. */
export const NOW_NS = 1_760_000_000_000_000_000n;
export const time = fc.oneof(
  { weight: 8, arbitrary: fc.bigInt({ min: NOW_NS - 3_600_000_000_000n, max: NOW_NS }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(0n, 1n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n, NOW_NS + 86_400_000_000_000n),
  },
);

/** An unsigned 32-bit integer. */
const uint32 = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2 ** 32 - 1 }));

export const span: fc.Arbitrary<Span> = fc.record({
  traceId: looseId(16),
  spanId: looseId(8),
  traceState: text,
  parentSpanId: fc.oneof(fc.constant(new Uint8Array(0)), looseId(8)),
  name: text,
  kind: fc.integer({ min: 0, max: 6 }),
  startTimeUnixNano: time,
  endTimeUnixNano: time,
  attributes,
  droppedAttributesCount: uint32,
  events: fc.array(
    fc.record({
      timeUnixNano: time,
      name: fc.oneof(fc.constant('exception'), text),
      attributes,
      droppedAttributesCount: uint32,
    }),
    { maxLength: 2 },
  ),
  droppedEventsCount: uint32,
  links: fc.array(
    fc.record({
      traceId: looseId(16),
      spanId: looseId(8),
      traceState: text,
      attributes,
      droppedAttributesCount: uint32,
      flags: uint32,
    }),
    { maxLength: 2 },
  ),
  droppedLinksCount: uint32,
  status: fc.option(fc.record({ message: text, code: fc.integer({ min: 0, max: 3 }) }), { nil: undefined }),
  flags: uint32,
});

export const logRecord: fc.Arbitrary<LogRecord> = fc.record({
  timeUnixNano: fc.oneof(fc.constant(0n), time),
  observedTimeUnixNano: fc.oneof(fc.constant(0n), time),
  severityNumber: fc.integer({ min: 0, max: 26 }),
  severityText: text,
  body: fc.option(anyValue, { nil: undefined }),
  attributes,
  droppedAttributesCount: uint32,
  flags: uint32,
  traceId: looseId(16),
  spanId: looseId(8),
  eventName: text,
});

export const traceRequest: fc.Arbitrary<TraceRequest> = fc.record({
  resourceSpans: fc.array(
    fc.record({
      resource,
      scopeSpans: fc.array(fc.record({ scope, spans: fc.array(span, { maxLength: 4 }) }), { maxLength: 2 }),
    }),
    { maxLength: 3 },
  ),
});

export const logRequest: fc.Arbitrary<LogRequest> = fc.record({
  resourceLogs: fc.array(
    fc.record({
      resource,
      scopeLogs: fc.array(fc.record({ scope, logRecords: fc.array(logRecord, { maxLength: 4 }) }), { maxLength: 2 }),
    }),
    { maxLength: 3 },
  ),
});

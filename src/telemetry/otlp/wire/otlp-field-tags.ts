/**
 * Field tags of OTLP 1.x: field number × 8 + wire type, as opentelemetry-proto defines them. A known field with another
 * wire type does not match and is skipped as unknown, as protobuf prescribes.
 */

const varint = (field: number): number => field * 8;
const fixed64 = (field: number): number => field * 8 + 1;
const bytes = (field: number): number => field * 8 + 2;
const fixed32 = (field: number): number => field * 8 + 5;

/** The same for all three signals. */
export const REQUEST = { resourceItems: bytes(1) } as const;
export const RESOURCE_ITEMS = { resource: bytes(1), scopeItems: bytes(2), schemaUrl: bytes(3) } as const;
export const SCOPE_ITEMS = { scope: bytes(1), record: bytes(2), schemaUrl: bytes(3) } as const;
export const RESOURCE = { attribute: bytes(1) } as const;
export const SCOPE = { name: bytes(1), version: bytes(2), attribute: bytes(3), droppedAttributes: varint(4) } as const;
export const KEY_VALUE = { key: bytes(1), value: bytes(2) } as const;
export const ANY_VALUE = {
  string: bytes(1),
  bool: varint(2),
  int: varint(3),
  double: fixed64(4),
  array: bytes(5),
  kvlist: bytes(6),
  bytes: bytes(7),
} as const;
export const ARRAY_VALUE = { value: bytes(1) } as const;
export const KEY_VALUE_LIST = { value: bytes(1) } as const;

export const SPAN = {
  traceId: bytes(1),
  spanId: bytes(2),
  traceState: bytes(3),
  parentSpanId: bytes(4),
  name: bytes(5),
  kind: varint(6),
  start: fixed64(7),
  end: fixed64(8),
  attribute: bytes(9),
  droppedAttributes: varint(10),
  event: bytes(11),
  droppedEvents: varint(12),
  link: bytes(13),
  droppedLinks: varint(14),
  status: bytes(15),
  flags: fixed32(16),
} as const;
export const SPAN_EVENT = {
  time: fixed64(1),
  name: bytes(2),
  attribute: bytes(3),
  droppedAttributes: varint(4),
} as const;
export const SPAN_LINK = {
  traceId: bytes(1),
  spanId: bytes(2),
  traceState: bytes(3),
  attribute: bytes(4),
  droppedAttributes: varint(5),
  flags: fixed32(6),
} as const;
export const STATUS = { message: bytes(2), code: varint(3) } as const;

export const LOG_RECORD = {
  time: fixed64(1),
  severityNumber: varint(2),
  severityText: bytes(3),
  body: bytes(5),
  attribute: bytes(6),
  droppedAttributes: varint(7),
  flags: fixed32(8),
  traceId: bytes(9),
  spanId: bytes(10),
  observedTime: fixed64(11),
  eventName: bytes(12),
} as const;

export const METRIC = {
  name: bytes(1),
  description: bytes(2),
  unit: bytes(3),
  gauge: bytes(5),
  sum: bytes(7),
  histogram: bytes(9),
  exponentialHistogram: bytes(10),
  summary: bytes(11),
  metadata: bytes(12),
} as const;
/** Gauge, Sum, Histogram, ExponentialHistogram and Summary hold their data points in the same field. */
export const METRIC_DATA = { point: bytes(1), temporality: varint(2), monotonic: varint(3) } as const;
/** Fields with the same number in every kind of data point. */
export const POINT = { start: fixed64(2), time: fixed64(3) } as const;
export const NUMBER_POINT = {
  double: fixed64(4),
  exemplar: bytes(5),
  int: fixed64(6),
  attribute: bytes(7),
  flags: varint(8),
} as const;
export const HISTOGRAM_POINT = {
  count: fixed64(4),
  sum: fixed64(5),
  bucketCounts: bytes(6),
  bucketCount: fixed64(6),
  bounds: bytes(7),
  bound: fixed64(7),
  exemplar: bytes(8),
  attribute: bytes(9),
  flags: varint(10),
  min: fixed64(11),
  max: fixed64(12),
} as const;
export const EXPONENTIAL_POINT = {
  attribute: bytes(1),
  count: fixed64(4),
  sum: fixed64(5),
  scale: varint(6),
  zeroCount: fixed64(7),
  positive: bytes(8),
  negative: bytes(9),
  flags: varint(10),
  exemplar: bytes(11),
  min: fixed64(12),
  max: fixed64(13),
  zeroThreshold: fixed64(14),
} as const;
export const BUCKETS = { offset: varint(1), counts: bytes(2), count: varint(2) } as const;
export const SUMMARY_POINT = {
  count: fixed64(4),
  sum: fixed64(5),
  quantile: bytes(6),
  attribute: bytes(7),
  flags: varint(8),
} as const;
export const QUANTILE = { quantile: fixed64(1), value: fixed64(2) } as const;
export const EXEMPLAR = {
  time: fixed64(2),
  double: fixed64(3),
  spanId: bytes(4),
  traceId: bytes(5),
  int: fixed64(6),
  attribute: bytes(7),
} as const;

/** DataPointFlags: the point has no value (its series is stale). */
export const NO_RECORDED_VALUE = 1;

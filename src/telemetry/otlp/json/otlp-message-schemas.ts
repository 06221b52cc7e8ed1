import {
  ANY_VALUE,
  ARRAY_VALUE,
  BUCKETS,
  EXEMPLAR,
  EXPONENTIAL_POINT,
  HISTOGRAM_POINT,
  KEY_VALUE,
  KEY_VALUE_LIST,
  LOG_RECORD,
  METRIC,
  METRIC_DATA,
  NUMBER_POINT,
  POINT,
  QUANTILE,
  REQUEST,
  RESOURCE,
  RESOURCE_ITEMS,
  SCOPE,
  SCOPE_ITEMS,
  SPAN,
  SPAN_EVENT,
  SPAN_LINK,
  STATUS,
  SUMMARY_POINT,
} from '../wire/otlp-field-tags.js';
import type { Signal } from '../../signals.js';

/** How a JSON value is encoded as a protobuf field. `id` and `parentId` are hex, `bytes` is base64. */
export type ScalarType =
  | 'string'
  | 'bool'
  | 'enum'
  | 'uint32'
  | 'sint32'
  | 'fixed32'
  | 'fixed64'
  | 'sfixed64'
  | 'int64'
  | 'uint64'
  | 'double'
  | 'bytes'
  | 'id'
  | 'parentId';

export interface FieldSchema {
  readonly tag: number;
  /** A scalar, or the message that the field holds. */
  readonly type: ScalarType | MessageSchema;
  readonly repeated: boolean;
}

/** A message of the OTLP schema: its fields by their lowerCamelCase JSON names. */
export interface MessageSchema {
  readonly name: string;
  readonly fields: ReadonlyMap<string, FieldSchema>;
}

type FieldDefinitions = Readonly<
  Record<string, readonly [tag: number, type: ScalarType | MessageSchema, repeated?: 'repeated']>
>;

/** Defines a message to which fields may be added later, for recursive types. */
function defineMessage(
  name: string,
  fields: FieldDefinitions,
): MessageSchema & { readonly fields: Map<string, FieldSchema> } {
  return {
    name,
    fields: new Map(
      Object.entries(fields).map(([key, [tag, type, repeated]]) => [
        key,
        { tag, type, repeated: repeated !== undefined },
      ]),
    ),
  };
}

const varint = (field: number): number => field * 8;

export const ANY_VALUE_MESSAGE = defineMessage('AnyValue', {
  stringValue: [ANY_VALUE.string, 'string'],
  boolValue: [ANY_VALUE.bool, 'bool'],
  intValue: [ANY_VALUE.int, 'int64'],
  doubleValue: [ANY_VALUE.double, 'double'],
  bytesValue: [ANY_VALUE.bytes, 'bytes'],
});
const KEY_VALUE_MESSAGE = defineMessage('KeyValue', {
  key: [KEY_VALUE.key, 'string'],
  value: [KEY_VALUE.value, ANY_VALUE_MESSAGE],
});
const ARRAY_VALUE_MESSAGE = defineMessage('ArrayValue', { values: [ARRAY_VALUE.value, ANY_VALUE_MESSAGE, 'repeated'] });
const KEY_VALUE_LIST_MESSAGE = defineMessage('KeyValueList', {
  values: [KEY_VALUE_LIST.value, KEY_VALUE_MESSAGE, 'repeated'],
});
ANY_VALUE_MESSAGE.fields.set('arrayValue', { tag: ANY_VALUE.array, type: ARRAY_VALUE_MESSAGE, repeated: false });
ANY_VALUE_MESSAGE.fields.set('kvlistValue', { tag: ANY_VALUE.kvlist, type: KEY_VALUE_LIST_MESSAGE, repeated: false });

const RESOURCE_MESSAGE = defineMessage('Resource', {
  attributes: [RESOURCE.attribute, KEY_VALUE_MESSAGE, 'repeated'],
  droppedAttributesCount: [varint(2), 'uint32'],
});
const SCOPE_MESSAGE = defineMessage('InstrumentationScope', {
  name: [SCOPE.name, 'string'],
  version: [SCOPE.version, 'string'],
  attributes: [SCOPE.attribute, KEY_VALUE_MESSAGE, 'repeated'],
  droppedAttributesCount: [SCOPE.droppedAttributes, 'uint32'],
});

const SPAN_MESSAGE = defineMessage('Span', {
  traceId: [SPAN.traceId, 'id'],
  spanId: [SPAN.spanId, 'id'],
  traceState: [SPAN.traceState, 'string'],
  parentSpanId: [SPAN.parentSpanId, 'parentId'],
  flags: [SPAN.flags, 'fixed32'],
  name: [SPAN.name, 'string'],
  kind: [SPAN.kind, 'enum'],
  startTimeUnixNano: [SPAN.start, 'fixed64'],
  endTimeUnixNano: [SPAN.end, 'fixed64'],
  attributes: [SPAN.attribute, KEY_VALUE_MESSAGE, 'repeated'],
  droppedAttributesCount: [SPAN.droppedAttributes, 'uint32'],
  events: [
    SPAN.event,
    defineMessage('Event', {
      timeUnixNano: [SPAN_EVENT.time, 'fixed64'],
      name: [SPAN_EVENT.name, 'string'],
      attributes: [SPAN_EVENT.attribute, KEY_VALUE_MESSAGE, 'repeated'],
      droppedAttributesCount: [SPAN_EVENT.droppedAttributes, 'uint32'],
    }),
    'repeated',
  ],
  droppedEventsCount: [SPAN.droppedEvents, 'uint32'],
  links: [
    SPAN.link,
    defineMessage('Link', {
      traceId: [SPAN_LINK.traceId, 'id'],
      spanId: [SPAN_LINK.spanId, 'id'],
      traceState: [SPAN_LINK.traceState, 'string'],
      attributes: [SPAN_LINK.attribute, KEY_VALUE_MESSAGE, 'repeated'],
      droppedAttributesCount: [SPAN_LINK.droppedAttributes, 'uint32'],
      flags: [SPAN_LINK.flags, 'fixed32'],
    }),
    'repeated',
  ],
  droppedLinksCount: [SPAN.droppedLinks, 'uint32'],
  status: [SPAN.status, defineMessage('Status', { message: [STATUS.message, 'string'], code: [STATUS.code, 'enum'] })],
});

const LOG_RECORD_MESSAGE = defineMessage('LogRecord', {
  timeUnixNano: [LOG_RECORD.time, 'fixed64'],
  observedTimeUnixNano: [LOG_RECORD.observedTime, 'fixed64'],
  severityNumber: [LOG_RECORD.severityNumber, 'enum'],
  severityText: [LOG_RECORD.severityText, 'string'],
  body: [LOG_RECORD.body, ANY_VALUE_MESSAGE],
  attributes: [LOG_RECORD.attribute, KEY_VALUE_MESSAGE, 'repeated'],
  droppedAttributesCount: [LOG_RECORD.droppedAttributes, 'uint32'],
  flags: [LOG_RECORD.flags, 'fixed32'],
  traceId: [LOG_RECORD.traceId, 'id'],
  spanId: [LOG_RECORD.spanId, 'id'],
  eventName: [LOG_RECORD.eventName, 'string'],
});

const EXEMPLAR_MESSAGE = defineMessage('Exemplar', {
  filteredAttributes: [EXEMPLAR.attribute, KEY_VALUE_MESSAGE, 'repeated'],
  timeUnixNano: [EXEMPLAR.time, 'fixed64'],
  asDouble: [EXEMPLAR.double, 'double'],
  asInt: [EXEMPLAR.int, 'sfixed64'],
  spanId: [EXEMPLAR.spanId, 'id'],
  traceId: [EXEMPLAR.traceId, 'id'],
});
const POINT_TIMES = { startTimeUnixNano: [POINT.start, 'fixed64'], timeUnixNano: [POINT.time, 'fixed64'] } as const;
const NUMBER_POINT_MESSAGE = defineMessage('NumberDataPoint', {
  ...POINT_TIMES,
  attributes: [NUMBER_POINT.attribute, KEY_VALUE_MESSAGE, 'repeated'],
  asDouble: [NUMBER_POINT.double, 'double'],
  asInt: [NUMBER_POINT.int, 'sfixed64'],
  exemplars: [NUMBER_POINT.exemplar, EXEMPLAR_MESSAGE, 'repeated'],
  flags: [NUMBER_POINT.flags, 'uint32'],
});
const HISTOGRAM_POINT_MESSAGE = defineMessage('HistogramDataPoint', {
  ...POINT_TIMES,
  attributes: [HISTOGRAM_POINT.attribute, KEY_VALUE_MESSAGE, 'repeated'],
  count: [HISTOGRAM_POINT.count, 'fixed64'],
  sum: [HISTOGRAM_POINT.sum, 'double'],
  bucketCounts: [HISTOGRAM_POINT.bucketCounts, 'fixed64', 'repeated'],
  explicitBounds: [HISTOGRAM_POINT.bounds, 'double', 'repeated'],
  exemplars: [HISTOGRAM_POINT.exemplar, EXEMPLAR_MESSAGE, 'repeated'],
  flags: [HISTOGRAM_POINT.flags, 'uint32'],
  min: [HISTOGRAM_POINT.min, 'double'],
  max: [HISTOGRAM_POINT.max, 'double'],
});
const BUCKETS_MESSAGE = defineMessage('Buckets', {
  offset: [BUCKETS.offset, 'sint32'],
  bucketCounts: [BUCKETS.counts, 'uint64', 'repeated'],
});
const EXPONENTIAL_POINT_MESSAGE = defineMessage('ExponentialHistogramDataPoint', {
  ...POINT_TIMES,
  attributes: [EXPONENTIAL_POINT.attribute, KEY_VALUE_MESSAGE, 'repeated'],
  count: [EXPONENTIAL_POINT.count, 'fixed64'],
  sum: [EXPONENTIAL_POINT.sum, 'double'],
  scale: [EXPONENTIAL_POINT.scale, 'sint32'],
  zeroCount: [EXPONENTIAL_POINT.zeroCount, 'fixed64'],
  positive: [EXPONENTIAL_POINT.positive, BUCKETS_MESSAGE],
  negative: [EXPONENTIAL_POINT.negative, BUCKETS_MESSAGE],
  flags: [EXPONENTIAL_POINT.flags, 'uint32'],
  exemplars: [EXPONENTIAL_POINT.exemplar, EXEMPLAR_MESSAGE, 'repeated'],
  min: [EXPONENTIAL_POINT.min, 'double'],
  max: [EXPONENTIAL_POINT.max, 'double'],
  zeroThreshold: [EXPONENTIAL_POINT.zeroThreshold, 'double'],
});
const SUMMARY_POINT_MESSAGE = defineMessage('SummaryDataPoint', {
  ...POINT_TIMES,
  attributes: [SUMMARY_POINT.attribute, KEY_VALUE_MESSAGE, 'repeated'],
  count: [SUMMARY_POINT.count, 'fixed64'],
  sum: [SUMMARY_POINT.sum, 'double'],
  quantileValues: [
    SUMMARY_POINT.quantile,
    defineMessage('ValueAtQuantile', { quantile: [QUANTILE.quantile, 'double'], value: [QUANTILE.value, 'double'] }),
    'repeated',
  ],
  flags: [SUMMARY_POINT.flags, 'uint32'],
});
const TEMPORALITY = { aggregationTemporality: [METRIC_DATA.temporality, 'enum'] } as const;
const METRIC_MESSAGE = defineMessage('Metric', {
  name: [METRIC.name, 'string'],
  description: [METRIC.description, 'string'],
  unit: [METRIC.unit, 'string'],
  gauge: [METRIC.gauge, defineMessage('Gauge', { dataPoints: [METRIC_DATA.point, NUMBER_POINT_MESSAGE, 'repeated'] })],
  sum: [
    METRIC.sum,
    defineMessage('Sum', {
      dataPoints: [METRIC_DATA.point, NUMBER_POINT_MESSAGE, 'repeated'],
      ...TEMPORALITY,
      isMonotonic: [METRIC_DATA.monotonic, 'bool'],
    }),
  ],
  histogram: [
    METRIC.histogram,
    defineMessage('Histogram', {
      dataPoints: [METRIC_DATA.point, HISTOGRAM_POINT_MESSAGE, 'repeated'],
      ...TEMPORALITY,
    }),
  ],
  exponentialHistogram: [
    METRIC.exponentialHistogram,
    defineMessage('ExponentialHistogram', {
      dataPoints: [METRIC_DATA.point, EXPONENTIAL_POINT_MESSAGE, 'repeated'],
      ...TEMPORALITY,
    }),
  ],
  summary: [
    METRIC.summary,
    defineMessage('Summary', { dataPoints: [METRIC_DATA.point, SUMMARY_POINT_MESSAGE, 'repeated'] }),
  ],
  metadata: [METRIC.metadata, KEY_VALUE_MESSAGE, 'repeated'],
});

/** Defines an export request: the outer levels have the same field numbers for every signal but different names. */
function defineExportRequest(signal: string, scopes: string, records: string, record: MessageSchema): MessageSchema {
  const scopeItems = defineMessage(`Scope${signal}`, {
    scope: [SCOPE_ITEMS.scope, SCOPE_MESSAGE],
    [records]: [SCOPE_ITEMS.record, record, 'repeated'],
    schemaUrl: [SCOPE_ITEMS.schemaUrl, 'string'],
  });
  const resourceItems = defineMessage(`Resource${signal}`, {
    resource: [RESOURCE_ITEMS.resource, RESOURCE_MESSAGE],
    [scopes]: [RESOURCE_ITEMS.scopeItems, scopeItems, 'repeated'],
    schemaUrl: [RESOURCE_ITEMS.schemaUrl, 'string'],
  });
  return defineMessage(`Export${signal}ServiceRequest`, {
    [`resource${signal}`]: [REQUEST.resourceItems, resourceItems, 'repeated'],
  });
}

/** Schema of the export request of each signal. */
export const EXPORT_REQUEST_SCHEMAS: Readonly<Record<Signal, MessageSchema>> = {
  traces: defineExportRequest('Spans', 'scopeSpans', 'spans', SPAN_MESSAGE),
  logs: defineExportRequest('Logs', 'scopeLogs', 'logRecords', LOG_RECORD_MESSAGE),
  metrics: defineExportRequest('Metrics', 'scopeMetrics', 'metrics', METRIC_MESSAGE),
};

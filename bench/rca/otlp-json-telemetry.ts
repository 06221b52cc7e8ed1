import { spanKindName } from '../../src/telemetry/span-kind.js';
import type { PlainLog, PlainPoint, PlainSpan } from '../../test/support/naive-rollups.js';

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string };
}

interface Resource {
  readonly resource: { readonly attributes: readonly Attribute[] };
}

interface JsonSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status?: { readonly code?: number };
}

interface JsonLog {
  readonly timeUnixNano: string;
  readonly severityNumber: number;
  readonly body: { readonly stringValue: string };
  readonly traceId?: string;
  readonly spanId?: string;
}

interface JsonMetric {
  readonly name: string;
  readonly unit: string;
  readonly gauge: { readonly dataPoints: readonly { readonly timeUnixNano: string; readonly asDouble: number }[] };
}

interface JsonRequest {
  readonly resourceSpans?: readonly (Resource & {
    readonly scopeSpans: readonly { readonly spans: readonly JsonSpan[] }[];
  })[];
  readonly resourceLogs?: readonly (Resource & {
    readonly scopeLogs: readonly { readonly logRecords: readonly JsonLog[] }[];
  })[];
  readonly resourceMetrics?: readonly (Resource & {
    readonly scopeMetrics: readonly { readonly metrics: readonly JsonMetric[] }[];
  })[];
}

/** A log record, and the trace and span that it names ("" for none). */
export interface RecordedLog extends PlainLog {
  readonly traceId: string;
  readonly spanId: string;
}

export interface PlainBatch {
  readonly spans: PlainSpan[];
  readonly logs: RecordedLog[];
  readonly points: PlainPoint[];
}

/** The subset of OTLP in the recordings: string resource attributes, gauges, text bodies. */
export function parsePlainTelemetry(body: string, templateOf: (logBody: string) => string): PlainBatch {
  const request = JSON.parse(body) as JsonRequest;
  return {
    spans: (request.resourceSpans ?? []).flatMap((group) =>
      group.scopeSpans.flatMap(({ spans }) => spans.map((span) => toPlainSpan(span, group))),
    ),
    logs: (request.resourceLogs ?? []).flatMap((group) =>
      group.scopeLogs.flatMap(({ logRecords }) => logRecords.map((record) => toPlainLog(record, group, templateOf))),
    ),
    points: (request.resourceMetrics ?? []).flatMap((group) =>
      group.scopeMetrics.flatMap(({ metrics }) => metrics.flatMap((metric) => toPlainPoints(metric, group))),
    ),
  };
}

function toPlainSpan(span: JsonSpan, group: Resource): PlainSpan {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentId: span.parentSpanId ?? '',
    service: resourceAttribute(group, 'service.name'),
    operation: span.name,
    kind: spanKindName(span.kind),
    startNs: BigInt(span.startTimeUnixNano),
    endNs: BigInt(span.endTimeUnixNano),
    error: span.status?.code === 2,
    instance: resourceAttribute(group, 'service.instance.id'),
  };
}

function toPlainLog(record: JsonLog, group: Resource, templateOf: (body: string) => string): RecordedLog {
  return {
    service: resourceAttribute(group, 'service.name'),
    timeUs: toMicroseconds(record.timeUnixNano),
    severity: record.severityNumber,
    template: templateOf(record.body.stringValue),
    traceId: record.traceId ?? '',
    spanId: record.spanId ?? '',
  };
}

function toPlainPoints({ name, unit, gauge }: JsonMetric, group: Resource): PlainPoint[] {
  const series = {
    service: resourceAttribute(group, 'service.name'),
    instance: resourceAttribute(group, 'service.instance.id'),
    metric: name,
    unit,
    kind: 'gauge',
    monotonic: false,
    attributes: [],
  } as const;
  return gauge.dataPoints.map((point) => ({
    ...series,
    timeUs: toMicroseconds(point.timeUnixNano),
    value: point.asDouble,
  }));
}

function toMicroseconds(nano: string): number {
  return Number(BigInt(nano) / 1000n);
}

function resourceAttribute({ resource }: Resource, key: string): string {
  return resource.attributes.find((attribute) => attribute.key === key)?.value.stringValue ?? '';
}

import type {
  LogQuery,
  TraceQuery,
  LogDetail,
  LogEntry,
  LogFilterOptions,
  Page,
  SpanDetail,
  SpanEvent,
  SpanEvents,
  SpanSummary,
  SpanTags,
  TelemetryQueries,
  TraceError,
  TraceErrors,
  TraceFilterOptions,
} from '../../src/queries/telemetry/telemetry-query-types.js';
import type { Attributes } from '../../src/telemetry/attributes.js';

export const TRACE_ID = '5b8aa5a2d2c872e8321cf37308d69df2';
export const ROOT_SPAN_ID = '051581bf3cb55c13';
export const CHILD_SPAN_ID = '5fb397be34d26b51';
export const LOG_ID = 'Log_42';

const START = 1_767_225_600_123_456_789n; // 2026-01-01T00:00:00.123456789Z

/** One trace of two spans with one log record and one exception for every Grid; records queries. */
export class FakeTelemetry implements TelemetryQueries {
  readonly asked: { readonly name: keyof TelemetryQueries; readonly with: readonly unknown[] }[] = [];

  readonly root: SpanDetail = {
    traceId: TRACE_ID,
    spanId: ROOT_SPAN_ID,
    parentSpanId: null,
    serviceName: 'checkout',
    operationName: 'POST /orders',
    spanKind: 'SERVER',
    status: 'ERROR',
    statusMessage: 'card declined',
    start: START,
    end: START + 1_500_999_999n,
    durationMs: 1500,
    attributes: attributes({ 'http.status_code': 500, 'http.route': '/orders', ['__proto__']: 'data' }),
    statusCode: 'ERROR',
    traceState: 'vendor=1',
    flags: 257,
    scope: { name: 'shop', version: '1.2', attributes: attributes({ team: 'pay' }) },
    links: [
      {
        traceId: 'aa'.repeat(16),
        spanId: 'bb'.repeat(8),
        traceState: '',
        flags: 1,
        attributes: attributes({ why: 'batch' }),
        droppedAttributesCount: 1,
      },
    ],
    droppedAttributesCount: 2,
    droppedEventsCount: 3,
    droppedLinksCount: 4,
  };

  readonly child: SpanDetail = {
    ...this.root,
    spanId: CHILD_SPAN_ID,
    parentSpanId: ROOT_SPAN_ID,
    serviceName: 'payment',
    operationName: 'charge',
    spanKind: 'CLIENT',
    status: 'OK',
    statusCode: 'UNSET',
    statusMessage: '',
    durationMs: 20,
    attributes: attributes({}),
  };

  readonly event: SpanEvent = {
    name: 'retry',
    time: START + 5_000_000n,
    attributes: attributes({ attempt: 2 }),
    droppedAttributesCount: 1,
  };

  readonly error: TraceError = {
    time: START + 9_000_000n,
    spanId: ROOT_SPAN_ID,
    serviceName: 'checkout',
    exceptionType: 'CardDeclined',
    message: 'no funds',
    stackTrace: 'at pay',
    attributes: attributes({ 'exception.type': 'CardDeclined' }),
  };

  readonly entry: LogDetail = {
    id: LOG_ID,
    time: START,
    severityLevel: 'Error',
    severityNumber: 17,
    body: 'order failed',
    serviceName: 'checkout',
    traceId: TRACE_ID,
    spanId: ROOT_SPAN_ID,
    attributes: attributes({ order: 'o-1' }),
    resource: attributes({ 'service.name': 'checkout' }),
    scope: { name: 'shop', version: '1.2', attributes: attributes({ team: 'pay' }) },
    eventName: 'order.failed',
    severityText: 'ERR',
    observedTime: START + 7_000_000n,
    flags: 1,
    droppedAttributesCount: 5,
  };

  async findTraces(question: TraceQuery): Promise<Page<SpanSummary>> {
    this.note('findTraces', question);
    return { items: [this.root], totalCount: 41 };
  }

  async spanDetail(gridId: string, spanId: string): Promise<SpanDetail | undefined> {
    this.note('spanDetail', gridId, spanId);
    return [this.root, this.child].find((span) => span.spanId === spanId);
  }

  async spanEvents(gridId: string, spanId: string): Promise<SpanEvents | undefined> {
    this.note('spanEvents', gridId, spanId);
    return spanId === ROOT_SPAN_ID ? { events: [this.event] } : undefined;
  }

  async spanTags(gridId: string, spanId: string): Promise<SpanTags | undefined> {
    this.note('spanTags', gridId, spanId);
    return spanId === ROOT_SPAN_ID ? { tags: this.root.attributes } : undefined;
  }

  async traceSpans(gridId: string, traceId: string): Promise<readonly SpanSummary[] | undefined> {
    this.note('traceSpans', gridId, traceId);
    return traceId === TRACE_ID ? [this.root, this.child] : undefined;
  }

  async traceLogs(gridId: string, traceId: string): Promise<readonly LogEntry[] | undefined> {
    this.note('traceLogs', gridId, traceId);
    return traceId === TRACE_ID ? [this.entry] : undefined;
  }

  async traceErrors(gridId: string, traceId: string): Promise<TraceErrors | undefined> {
    this.note('traceErrors', gridId, traceId);
    return traceId === TRACE_ID ? { errors: [this.error] } : undefined;
  }

  async traceFilterOptions(gridId: string): Promise<TraceFilterOptions> {
    this.note('traceFilterOptions', gridId);
    return {
      serviceNames: ['checkout'],
      operationNames: ['charge'],
      statusValues: ['OK', 'ERROR'],
      tagKeys: ['http.route'],
    };
  }

  async findLogs(question: LogQuery): Promise<Page<LogEntry>> {
    this.note('findLogs', question);
    return { items: [this.entry], totalCount: 7 };
  }

  async logDetail(gridId: string, id: string): Promise<LogDetail | undefined> {
    this.note('logDetail', gridId, id);
    return id === LOG_ID || id === ROOT_SPAN_ID ? this.entry : undefined;
  }

  async logFilterOptions(gridId: string): Promise<LogFilterOptions> {
    this.note('logFilterOptions', gridId);
    return { severityLevels: ['Error'], serviceNames: ['checkout'], attributeKeys: ['order'] };
  }

  private note(name: keyof TelemetryQueries, ...values: readonly unknown[]): void {
    this.asked.push({ name, with: values });
  }
}

function attributes(entries: Attributes): Attributes {
  const copy: Attributes = Object.create(null);
  for (const [key, value] of Object.entries(entries)) copy[key] = value;
  return copy;
}

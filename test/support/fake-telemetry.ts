import type {
  FoundTrace,
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
  AttributeText,
  HeldAttributesQuery,
  TraceFilterOptions,
} from '../../src/queries/telemetry/telemetry-query-types.js';
import type {
  ErrorGroupDetail,
  ErrorGroupPage,
  ErrorGroupQuery,
  ErrorGroupsQuery,
  ErrorGroupLookup,
  KnownErrorGroup,
} from '../../src/queries/errors/error-group-query-types.js';
import type { TraceComparison } from '../../src/queries/traces/trace-comparison-types.js';
import type { DifferencesAnswer, DifferencesQuery, Query, QueryAnswer } from '../../src/queries/query/query-model.js';
import type { Attributes } from '../../src/telemetry/attributes.js';

export const TRACE_ID = '5b8aa5a2d2c872e8321cf37308d69df2';
export const BASELINE_TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
export const ROOT_SPAN_ID = '051581bf3cb55c13';
export const CHILD_SPAN_ID = '5fb397be34d26b51';
export const LOG_ID = 'Log_42';
export const ERROR_GROUP_ID = 'bcebdbf30788a659792c6a3491b73ded';

const START = 1_767_225_600_123_456_789n; // 2026-01-01T00:00:00.123456789Z

const COMPARED = { serviceName: 'checkout', operationName: 'POST /orders', start: START, spanCount: 2, errorCount: 1 };
const FIGURES = { count: 1, errorCount: 1, durationNs: 1_840_000_001, selfTimeNs: 300_000_000 };
const COMPARISON: TraceComparison = {
  current: { traceId: TRACE_ID, ...COMPARED, durationNs: 1_840_000_001 },
  baseline: { traceId: BASELINE_TRACE_ID, ...COMPARED, durationNs: 240_000_000 },
  paths: [
    {
      ...{ depth: 0, serviceName: 'checkout', operationName: 'POST /orders' },
      current: FIGURES,
      baseline: { count: 1, errorCount: 0, durationNs: 240_000_000, selfTimeNs: 340_000_000 },
    },
    {
      ...{ depth: 1, serviceName: 'payment', operationName: 'charge' },
      current: FIGURES,
      baseline: { count: 0, errorCount: 0, durationNs: 0, selfTimeNs: 0 },
    },
  ],
  errors: [
    {
      ...{ groupId: ERROR_GROUP_ID, serviceName: 'payment', exceptionType: 'CardDeclined' },
      ...{ messagePattern: 'no funds on card *', currentCount: 1, baselineCount: 0 },
    },
  ],
  damagedRecords: 1,
};

export const ERROR_GROUP: ErrorGroupDetail = {
  groupId: ERROR_GROUP_ID,
  type: 'CardDeclined',
  messagePattern: 'no funds on card *',
  topFrames: ['charge (pay.js)'],
  count: 3,
  firstSeenUs: Number(START / 1000n),
  lastSeenUs: Number(START / 1000n) + 2,
  firstVersion: '2.4.0',
  versions: [{ name: '2.4.0', count: 3 }],
  services: [{ name: 'checkout', count: 3 }],
  sampleTraces: [{ traceId: TRACE_ID, timeUs: Number(START / 1000n) }],
  isNew: true,
  status: 'reopened',
  resolvedAtUs: Number(START / 1000n) + 1,
  resolvedBy: 'owner',
  resolvedInVersion: '2.4.1',
  reopenedAtUs: Number(START / 1000n) + 2,
  stepSeconds: 60,
  steps: [{ timeUs: Number(START / 1000n), count: 3, versions: [{ name: '2.4.0', count: 3 }] }],
  sample: {
    message: 'no funds on card 17',
    stackTrace: 'at charge (/app/pay.js:1:1)',
    serviceName: 'checkout',
    version: '2.4.0',
    traceId: TRACE_ID,
    spanId: ROOT_SPAN_ID,
    timeUs: Number(START / 1000n),
  },
};

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

  async runQuery(query: Query, queryId: string): Promise<QueryAnswer> {
    this.note('runQuery', query, queryId);
    return { columns: [{ name: 'count', type: 'number', unit: '' }], rows: [[41]], totalRows: 1, exact: true };
  }

  async findDifferences(query: DifferencesQuery, queryId: string): Promise<DifferencesAnswer> {
    this.note('findDifferences', query, queryId);
    const values = [{ value: '2.4.0', inSelection: 40, outside: 1 }];
    const attributes = [{ field: 'service.version', values, score: 0.9 }];
    return { attributes, inSelection: 41, outside: 100, compared: 7, exact: true };
  }

  async findErrorGroups(query: ErrorGroupsQuery, queryId: string): Promise<ErrorGroupPage> {
    this.note('findErrorGroups', query, queryId);
    const { stepSeconds: _length, steps: _steps, sample: _sample, ...group } = ERROR_GROUP;
    return { groups: [group], totalCount: 1, exceptionCount: 3 };
  }

  async readErrorGroup(query: ErrorGroupQuery, queryId: string): Promise<ErrorGroupDetail | undefined> {
    this.note('readErrorGroup', query, queryId);
    return query.groupId === ERROR_GROUP_ID ? ERROR_GROUP : undefined;
  }

  async lookUpErrorGroup(query: ErrorGroupLookup, queryId: string): Promise<KnownErrorGroup | undefined> {
    this.note('lookUpErrorGroup', query, queryId);
    return query.groupId === ERROR_GROUP_ID ? { versions: ['2.4.0'], isResolved: false } : undefined;
  }

  async cancelQuery(queryId: string): Promise<void> {
    this.note('cancelQuery', queryId);
  }

  async findTraces(question: TraceQuery): Promise<Page<FoundTrace>> {
    this.note('findTraces', question);
    return { items: [{ ...this.root, rootArrived: true }], totalCount: 41 };
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

  async compareTraces(gridId: string, traceId: string, baselineTraceId: string): Promise<TraceComparison | undefined> {
    this.note('compareTraces', gridId, traceId, baselineTraceId);
    return traceId === TRACE_ID ? COMPARISON : undefined;
  }

  async findHeldAttributes(query: HeldAttributesQuery): Promise<readonly AttributeText[]> {
    this.note('findHeldAttributes', query);
    return [];
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

import type {
  AlertQuery,
  ErrorAlertRule,
  QueryAlertRule,
} from '../../../../src/diagnostics/alerting/alert-rule-model.js';
import { MINUTE_MS } from '../../../../src/diagnostics/time-windows.js';
import type { GivenLog, GivenSpan } from '../telemetry/support/requests.js';

/** A whole minute. */
export const T0 = 1_760_000_040_000;

export function after(minutes: number): number {
  return T0 + minutes * MINUTE_MS;
}

/** Counts error logs with "timeout", over a minute. */
export function queryRule(query: Partial<AlertQuery> = {}, changes: Partial<QueryAlertRule> = {}): QueryAlertRule {
  return {
    id: 'r',
    name: 'Timeouts',
    query: {
      signal: 'logs',
      where: 'timeout',
      groupBy: [],
      select: [{ fn: 'count', field: '', as: '' }],
      ...query,
    },
    operator: '>=',
    threshold: 3,
    severity: 'warning',
    windowMinutes: 1,
    forMinutes: 0,
    minRequests: 0,
    enabled: true,
    ...changes,
  };
}

/** Fires for each new or reopened error group, over two minutes. */
export function errorRule(changes: Partial<ErrorAlertRule> = {}): ErrorAlertRule {
  const { query: _query, ...common } = queryRule();
  return { ...common, id: 'e', name: 'New errors', metric: 'new_errors', threshold: 1, windowMinutes: 2, ...changes };
}

/** Log records, so many seconds after a minute. */
export function logs(minute: number, count: number, attributes: GivenLog['attributes'] = {}): GivenLog[] {
  return Array.from({ length: count }, (_, i) => ({
    time: BigInt(after(minute) + 1_000 + i) * 1_000_000n,
    body: `timeout ${i}`,
    service: 'checkout',
    severity: 17,
    attributes,
  }));
}

interface GivenException {
  readonly type?: string;
  readonly service?: string;
  readonly version?: string;
  /** Seconds after the minute. */
  readonly second?: number;
}

/** A log record with an exception. */
export function failedLog(
  minute: number,
  { type = 'Timeout', service = 'checkout', version = '1', second = 30 }: GivenException = {},
): GivenLog {
  const time = BigInt(after(minute) + second * 1_000) * 1_000_000n;
  const resource = { 'service.version': version };
  return { time, body: 'failed', severity: 17, service, resource, attributes: { 'exception.type': type } };
}

/** A span that ends in the middle of a minute, with an exception at its beginning. */
export function failedSpan(
  minute: number,
  ms: number,
  { type = 'Timeout', service = 'checkout', version = '1' }: GivenException = {},
): GivenSpan {
  const span = spanEnding(minute, ms, { service, resource: { 'service.version': version } });
  return { ...span, events: [{ name: 'exception', time: span.start, attributes: { 'exception.type': type } }] };
}

let spans = 0;

/** A span that ends in the middle of a minute. */
export function spanEnding(minute: number, ms: number, changes: Partial<GivenSpan> = {}): GivenSpan {
  spans += 1;
  const end = BigInt(after(minute) + 30_000) * 1_000_000n;
  return {
    traceId: spans.toString(16).padStart(32, '0'),
    spanId: spans.toString(16).padStart(16, '0'),
    service: 'checkout',
    operation: 'POST /pay',
    kind: 2,
    start: end - BigInt(ms) * 1_000_000n,
    end,
    ...changes,
  };
}

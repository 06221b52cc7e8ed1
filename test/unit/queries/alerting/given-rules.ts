import type { AlertQuery, QueryAlertRule } from '../../../../src/diagnostics/alerting/alert-rule-model.js';
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

import type { DiagnosticsInput } from '../../src/diagnostics/diagnostics-input.js';
import { addRequestMetrics } from '../../src/diagnostics/requests/request-rollup-merge.js';
import type { MetricRollup, MetricSeriesRollup, TimeBucket } from '../../src/diagnostics/rollups/rollup-types.js';
import type { PlainSpan } from '../../test/support/naive-rollups.js';

/** Requests or calls of one kind in one step. */
interface Sum {
  readonly service: string;
  readonly metric: string;
  readonly attributes: readonly (readonly [string, string])[];
  readonly step: number;
  count: number;
  seconds: number;
}

/**
 * The rollups that a system gives which sends request metrics only: counts and sums of durations (no distributions)
 * of the requests and calls in each step of so many minutes, divided among its minutes as the service divides them.
 */
export function toRequestMetrics(
  spans: readonly PlainSpan[],
  stepMinutes: number,
): Pick<DiagnosticsInput, 'grids' | 'services'> {
  const metrics = sumSteps(spans, stepMinutes).flatMap((sum) => divideSum(sum, stepMinutes));
  return addRequestMetrics(
    { grids: [], services: [] },
    { metrics: joinServices(metrics), spans: [], apdexThresholdMs: 500 },
  );
}

function sumSteps(spans: readonly PlainSpan[], stepMinutes: number): Sum[] {
  const sums = new Map<string, Sum>();
  for (const span of spans) {
    const { metric, attributes } = describeSpan(span);
    const step = Math.floor(Number(span.endNs / 60_000_000_000n) / stepMinutes);
    const key = JSON.stringify([span.service, metric, attributes, step]);
    const sum = sums.get(key) ?? { service: span.service, metric, attributes, step, count: 0, seconds: 0 };
    sums.set(key, sum);
    sum.count++;
    sum.seconds += Number(span.endNs - span.startNs) / 1e9;
  }
  return [...sums.values()];
}

function describeSpan({ kind, operation, peer = '', error }: PlainSpan): Pick<Sum, 'metric' | 'attributes'> {
  const failure: [string, string][] = error ? [['error.type', '500']] : [];
  if (kind === 'SERVER')
    return { metric: 'http.server.request.duration', attributes: [...failure, ['http.route', operation]] };
  const metric = operation === 'SELECT' ? 'db.client.operation.duration' : 'http.client.request.duration';
  return { metric, attributes: [...failure, ['server.address', peer]] };
}

/** The minutes of a step, in whole observations. */
function divideSum({ service, metric, attributes, step, count, seconds }: Sum, stepMinutes: number) {
  const from = step * stepMinutes;
  return Array.from({ length: stepMinutes }, (_, i) => {
    const part = Math.floor(((i + 1) * count) / stepMinutes) - Math.floor((i * count) / stepMinutes);
    const series: MetricSeriesRollup = {
      metric,
      unit: 's',
      kind: 'histogram',
      monotonic: true,
      instance: '',
      attributes,
      points: 1,
      sum: (seconds * part) / count,
      count: part,
      min: NaN,
      max: NaN,
      last: 0,
      lastUs: (from + i) * 60e6,
      buckets: [],
      quantiles: [],
      exemplars: [],
    };
    return { minute: from + i, service, series };
  }).filter(({ series: { count: observations } }) => observations > 0);
}

function joinServices(
  parts: readonly { readonly minute: number; readonly service: string; readonly series: MetricSeriesRollup }[],
): TimeBucket<MetricRollup>[] {
  const joined = new Map<string, { minute: number; service: string; series: MetricSeriesRollup[] }>();
  for (const { minute, service, series } of parts) {
    const key = `${minute} ${service}`;
    const rollup = joined.get(key) ?? { minute, service, series: [] };
    joined.set(key, rollup);
    rollup.series.push(series);
  }
  return [...joined.values()]
    .sort((a, b) => a.minute - b.minute || (a.service < b.service ? -1 : 1))
    .map(({ minute, service, series }) => ({ minute, minutes: 1, value: { service, series } }));
}

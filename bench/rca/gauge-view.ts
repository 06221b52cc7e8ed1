import type { PlainPoint, PlainSpan } from '../../test/support/naive-rollups.js';

const MINUTE_NS = 60_000_000_000n;

/**
 * What a system without conventions reports once a minute for each service: the 90th percentile of how long its
 * requests and its own calls took, the share of requests that failed, and their number.
 */
export function toGauges(spans: readonly PlainSpan[]): PlainPoint[] {
  const groups = new Map<string, PlainSpan[]>();
  for (const span of spans) {
    const key = `${span.kind === 'SERVER' ? 'server' : 'client'} ${span.service} ${span.endNs / MINUTE_NS}`;
    groups.set(key, [...(groups.get(key) ?? []), span]);
  }
  return [...groups.values()].flatMap(describeMinute);
}

function describeMinute(spans: readonly PlainSpan[]): PlainPoint[] {
  const [{ service, kind, endNs }] = spans;
  const durations = spans.map((span) => Number(span.endNs - span.startNs) / 1e6).sort((a, b) => a - b);
  const p90 = durations[Math.ceil(0.9 * durations.length) - 1];
  const toPoint = (metric: string, unit: string, value: number): PlainPoint => ({
    service,
    instance: '',
    metric,
    unit,
    kind: 'gauge',
    monotonic: false,
    attributes: [],
    timeUs: Number(endNs / MINUTE_NS) * 60e6 + 30e6,
    value,
  });
  if (kind !== 'SERVER') return [toPoint('proxy.client_latency_p90', 'ms', p90)];
  const failed = spans.filter(({ error }) => error).length;
  return [
    toPoint('proxy.server_latency_p90', 'ms', p90),
    toPoint('proxy.error_rate', '%', (100 * failed) / spans.length),
    toPoint('proxy.workload', '{request}/min', spans.length),
  ];
}

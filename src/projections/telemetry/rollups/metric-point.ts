import { normalizeBuckets } from '../../../diagnostics/rollups/distribution-sums.js';
import { METRIC_KINDS, type MetricKind } from '../../../diagnostics/rollups/rollup-types.js';
import type { HistogramBuckets, Exemplar, QuantileValue } from '../../../telemetry/metric-distributions.js';
import { TEMPORALITY_DELTA, type MetricColumns } from '../../../telemetry/columns/metric-batch-columns.js';

/** Who sends, see MetricSourceDocument. */
export interface MetricSource {
  readonly service: string;
  readonly instance: string;
  readonly resource: string;
  /** All of it in one. */
  readonly key: string;
}

/** A data point with its names. */
export interface MetricPoint {
  readonly source: MetricSource;
  readonly metric: string;
  readonly unit: string;
  readonly kind: MetricKind;
  readonly monotonic: boolean;
  /** It tells what came together since its start, not since the point before. */
  readonly cumulative: boolean;
  /** It tells what came since the point before. */
  readonly delta: boolean;
  readonly attributes: string;
  readonly timeUs: number;
  readonly startUs: number;
  readonly value: number;
  readonly observations: number;
  readonly min: number;
  readonly max: number;
  /** As keptBuckets gives them; undefined where it tells none. */
  readonly buckets: HistogramBuckets | undefined;
  /** Both as MetricColumns has them. */
  readonly quantiles: readonly QuantileValue[];
  readonly exemplars: readonly Exemplar[];
}

const NONE: readonly never[] = [];

/**
 * Whatever does not say that it is delta is cumulative: so are summaries, by their definition, and it is the default of
 * SDKs. Values of gauges and of sums that may fall stand for themselves.
 */
export function readPoint(columns: MetricColumns, row: number, source: MetricSource): MetricPoint {
  const { strings } = columns;
  const kind = METRIC_KINDS[columns.kind[row]];
  const monotonic = columns.monotonic[row] === 1;
  const addsUp = kind !== 'gauge' && (kind !== 'sum' || monotonic);
  const isDelta = columns.temporality[row] === TEMPORALITY_DELTA;
  return {
    source,
    metric: strings.text(columns.metric[row]),
    unit: strings.text(columns.unit[row]),
    kind,
    monotonic,
    cumulative: addsUp && !isDelta,
    delta: addsUp && isDelta,
    attributes: strings.text(columns.attributes[row]),
    timeUs: columns.timeUs[row],
    startUs: columns.startUs[row],
    value: columns.value[row],
    observations: columns.observations[row],
    min: columns.min[row],
    max: columns.max[row],
    buckets: readBuckets(columns, row),
    quantiles: columns.quantiles[row] ?? NONE,
    exemplars: columns.exemplars[row] ?? NONE,
  };
}

function readBuckets({ buckets }: MetricColumns, row: number): HistogramBuckets | undefined {
  const told = buckets[row];
  return told === undefined ? undefined : normalizeBuckets(told);
}

/** The source of a row: that of all rows with its resource. */
export function readSource(
  { strings, service, resource, resourceInstances, resourceTokens }: MetricColumns,
  row: number,
): MetricSource {
  const index = resource[row];
  return createMetricSource(
    strings.text(service[row]),
    strings.text(resourceInstances[index]),
    hashResource(resourceTokens[index]),
  );
}

export function createMetricSource(service: string, instance: string, resource: string): MetricSource {
  return { service, instance, resource, key: JSON.stringify([service, instance, resource]) };
}

/** Hash of a resource's attributes, whatever their order: sums of their tokens. */
function hashResource({ tokens, checks }: { readonly tokens: Uint32Array; readonly checks: Uint16Array }): string {
  let low = 0;
  let high = 0;
  for (let i = 0; i < tokens.length; i++) {
    low = (low + tokens[i]) >>> 0;
    high = (high + Math.imul(checks[i] + 1, tokens[i])) >>> 0;
  }
  return `${high.toString(16)}.${low.toString(16)}`;
}

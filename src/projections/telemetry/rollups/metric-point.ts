import { normalizeBuckets } from '../../../diagnostics/rollups/distribution-sums.js';
import { METRIC_KINDS, type MetricKind } from '../../../diagnostics/rollups/rollup-types.js';
import type { HistogramBuckets, Exemplar, QuantileValue } from '../../../telemetry/metric-distributions.js';
import { TEMPORALITY_DELTA, type MetricColumns } from '../../../telemetry/columns/metric-batch-columns.js';

/** The sender of a series, see MetricSourceDocument. */
export interface MetricSource {
  readonly service: string;
  readonly instance: string;
  readonly resource: string;
  /** Unique key of the three names. */
  readonly key: string;
}

/** A data point with its names resolved. */
export interface MetricPoint {
  readonly source: MetricSource;
  readonly metric: string;
  readonly unit: string;
  readonly kind: MetricKind;
  readonly monotonic: boolean;
  /** The value covers everything since the start, not since the previous point. */
  readonly cumulative: boolean;
  /** The value covers everything since the previous point. */
  readonly delta: boolean;
  readonly attributes: string;
  readonly timeUs: number;
  /** Nanoseconds of the time beyond `timeUs`, 0 to 999. */
  readonly timeNs: number;
  readonly startUs: number;
  readonly value: number;
  readonly observations: number;
  readonly min: number;
  readonly max: number;
  /** Normalised, see normalizeBuckets; undefined if none are reported. */
  readonly buckets: HistogramBuckets | undefined;
  /** Both as in MetricColumns. */
  readonly quantiles: readonly QuantileValue[];
  readonly exemplars: readonly Exemplar[];
}

const NONE: readonly never[] = [];

/**
 * Points without a declared delta temporality are cumulative: so are summaries by definition, and it is the default of
 * SDKs. Values of gauges and of non-monotonic sums stand for themselves.
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
    timeNs: columns.timeNs[row],
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
  const reported = buckets[row];
  return reported === undefined ? undefined : normalizeBuckets(reported);
}

/** The source of a row, which is the same for all rows of a resource. */
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

/** Order-independent hash of a resource's attributes: sums of their tokens. */
function hashResource({ tokens, checks }: { readonly tokens: Uint32Array; readonly checks: Uint16Array }): string {
  let low = 0;
  let high = 0;
  for (let i = 0; i < tokens.length; i++) {
    low = (low + tokens[i]) >>> 0;
    high = (high + Math.imul(checks[i] + 1, tokens[i])) >>> 0;
  }
  return `${high.toString(16)}.${low.toString(16)}`;
}

import type { MetricKind } from '../../../diagnostics/rollups.js';
import { TEMPORALITY_DELTA, type MetricColumns } from '../../../telemetry/metric-columns.js';

/** By `kind` of MetricColumns. */
const KINDS: readonly MetricKind[] = ['gauge', 'sum', 'histogram', 'exponential_histogram', 'summary'];

/** A data point with its names. */
export interface MetricPoint {
  readonly service: string;
  readonly instance: string;
  /** See MetricSourceDocument. */
  readonly resource: string;
  readonly metric: string;
  readonly unit: string;
  readonly kind: MetricKind;
  readonly monotonic: boolean;
  /** It tells what came together since its start, not since the point before. */
  readonly cumulative: boolean;
  readonly attributes: string;
  readonly timeUs: number;
  readonly startUs: number;
  readonly value: number;
  readonly observations: number;
  readonly min: number;
  readonly max: number;
}

/**
 * Whatever does not say that it is delta is cumulative: so are summaries, by their definition, and it is the default of
 * SDKs. Values of gauges and of sums that may fall stand for themselves.
 */
export function pointAt(columns: MetricColumns, row: number, resource: string): MetricPoint {
  const { strings } = columns;
  const kind = KINDS[columns.kind[row]];
  const monotonic = columns.monotonic[row] === 1;
  return {
    service: strings.text(columns.service[row]),
    instance: strings.text(columns.resourceInstances[columns.resource[row]]),
    resource,
    metric: strings.text(columns.metric[row]),
    unit: strings.text(columns.unit[row]),
    kind,
    monotonic,
    cumulative: kind !== 'gauge' && (kind !== 'sum' || monotonic) && columns.temporality[row] !== TEMPORALITY_DELTA,
    attributes: strings.text(columns.attributes[row]),
    timeUs: columns.timeUs[row],
    startUs: columns.startUs[row],
    value: columns.value[row],
    observations: columns.observations[row],
    min: columns.min[row],
    max: columns.max[row],
  };
}

/** Hash of a resource's attributes, whatever their order: sums of their tokens. */
export function resourceHash({ tokens, checks }: { readonly tokens: Uint32Array; readonly checks: Uint16Array }): string {
  let low = 0;
  let high = 0;
  for (let i = 0; i < tokens.length; i++) {
    low = (low + tokens[i]) >>> 0;
    high = (high + Math.imul(checks[i] + 1, tokens[i])) >>> 0;
  }
  return `${high.toString(16)}.${low.toString(16)}`;
}

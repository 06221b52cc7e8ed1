import type { SeriesPoint } from './change-points.js';
import { selectOverlapping } from '../request-measures.js';
import { sumMeasures } from '../rollups/rollup-sums.js';
import type { GridRollup, Measures, TimeBucket } from '../rollups/rollup-types.js';
import { MINUTE_MS, type AnalysisWindows, type TimeWindow } from '../time-windows.js';

/** Senders batch for some seconds, so a minute is complete only this long after its end. */
const SENDER_DELAY_MS = 30_000;

const SLOW_PERCENTILE = 90;

/** Sampling for the latency threshold: blocks of BLOCK_LENGTH buckets, one every BLOCK_INTERVAL buckets. */
const BLOCK_LENGTH = 4;
const BLOCK_INTERVAL = 12;

/** The requests of one service in consecutive time buckets of one length. */
export interface RequestSeries {
  readonly service: string;
  /** Start of the first bucket, and length of each. */
  readonly fromMs: number;
  readonly bucketMs: number;
  /** Window of the analysis; the first and the last bucket may extend beyond it. */
  readonly window: TimeWindow;
  /** By bucket; undefined without requests. */
  readonly requests: readonly (Measures | undefined)[];
}

/** Series of every service over window and baseline up to `nowMs`; hourly if any input bucket is an hour. */
export function buildRequestSeries(
  grids: readonly TimeBucket<GridRollup>[],
  { nowMs, current, baseline }: AnalysisWindows,
): readonly RequestSeries[] {
  const toMs = Math.min(current.toMs, nowMs);
  const overlapping = selectOverlapping(grids, { fromMs: baseline.fromMs, toMs });
  const bucketMs = overlapping.reduce((longest, { minutes }) => Math.max(longest, minutes), 1) * MINUTE_MS;
  const fromMs = Math.floor(baseline.fromMs / bucketMs) * bucketMs;
  const byService = new Map<string, Measures[][]>();
  for (const { minute, value } of overlapping) {
    const at = Math.floor((minute * MINUTE_MS - fromMs) / bucketMs);
    for (const totals of value.services) {
      const parts = byService.get(totals.service) ?? [];
      byService.set(totals.service, parts);
      (parts[at] ??= []).push(totals);
    }
  }
  const length = Math.ceil((toMs - fromMs) / bucketMs);
  const window = { fromMs: baseline.fromMs, toMs: current.toMs };
  return [...byService].map(([service, parts]) => ({
    service,
    fromMs,
    bucketMs,
    window,
    requests: Array.from({ length }, (_, i) => sumParts(parts[i])),
  }));
}

function sumParts(parts: readonly Measures[] | undefined): Measures | undefined {
  return parts === undefined || parts.length === 1 ? parts?.[0] : sumMeasures(parts);
}

/**
 * Requests per minute. Silence counts as 0, except for buckets before the service was first seen and the newest ones,
 * which may be incomplete.
 */
export function ratePoints(
  { fromMs, bucketMs, window, requests }: RequestSeries,
  firstMs: number,
  nowMs: number,
): SeriesPoint[] {
  return requests.map((measures, i) => {
    const startMs = Math.max(fromMs + i * bucketMs, window.fromMs);
    const endMs = Math.min(fromMs + (i + 1) * bucketMs, window.toMs);
    if (startMs < firstMs || endMs + SENDER_DELAY_MS > nowMs) return { sum: 0, weight: 0 };
    return { sum: measures?.count ?? 0, weight: (endMs - startMs) / MINUTE_MS };
  });
}

/** Errors among requests. Buckets without requests have no weight. */
export function errorPoints({ requests }: RequestSeries): SeriesPoint[] {
  return requests.map((measures) => ({ sum: measures?.errors ?? 0, weight: measures?.count ?? 0 }));
}

/**
 * Requests slower than the usual 90th percentile, among all requests: sensitive to a slowdown of few as well as all
 * requests, and robust to outliers.
 */
export function slowRequestPoints({ requests }: RequestSeries): SeriesPoint[] {
  const slow = typicalSlowLatency(requests.filter((measures) => measures !== undefined));
  return requests.map((measures) => ({ sum: measures?.latency.countAbove(slow) ?? 0, weight: measures?.count ?? 0 }));
}

/**
 * Lower quartile of the p90 over blocks of the series, so that a slowdown of most of the window does not become the
 * usual level.
 */
function typicalSlowLatency(requests: readonly Measures[]): number {
  const blocks = Array.from({ length: Math.ceil(requests.length / BLOCK_INTERVAL) }, (_, i) =>
    sumMeasures(requests.slice(i * BLOCK_INTERVAL, i * BLOCK_INTERVAL + BLOCK_LENGTH)),
  );
  const percentiles = blocks.map(({ latency }) => latency.percentile(SLOW_PERCENTILE)).sort((a, b) => a - b);
  return percentiles.at(Math.floor(percentiles.length / 4)) ?? 0;
}

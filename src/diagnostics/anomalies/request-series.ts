import type { SeriesPoint } from './change-points.js';
import { selectOverlapping } from '../request-measures.js';
import { sumMeasures } from '../rollups/rollup-sums.js';
import type { GridRollup, Measures, TimeBucket } from '../rollups/rollup-types.js';
import { MINUTE_MS, type AnalysisWindows, type TimeWindow } from '../time-windows.js';

/** Senders batch for some seconds, so the newest minute is not whole before this long after its end. */
const SENDING_MS = 30_000;

const SLOW_PERCENTILE = 90;

/** Stretches that tell together what is slow, and so many of which one such block is asked: enough for what is only a yardstick. */
const BLOCK = 4;
const ASKED_EVERY = 12;

/** The requests of one service in stretches of one length, without a gap in time. */
export interface RequestSeries {
  readonly service: string;
  /** Start of the first stretch, and length of each. */
  readonly fromMs: number;
  readonly stretchMs: number;
  /** What was read: the first and the last stretch may reach beyond it. */
  readonly frame: TimeWindow;
  /** Undefined where nothing came. */
  readonly requests: readonly (Measures | undefined)[];
}

/** Of every service, over window and baseline up to now; by hours where some of the input is in hours. */
export function buildRequestSeries(
  grids: readonly TimeBucket<GridRollup>[],
  { nowMs, current, baseline }: AnalysisWindows,
): readonly RequestSeries[] {
  const toMs = Math.min(current.toMs, nowMs);
  const inside = selectOverlapping(grids, { fromMs: baseline.fromMs, toMs });
  const stretchMs = inside.reduce((longest, { minutes }) => Math.max(longest, minutes), 1) * MINUTE_MS;
  const fromMs = Math.floor(baseline.fromMs / stretchMs) * stretchMs;
  const byService = new Map<string, Measures[][]>();
  for (const { minute, value } of inside) {
    const at = Math.floor((minute * MINUTE_MS - fromMs) / stretchMs);
    for (const totals of value.services) {
      const parts = byService.get(totals.service) ?? [];
      byService.set(totals.service, parts);
      (parts[at] ??= []).push(totals);
    }
  }
  const length = Math.ceil((toMs - fromMs) / stretchMs);
  const frame = { fromMs: baseline.fromMs, toMs: current.toMs };
  return [...byService].map(([service, parts]) => ({
    service,
    fromMs,
    stretchMs,
    frame,
    requests: Array.from({ length }, (_, i) => sumParts(parts[i])),
  }));
}

function sumParts(parts: readonly Measures[] | undefined): Measures | undefined {
  return parts === undefined || parts.length === 1 ? parts?.[0] : sumMeasures(parts);
}

/**
 * Requests a minute. Silence counts as 0, but for stretches before the service was first seen, and for the newest ones,
 * of which more may come.
 */
export function ratePoints(
  { fromMs, stretchMs, frame, requests }: RequestSeries,
  firstMs: number,
  nowMs: number,
): SeriesPoint[] {
  return requests.map((measures, i) => {
    const startMs = Math.max(fromMs + i * stretchMs, frame.fromMs);
    const endMs = Math.min(fromMs + (i + 1) * stretchMs, frame.toMs);
    if (startMs < firstMs || endMs + SENDING_MS > nowMs) return { sum: 0, weight: 0 };
    return { sum: measures?.count ?? 0, weight: (endMs - startMs) / MINUTE_MS };
  });
}

/** Errors among requests. Silence tells nothing. */
export function errorPoints({ requests }: RequestSeries): SeriesPoint[] {
  return requests.map((measures) => ({ sum: measures?.errors ?? 0, weight: measures?.count ?? 0 }));
}

/** Requests slower than nine in ten usually are: moved by a slowdown of few as of all, and not by one that took for ever. */
export function slowRequestPoints({ requests }: RequestSeries): SeriesPoint[] {
  const slow = typicalSlowLatency(requests.filter((measures) => measures !== undefined));
  return requests.map((measures) => ({ sum: measures?.latency.countAbove(slow) ?? 0, weight: measures?.count ?? 0 }));
}

/** The lower quartile of what it is in blocks of the series: a slowdown that fills most of the window has not become usual. */
function typicalSlowLatency(requests: readonly Measures[]): number {
  const blocks = Array.from({ length: Math.ceil(requests.length / ASKED_EVERY) }, (_, i) =>
    sumMeasures(requests.slice(i * ASKED_EVERY, i * ASKED_EVERY + BLOCK)),
  );
  const percentiles = blocks.map(({ latency }) => latency.percentile(SLOW_PERCENTILE)).sort((a, b) => a - b);
  return percentiles.at(Math.floor(percentiles.length / 4)) ?? 0;
}

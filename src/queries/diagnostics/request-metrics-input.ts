import { setImmediate } from 'node:timers/promises';
import {
  addRequestMetrics,
  SPAN_MARGIN_MINUTES,
  type RequestInput,
  type RequestMetrics,
} from '../../diagnostics/requests/request-rollup-merge.js';
import type { TimeBucket } from '../../diagnostics/rollups/rollup-types.js';
import { MINUTE_MS, type TimeWindow } from '../../diagnostics/time-windows.js';
import type { GridRollupReader, RollupPart, RollupsByPart } from '../../read-models/rollups/grid-rollup-reader.js';

/** Loads the rollups of a part for several windows, ascending. */
export async function loadWindows<P extends RollupPart>(
  rollups: GridRollupReader,
  gridId: string,
  part: P,
  windows: readonly TimeWindow[],
  onlyService?: string,
): Promise<RollupsByPart[P]> {
  const loaded: RollupsByPart[P][] = [];
  for (const { fromMs, toMs } of splitAtBoundaries(windows))
    loaded.push(await rollups.load(part, gridId, fromMs / MINUTE_MS, toMs / MINUTE_MS, onlyService));
  return loaded.flat() as unknown as RollupsByPart[P];
}

/**
 * Splits the windows at all their boundaries, ascending, so that overlaps are read once and no hourly rollup spans
 * two windows.
 */
function splitAtBoundaries(windows: readonly TimeWindow[]): TimeWindow[] {
  const cuts = [...new Set(windows.flatMap(({ fromMs, toMs }) => [fromMs, toMs]))].sort((a, b) => a - b);
  const parts = cuts.slice(1).map((toMs, i) => ({ fromMs: cuts[i], toMs }));
  return parts.filter((part) => windows.some(({ fromMs, toMs }) => fromMs <= part.fromMs && part.toMs <= toMs));
}

export interface RequestInputNeed {
  readonly gridId: string;
  readonly apdexThresholdMs: number;
  /** Windows of each part; none: the part stays empty. */
  readonly windows: Readonly<Record<keyof RequestInput, readonly TimeWindow[]>>;
  /** Restricts `services`. */
  readonly onlyService?: string;
}

/**
 * Adds what metrics report about requests to services without spans. `input`: what spans report in the same windows.
 * Costs one look-up for Grids that send no such metrics.
 */
export async function readRequestMetrics(
  rollups: GridRollupReader,
  input: RequestInput,
  { gridId, apdexThresholdMs, windows, onlyService }: RequestInputNeed,
): Promise<RequestInput> {
  const all = [...windows.grids, ...windows.services];
  const metrics = await loadWindows(rollups, gridId, 'requests', all);
  if (metrics.length === 0) return input;
  const spans = await loadWindows(rollups, gridId, 'grids', all.map(extendBackwards));
  const requests = { spans, apdexThresholdMs };
  await buildInSlices(input, metrics, requests);
  const { grids, services } = addRequestMetrics(input, { ...requests, metrics });
  return {
    grids: grids.filter(isWithin(windows.grids)),
    services: services.filter(
      (bucket) =>
        isWithin(windows.services)(bucket) && (onlyService === undefined || bucket.value.service === onlyService),
    ),
  };
}

/** Time (ms) after which the thread is yielded. */
const SLICE_MS = 10;

/** Builds each time bucket on its own, with yields in between: what was built is remembered. */
async function buildInSlices(
  input: RequestInput,
  metrics: RollupsByPart['requests'],
  requests: Omit<RequestMetrics, 'metrics'>,
): Promise<void> {
  let since = performance.now();
  for (let from = 0; from < metrics.length;) {
    let to = from + 1;
    while (to < metrics.length && metrics[to].minute === metrics[from].minute) to++;
    addRequestMetrics({ ...input, services: [] }, { ...requests, metrics: metrics.slice(from, to) });
    from = to;
    if (performance.now() - since < SLICE_MS) continue;
    await setImmediate();
    since = performance.now();
  }
}

/** Spans shortly before a window decide about the metrics at its start. */
function extendBackwards({ fromMs, toMs }: TimeWindow): TimeWindow {
  return { fromMs: fromMs - SPAN_MARGIN_MINUTES * MINUTE_MS, toMs };
}

function isWithin(windows: readonly TimeWindow[]): (bucket: TimeBucket<unknown>) => boolean {
  return ({ minute }) => windows.some(({ fromMs, toMs }) => minute * MINUTE_MS >= fromMs && minute * MINUTE_MS < toMs);
}

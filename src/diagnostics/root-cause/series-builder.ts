import type { DiagnosticsInput } from '../diagnostics-input.js';
import { OTHER_NAME, type EdgeRollup, type ServiceRollup, type TimeBucket } from '../rollups/rollup-types.js';
import type { Sketch } from '../rollups/sketch.js';
import { joinSketches } from './sketch-joining.js';
import { createNameIndex } from './operation-layout.js';
import { ServiceSeriesBuilder, type ZeroRowFactory } from './service-series-builder.js';
import { findRecordedPeriod, joinPeriods, measureRecordedTime, type RecordedPeriod } from './recorded-time.js';
import { sumRange } from './robust-statistics.js';
import type { EdgeSeries, SeriesTimeline, ServiceSeries, TelemetrySeries } from './telemetry-series.js';

/** Builds the series of all services and edges from the rollups of the timeline's buckets. */
export function buildTelemetrySeries(
  input: Pick<DiagnosticsInput, 'grids' | 'services' | 'logs' | 'metrics'>,
  timeline: SeriesTimeline,
): TelemetrySeries {
  const createRow = createZeroRows(timeline.starts.length);
  const services = createNameIndex((name) => new ServiceSeriesBuilder(name, createRow));
  const edges = createNameIndex((source) =>
    createNameIndex((target) => [true, false].map((virtual) => createEdgeSeries(source, target, virtual, createRow))),
  );
  // Processes one service after the other, so that its rows stay in the processor's cache.
  const byService = createNameIndex((): [at: number, rollup: ServiceRollup][] => []);
  const periods: RecordedPeriod[] = [];
  for (const [at, rollup] of iterateWithIndex(input.services, timeline)) {
    byService.getOrCreate(rollup.service).push([at, rollup]);
    periods[at] = joinPeriods(periods[at], findRecordedPeriod(rollup));
  }
  for (const own of byService.entries)
    for (const [at, rollup] of own) services.getOrCreate(rollup.service).addSpans(rollup, at);
  for (const [at, rollup] of iterateWithIndex(input.grids, timeline)) {
    for (const totals of rollup.services) services.getOrCreate(totals.service).addTotals(totals, at);
    for (const edge of rollup.edges)
      addEdge(edges.getOrCreate(edge.source).getOrCreate(edge.target)[edge.virtual ? 0 : 1], edge, at);
  }
  for (const [at, rollup] of iterateWithIndex(input.logs, timeline))
    services.getOrCreate(rollup.service).addLogs(rollup, at);
  for (const [at, rollup, minutes] of iterateWithIndex(input.metrics, timeline))
    services.getOrCreate(rollup.service).addMetrics(rollup, at, minutes);
  const { starts, lengths } = timeline;
  const requests = findMostRequests(services.entries, starts.length);
  return {
    timeline,
    recorded: measureRecordedTime(starts, lengths, periods, requests),
    services: services.entries.filter(({ service }) => service !== OTHER_NAME).map(markEstimates),
    edges: edges.entries
      .flatMap((targets) => targets.entries.flat())
      .filter(isInUse)
      .map(markEstimate),
  };
}

/** Requests of the service that has most, by bucket: about the number of independent requests. */
function findMostRequests(services: readonly ServiceSeries[], width: number): Float64Array {
  const most = new Float64Array(width);
  for (const { requests } of services) for (let i = 0; i < width; i++) most[i] = Math.max(most[i], requests[i]);
  return most;
}

function markEstimates(service: ServiceSeriesBuilder): ServiceSeries {
  if (!service.hasEstimates) return service;
  const operations = service.operations.map((each) => ({
    ...each,
    estimatedFromNs: sumAll(each.durationNs) / Math.max(1, sumAll(each.count)),
  }));
  return { ...service, operations };
}

function markEstimate(edge: MutableEdgeSeries): EdgeSeries {
  return edge.isEstimated ? { ...edge, estimatedFromNs: sumAll(edge.durationNs) / sumAll(edge.count) } : edge;
}

function sumAll(row: Float64Array): number {
  return sumRange(row, 0, row.length);
}

/** Rows share their memory, as thousands of small buffers would have a large overhead. */
const ROWS_PER_BUFFER = 512;

function createZeroRows(width: number): ZeroRowFactory {
  let buffer = new ArrayBuffer(0);
  let used = 0;
  return () => {
    if ((used + width) * Float64Array.BYTES_PER_ELEMENT > buffer.byteLength)
      [buffer, used] = [new ArrayBuffer(ROWS_PER_BUFFER * width * Float64Array.BYTES_PER_ELEMENT), 0];
    used += width;
    return new Float64Array(buffer, (used - width) * Float64Array.BYTES_PER_ELEMENT, width);
  };
}

function* iterateWithIndex<T>(
  items: readonly TimeBucket<T>[],
  timeline: SeriesTimeline,
): Generator<readonly [at: number, value: T, minutes: number]> {
  for (const { minute, minutes, value } of items) {
    const at = timeline.indexOf(minute);
    if (at !== undefined) yield [at, value, minutes];
  }
}

interface MutableEdgeSeries extends EdgeSeries {
  readonly latency: (Sketch | undefined)[];
  readonly wire: (Sketch | undefined)[];
  isEstimated: boolean;
}

function createEdgeSeries(
  source: string,
  target: string,
  virtual: boolean,
  createRow: ZeroRowFactory,
): MutableEdgeSeries {
  return {
    source,
    target,
    virtual,
    count: createRow(),
    errors: createRow(),
    durationNs: createRow(),
    latency: [],
    paired: createRow(),
    wireNs: createRow(),
    wire: [],
    isEstimated: false,
  };
}

function addEdge(series: MutableEdgeSeries, rollup: EdgeRollup, at: number): void {
  series.count[at] += rollup.count;
  series.errors[at] += rollup.errors;
  series.durationNs[at] += rollup.durationNs;
  series.paired[at] += rollup.paired;
  series.wireNs[at] += rollup.wireNs;
  series.isEstimated ||= rollup.isEstimated === true;
  series.latency[at] = joinSketches(series.latency[at], rollup.latency);
  series.wire[at] = joinSketches(series.wire[at], rollup.wire);
}

function isInUse({ source, target, count }: EdgeSeries): boolean {
  return source !== OTHER_NAME && target !== OTHER_NAME && count.some((each) => each > 0);
}

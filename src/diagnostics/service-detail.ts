import type { ServiceDetail } from './answers.js';
import { countExceptions } from './exceptions.js';
import type { DiagnosticsInput, DiagnosticsSettings } from './input.js';
import { apdexOf, averageMs, errorRateOf, percentileMs, countsOf, within } from './measures.js';
import { round2, round3 } from './rounding.js';
import { sumMeasures, sumService, type EdgeCounts, type ServiceCounts } from './rollup-sums.js';
import type { LogRollup, OperationRollup, ServiceRollup } from './rollups.js';
import { edgesOf } from './service-map.js';
import { statusOf } from './service-status.js';
import type { Frames } from './timeframe.js';

const ERRORS_LISTED = 20;
const US_PER_MS = 1000;
const NOTHING = { count: 0, errors: 0, durationNs: 0, satisfied: 0, tolerating: 0 };

type Input = Pick<DiagnosticsInput, 'grids' | 'services' | 'logs' | 'catalogs' | 'settings'>;

/** Undefined for a service that had not been seen by then. */
export function serviceDetail({ grids, services, logs, catalogs, settings }: Input, { nowMs, current }: Frames, serviceName: string): ServiceDetail | undefined {
  const totals = countsOf(grids, current);
  const own = totals.find(({ service }) => service === serviceName);
  if (own === undefined && !catalogs.some(({ service, firstUs }) => service === serviceName && firstUs <= nowMs * US_PER_MS)) return undefined;
  const rollups = within(services, current).filter(({ service }) => service === serviceName);
  const records = within(logs, current).filter(({ service }) => service === serviceName);
  const { count, errors, satisfied, tolerating } = own ?? NOTHING;
  const operations = entriesOf(rollups);
  return {
    serviceName,
    status: statusOf({ count, errors, satisfied, tolerating }, settings),
    apdex: round3(apdexOf({ count, satisfied, tolerating })),
    errorRate: round2(errorRateOf({ count, errors })),
    requestCount: count,
    p50LatencyMs: round2(percentileMs(sumMeasures(operations), 50)),
    endpoints: endpointsOf(operations),
    topErrors: topErrorsOf(rollups, records),
    dependencies: edgesOf(grids, current, serviceName).map((edge) => dependency(edge, totals, settings)),
  };
}

function entriesOf(rollups: readonly ServiceRollup[]): readonly OperationRollup[] {
  return sumService(rollups.map((rollup) => ({ ...rollup, exceptions: [], versions: [], instances: [], operations: rollup.operations.filter(({ entry }) => entry) }))).operations;
}

/** Entry spans by name, whatever their kind. */
function endpointsOf(operations: readonly OperationRollup[]): ServiceDetail['endpoints'] {
  const byName = new Map<string, OperationRollup[]>();
  for (const part of operations) byName.set(part.operation, [...(byName.get(part.operation) ?? []), part]);
  return [...byName].map(([operation, parts]) => {
    const sum = sumMeasures(parts);
    return { operation, requestCount: sum.count, errorRate: round2(errorRateOf(sum)), avgLatencyMs: round2(averageMs(sum)), p50LatencyMs: round2(percentileMs(sum, 50)), p95LatencyMs: round2(percentileMs(sum, 95)) };
  });
}

/** Shares are of all exceptions of the service in the window, also of those that are not listed. */
function topErrorsOf(rollups: readonly ServiceRollup[], records: readonly LogRollup[]): ServiceDetail['topErrors'] {
  const counted = countExceptions(rollups, records);
  const all = counted.reduce((sum, { count }) => sum + count, 0);
  return counted.slice(0, ERRORS_LISTED).map(({ type, message, count }) => ({ exceptionType: type, message, count, percentage: round2((100 * count) / all) }));
}

/** A service is as well as it is to everyone; a virtual node is known by its edge alone. */
function dependency(edge: EdgeCounts, totals: readonly ServiceCounts[], settings: DiagnosticsSettings): ServiceDetail['dependencies'][number] {
  const target = edge.virtual ? undefined : totals.find(({ service }) => service === edge.target);
  const failing = edge.virtual && errorRateOf(edge) >= settings.errorRateThreshold;
  return {
    name: edge.target,
    status: failing || (target !== undefined && statusOf(target, settings) === 'degraded') ? 'degraded' : 'healthy',
    errorRate: round2(errorRateOf(edge)),
    avgLatencyMs: round2(averageMs(edge)),
  };
}

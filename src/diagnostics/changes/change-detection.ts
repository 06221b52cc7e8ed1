import type { Change } from '../diagnostic-results.js';
import { round2 } from '../rounding.js';
import { compareText } from '../text-order.js';
import { detectDeployments } from './deployment-detection.js';
import { toOrchestratorChanges } from './orchestrator-events.js';
import { detectScalings } from './scaling-detection.js';
import type { DiagnosticsInput } from '../diagnostics-input.js';
import {
  errorRatePercent,
  percentChange,
  percentileMs,
  selectContainedValues,
  selectOverlapping,
} from '../request-measures.js';
import {
  type GridRollup,
  type Measures,
  OTHER_NAME,
  type ServiceCatalog,
  type ServiceRollup,
  type TimeBucket,
} from '../rollups/rollup-types.js';
import { type AnalysisWindows, ceilMinute, floorMinute, MINUTE_MS } from '../time-windows.js';
import { sumMeasures } from '../rollups/rollup-sums.js';

type UnassessedChange = Omit<Change, 'performanceImpact'>;

/**
 * Changes in the current window, newest first, with their performance impact. The baseline provides the previous state.
 */
export function detectChanges(
  { grids, services, catalogs, events = [] }: Pick<DiagnosticsInput, 'grids' | 'services' | 'catalogs' | 'events'>,
  { nowMs, current, baseline }: AnalysisWindows,
): readonly Change[] {
  const range = { fromMs: baseline.fromMs, toMs: current.toMs };
  const [serviceBuckets, gridBuckets] = [selectOverlapping(services, range), selectOverlapping(grids, range)];
  const catalogByService = new Map(catalogs.map((catalog) => [catalog.service, catalog]));
  const changes: UnassessedChange[] = findNewNames(catalogs, current.fromMs, nowMs).map(
    ({ type, serviceName, atMs, description }) => ({ ...buildChange(type, serviceName, atMs), description }),
  );
  for (const [serviceName, buckets] of groupByService(serviceBuckets)) {
    for (const { atMs, ...versions } of detectDeployments(buckets, catalogByService.get(serviceName)))
      changes.push({ ...buildChange('deployment', serviceName, atMs), ...versions });
    for (const { atMs, from, to } of detectScalings(buckets))
      changes.push({
        ...buildChange('scaling', serviceName, atMs),
        description: `Instance count changed from ${from} to ${to}`,
      });
  }
  if (events.length > 0) {
    const reported = toOrchestratorChanges(events, listServiceNames(gridBuckets, catalogs));
    changes.push(...reported.filter((change) => !isKnownDeployment(change, changes)));
  }
  const inWindow = changes.filter(
    ({ detectedAt }) => detectedAt >= current.fromMs && detectedAt < current.toMs && detectedAt <= nowMs,
  );
  inWindow.sort(
    (a, b) =>
      b.detectedAt - a.detectedAt ||
      compareText(a.serviceName, b.serviceName) ||
      compareText(a.type, b.type) ||
      compareText(a.description, b.description),
  );
  if (inWindow.length === 0) return [];
  const findImpact = createImpactLookup(gridBuckets);
  return inWindow.map((change) => ({
    ...change,
    performanceImpact: findImpact(change.serviceName, change.detectedAt),
  }));
}

/** Time between the report of a deployment and its first span. */
const ROLLOUT_MS = 10 * MINUTE_MS;

/** True for a deployment that spans show as well, with its version. */
function isKnownDeployment(
  { type, serviceName, detectedAt }: UnassessedChange,
  known: readonly UnassessedChange[],
): boolean {
  return (
    type === 'deployment' &&
    known.some(
      (other) =>
        other.type === 'deployment' &&
        other.serviceName === serviceName &&
        Math.abs(other.detectedAt - detectedAt) <= ROLLOUT_MS,
    )
  );
}

function listServiceNames(
  grids: readonly TimeBucket<GridRollup>[],
  catalogs: readonly ServiceCatalog[],
): ReadonlySet<string> {
  return new Set([...grids.flatMap(({ value }) => value.services), ...catalogs].map(({ service }) => service));
}

function buildChange(type: Change['type'], serviceName: string, detectedAt: number): UnassessedChange {
  return { type, serviceName, detectedAt, previousVersion: '', currentVersion: '', description: '' };
}

function groupByService(services: readonly TimeBucket<ServiceRollup>[]): Map<string, TimeBucket<ServiceRollup>[]> {
  const groups = new Map<string, TimeBucket<ServiceRollup>[]>();
  for (const bucket of services) {
    const group = groups.get(bucket.value.service);
    if (group === undefined) groups.set(bucket.value.service, [bucket]);
    else group.push(bucket);
  }
  return groups;
}

interface NewName {
  readonly type: 'new_service' | 'new_endpoint';
  readonly serviceName: string;
  readonly atMs: number;
  readonly description: string;
}

/** Names first seen within this time after the first telemetry are not reported as new. */
const SETTLING_US = 10 * MINUTE_MS * 1000;

/** Endpoints reported individually; more in one window are probably names that contain ids, reported as one event. */
const MAX_LISTED_ENDPOINTS = 10;

/** Services and endpoints first seen from `fromMs` to `toMs`, both inclusive. */
function findNewNames(catalogs: readonly ServiceCatalog[], fromMs: number, toMs: number): readonly NewName[] {
  const isRecent = ({ firstUs }: { readonly firstUs: number }): boolean =>
    firstUs >= fromMs * 1000 && firstUs <= toMs * 1000;
  const gridFirstUs = catalogs.reduce((first, { firstUs }) => Math.min(first, firstUs), Infinity);
  const namedCatalogs = catalogs.filter(({ service }) => service !== OTHER_NAME);
  const services = namedCatalogs.filter((catalog) => isRecent(catalog) && catalog.firstUs >= gridFirstUs + SETTLING_US);
  return [
    ...services.map(({ service, firstUs }): NewName => ({
      type: 'new_service',
      serviceName: service,
      atMs: Math.floor(firstUs / 1000),
      description: `New service ${service}`,
    })),
    ...namedCatalogs.flatMap((catalog) => findNewEndpoints(catalog, isRecent)),
  ];
}

function findNewEndpoints(
  { service, firstUs: serviceFirstUs, operations }: ServiceCatalog,
  isRecent: (name: { readonly firstUs: number }) => boolean,
): NewName[] {
  const endpoints = operations.filter(
    ({ operation, entry, firstUs }) =>
      entry && operation !== OTHER_NAME && firstUs >= serviceFirstUs + SETTLING_US && isRecent({ firstUs }),
  );
  endpoints.sort((a, b) => a.firstUs - b.firstUs);
  const toNewName = (firstUs: number, description: string): NewName => ({
    type: 'new_endpoint',
    serviceName: service,
    atMs: Math.floor(firstUs / 1000),
    description,
  });
  if (endpoints.length > MAX_LISTED_ENDPOINTS)
    return [toNewName(endpoints[0].firstUs, `${endpoints.length} new endpoints, the first ${endpoints[0].operation}`)];
  return endpoints.map(({ operation, firstUs }) => toNewName(firstUs, `New endpoint ${operation}`));
}

type PerformanceImpact = Change['performanceImpact'];
const AFTER_MS = 10 * MINUTE_MS;
const BEFORE_MS = 30 * MINUTE_MS;

/**
 * Minimum change to be better or worse, as for regressions; for error rates also at least one percentage point, as an
 * increase from 0.1 % to 0.2 % is not significant.
 */
const MIN_IMPACT_PERCENT = 20;

const MIN_IMPACT_POINTS = 1;

/** With fewer requests before or after, the change is listed but not assessed. */
const MIN_ASSESSED_REQUESTS = 10;

/** Prepares the requests of each service by time bucket for computing the impact of several changes. */
function createImpactLookup(
  grids: readonly TimeBucket<GridRollup>[],
): (serviceName: string, atMs: number) => PerformanceImpact {
  const byService = new Map<string, TimeBucket<Measures>[]>();
  for (const { minute, minutes, value } of grids) {
    for (const totals of value.services) {
      const buckets = byService.get(totals.service) ?? [];
      byService.set(totals.service, buckets);
      buckets.push({ minute, minutes, value: totals });
    }
  }
  const known = new Map<string, PerformanceImpact>();
  return (serviceName, atMs) => {
    const key = `${floorMinute(atMs)} ${ceilMinute(atMs)} ${serviceName}`;
    const impact = known.get(key) ?? computeImpact(byService.get(serviceName) ?? [], atMs);
    known.set(key, impact);
    return impact;
  };
}

/** Compares the 10 minutes after with the 30 before; the minute of the change itself contains both and is excluded. */
function computeImpact(requests: readonly TimeBucket<Measures>[], atMs: number): PerformanceImpact {
  const before = sumBetween(requests, floorMinute(atMs) - BEFORE_MS, floorMinute(atMs));
  const after = sumBetween(requests, ceilMinute(atMs), ceilMinute(atMs) + AFTER_MS);
  if (before.count === 0 || after.count === 0)
    return { latencyChange: '+0%', errorRateChange: '+0%', assessment: 'neutral' };
  const latency = percentChange(percentileMs(after, 95), percentileMs(before, 95));
  const errors = percentChange(errorRatePercent(after), errorRatePercent(before));
  const points = errorRatePercent(after) - errorRatePercent(before);
  const isAssessable = Math.min(before.count, after.count) >= MIN_ASSESSED_REQUESTS;
  return {
    latencyChange: formatSignedPercent(latency),
    errorRateChange: formatSignedPercent(errors),
    ...(before.errors === 0 && after.errors > 0 && { newErrorRate: round2(errorRatePercent(after)) }),
    assessment: isAssessable ? assessImpact(latency, errors, points) : 'neutral',
  };
}

function sumBetween(requests: readonly TimeBucket<Measures>[], fromMs: number, toMs: number): Measures {
  return sumMeasures(selectContainedValues(requests, { fromMs, toMs }));
}

/** Deterioration outweighs improvement. */
function assessImpact(latency: number, errors: number, points: number): PerformanceImpact['assessment'] {
  if (latency > MIN_IMPACT_PERCENT || (errors > MIN_IMPACT_PERCENT && points >= MIN_IMPACT_POINTS)) return 'negative';
  if (latency < -MIN_IMPACT_PERCENT || (errors < -MIN_IMPACT_PERCENT && points <= -MIN_IMPACT_POINTS))
    return 'positive';
  return 'neutral';
}

/** Whole percent with sign, such as `+145%`. */
function formatSignedPercent(percent: number): string {
  const rounded = Math.round(Math.abs(percent));
  return `${percent < 0 && rounded > 0 ? '-' : '+'}${rounded}%`;
}

import type { Change } from '../diagnostic-results.js';
import { compareText } from '../text-order.js';
import { detectDeployments } from './deployment-detection.js';
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

/** What changed in the window, newest first, and what came of it. The baseline tells what had been there before. */
export function detectChanges(
  { grids, services, catalogs }: Pick<DiagnosticsInput, 'grids' | 'services' | 'catalogs'>,
  { nowMs, current, baseline }: AnalysisWindows,
): readonly Change[] {
  const reach = { fromMs: baseline.fromMs, toMs: current.toMs };
  const [known, measured] = [selectOverlapping(services, reach), selectOverlapping(grids, reach)];
  const catalogOf = new Map(catalogs.map((catalog) => [catalog.service, catalog]));
  const found: UnassessedChange[] = findNewNames(catalogs, current.fromMs, nowMs).map(
    ({ type, serviceName, atMs, description }) => ({ ...buildChange(type, serviceName, atMs), description }),
  );
  for (const [serviceName, stretches] of groupByService(known)) {
    for (const { atMs, ...versions } of detectDeployments(stretches, catalogOf.get(serviceName)))
      found.push({ ...buildChange('deployment', serviceName, atMs), ...versions });
    for (const { atMs, from, to } of detectScalings(stretches))
      found.push({
        ...buildChange('scaling', serviceName, atMs),
        description: `Instance count changed from ${from} to ${to}`,
      });
  }
  const inWindow = found.filter(
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
  const impactOf = createImpactLookup(measured);
  return inWindow.map((change) => ({ ...change, performanceImpact: impactOf(change.serviceName, change.detectedAt) }));
}

function buildChange(type: Change['type'], serviceName: string, detectedAt: number): UnassessedChange {
  return { type, serviceName, detectedAt, previousVersion: '', currentVersion: '', description: '' };
}

function groupByService(services: readonly TimeBucket<ServiceRollup>[]): Map<string, TimeBucket<ServiceRollup>[]> {
  const groups = new Map<string, TimeBucket<ServiceRollup>[]>();
  for (const stretch of services) {
    const group = groups.get(stretch.value.service);
    if (group === undefined) groups.set(stretch.value.service, [stretch]);
    else group.push(stretch);
  }
  return groups;
}

interface NewName {
  readonly type: 'new_service' | 'new_endpoint';
  readonly serviceName: string;
  readonly atMs: number;
  readonly description: string;
}

/** What shows within this time of the first telemetry is not new, but only seen for the first time. */
const SETTLING_US = 10 * MINUTE_MS * 1000;

/** Endpoints told one by one; more in one window are names that hold an id, and told as a number. */
const MOST_ENDPOINTS = 10;

/** Services and endpoints that were first seen from `fromMs` on and not after `toMs`. */
function findNewNames(catalogs: readonly ServiceCatalog[], fromMs: number, toMs: number): readonly NewName[] {
  const recent = ({ firstUs }: { readonly firstUs: number }): boolean =>
    firstUs >= fromMs * 1000 && firstUs <= toMs * 1000;
  const gridUs = catalogs.reduce((first, { firstUs }) => Math.min(first, firstUs), Infinity);
  const real = catalogs.filter(({ service }) => service !== OTHER_NAME);
  const services = real.filter((catalog) => recent(catalog) && catalog.firstUs >= gridUs + SETTLING_US);
  return [
    ...services.map(({ service, firstUs }): NewName => ({
      type: 'new_service',
      serviceName: service,
      atMs: Math.floor(firstUs / 1000),
      description: `New service ${service}`,
    })),
    ...real.flatMap((catalog) => findNewEndpoints(catalog, recent)),
  ];
}

function findNewEndpoints(
  { service, firstUs: serviceUs, operations }: ServiceCatalog,
  recent: (name: { readonly firstUs: number }) => boolean,
): NewName[] {
  const found = operations.filter(
    ({ operation, entry, firstUs }) =>
      entry && operation !== OTHER_NAME && firstUs >= serviceUs + SETTLING_US && recent({ firstUs }),
  );
  found.sort((a, b) => a.firstUs - b.firstUs);
  const event = (firstUs: number, description: string): NewName => ({
    type: 'new_endpoint',
    serviceName: service,
    atMs: Math.floor(firstUs / 1000),
    description,
  });
  if (found.length > MOST_ENDPOINTS)
    return [event(found[0].firstUs, `${found.length} new endpoints, the first ${found[0].operation}`)];
  return found.map(({ operation, firstUs }) => event(firstUs, `New endpoint ${operation}`));
}

type PerformanceImpact = Change['performanceImpact'];
const AFTER_MS = 10 * MINUTE_MS;
const BEFORE_MS = 30 * MINUTE_MS;

/** From here on better or worse, as in regressions; of errors at least a point besides, since 0.2 % is no disaster after 0.1 %. */
const TELLING_PERCENT = 20;

const TELLING_POINTS = 1;

/** In fewer requests on either side a change may be told, but is not judged. */
const FEWEST_JUDGED = 10;

/** Requests of each service by stretch, for the impacts of all changes of one answer. */
function createImpactLookup(
  grids: readonly TimeBucket<GridRollup>[],
): (serviceName: string, atMs: number) => PerformanceImpact {
  const byService = new Map<string, TimeBucket<Measures>[]>();
  for (const { minute, minutes, value } of grids) {
    for (const totals of value.services) {
      const own = byService.get(totals.service) ?? [];
      byService.set(totals.service, own);
      own.push({ minute, minutes, value: totals });
    }
  }
  return (serviceName, atMs) => computeImpact(byService.get(serviceName) ?? [], atMs);
}

/** The 10 minutes after against the 30 before; the minute of the change itself is both, and so neither. */
function computeImpact(requests: readonly TimeBucket<Measures>[], atMs: number): PerformanceImpact {
  const before = sumBetween(requests, floorMinute(atMs) - BEFORE_MS, floorMinute(atMs));
  const after = sumBetween(requests, ceilMinute(atMs), ceilMinute(atMs) + AFTER_MS);
  if (before.count === 0 || after.count === 0)
    return { latencyChange: '+0%', errorRateChange: '+0%', assessment: 'neutral' };
  const latency = percentChange(percentileMs(after, 95), percentileMs(before, 95));
  const errors = percentChange(errorRatePercent(after), errorRatePercent(before));
  const points = errorRatePercent(after) - errorRatePercent(before);
  const judged = Math.min(before.count, after.count) >= FEWEST_JUDGED;
  return {
    latencyChange: formatSignedPercent(latency),
    errorRateChange: formatSignedPercent(errors),
    assessment: judged ? assessImpact(latency, errors, points) : 'neutral',
  };
}

function sumBetween(requests: readonly TimeBucket<Measures>[], fromMs: number, toMs: number): Measures {
  return sumMeasures(selectContainedValues(requests, { fromMs, toMs }));
}

/** What got worse outweighs what got better. */
function assessImpact(latency: number, errors: number, points: number): PerformanceImpact['assessment'] {
  if (latency > TELLING_PERCENT || (errors > TELLING_PERCENT && points >= TELLING_POINTS)) return 'negative';
  if (latency < -TELLING_PERCENT || (errors < -TELLING_PERCENT && points <= -TELLING_POINTS)) return 'positive';
  return 'neutral';
}

/** Whole percents with their sign, as `+145%`. */
function formatSignedPercent(percent: number): string {
  const whole = Math.round(Math.abs(percent));
  return `${percent < 0 && whole > 0 ? '-' : '+'}${whole}%`;
}

import type { Utilization } from '../alerting/alert-rule-model.js';
import { compareSeverities, type PressurePoint, type Severity } from '../diagnostic-results.js';
import { compareText } from '../text-order.js';
import type { DiagnosticsInput } from '../diagnostics-input.js';
import { readResources, type ResourceReading } from './resource-readings.js';
import { memoizeWeak } from '../weak-memoize.js';
import type { MetricRollup, TimeBucket } from '../rollups/rollup-types.js';
import { round2 } from '../rounding.js';
import { MINUTE_MS, type AnalysisWindows } from '../time-windows.js';

/** A resource without readings for longer is not reported: its current state is unknown. */
export const READING_MAX_AGE_MS = 5 * MINUTE_MS;

/** Maximum distance in minutes between two readings of the same run, so that one minute may be without points. */
const MAX_STEP_MINUTES = 2;

/** A reading and its time bucket in minutes since 1970, from ≤ t < to. */
interface DatedReading {
  readonly reading: ResourceReading;
  readonly from: number;
  readonly to: number;
}

/**
 * Resources that are nearly full or have waiting requests at the end of the current window, worst first. Each is judged
 * by its newest point in the window, which must not be older than 5 minutes. `detectedAt` is the start of the
 * uninterrupted run, which may extend into the baseline; gaps of one minute do not interrupt it. If several instances
 * have the same resource, only the worst one is reported, with the name of the instance.
 */
export function findPressurePoints(
  input: Pick<DiagnosticsInput, 'metrics'>,
  windows: AnalysisWindows,
): PressurePoint[] {
  const points = new Map<
    string,
    { readonly point: PressurePoint; readonly instance: string; readonly instances: Set<string> }
  >();
  for (const history of findActiveHistories(input, windows)) {
    const { instance, resource, service, type } = newestReading(history).reading;
    const key = JSON.stringify([service, type, resource]);
    const known = points.get(key);
    const instances = (known?.instances ?? new Set()).add(instance);
    const point = toPressurePoint(history);
    if (known === undefined || isWorsePressure(point, known.point)) points.set(key, { point, instance, instances });
  }
  return [...points.values()]
    .filter(({ point }) => isUnderPressure(point))
    .map(({ instance, instances, point }) =>
      instances.size > 1 && instance !== '' ? { ...point, resource: `${point.resource} (${instance})` } : point,
    )
    .sort(
      (a, b) =>
        compareSeverities(b.severity, a.severity) ||
        b.utilization - a.utilization ||
        compareText(a.serviceName, b.serviceName) ||
        compareText(a.resource, b.resource),
    );
}

/**
 * Utilization of every resource of a service in one time bucket. Memoized because alert rules read the same minutes
 * every second.
 */
export const computeUtilizations: (rollup: MetricRollup) => readonly Utilization[] = memoizeWeak((rollup) =>
  readResources(rollup).map(({ key, service, utilization }) => ({ service, resource: key, utilization })),
);

/**
 * Readings of each resource of each instance, by time ascending, for those that are active at the end of the window.
 */
function findActiveHistories(
  { metrics }: Pick<DiagnosticsInput, 'metrics'>,
  { baseline, current, nowMs }: AnalysisWindows,
): DatedReading[][] {
  const histories = new Map<string, DatedReading[]>();
  const end = current.toMs / MINUTE_MS;
  for (let i = findFirstFrom(metrics, baseline.fromMs / MINUTE_MS); i < metrics.length && metrics[i].minute < end; i++)
    addReadings(histories, metrics[i]);
  const oldestUs = (Math.min(current.toMs, nowMs) - READING_MAX_AGE_MS) * 1000;
  const isActive = (history: DatedReading[]): boolean =>
    newestReading(history).from >= current.fromMs / MINUTE_MS && newestReading(history).reading.lastUs >= oldestUs;
  return [...histories.values()].filter(isActive);
}

function addReadings(
  histories: Map<string, DatedReading[]>,
  { minute, minutes, value }: TimeBucket<MetricRollup>,
): void {
  for (const reading of readResources(value)) {
    const history = histories.get(reading.key);
    const dated = { reading, from: minute, to: minute + minutes };
    if (history === undefined) histories.set(reading.key, [dated]);
    else if (newestReading(history).from < minute) history.push(dated);
    else if (isWorsePressure(toPressurePoint([dated]), toPressurePoint([newestReading(history)])))
      history[history.length - 1] = dated;
  }
}

/** Index of the first bucket that begins at that minute or later. */
function findFirstFrom(metrics: readonly TimeBucket<MetricRollup>[], minute: number): number {
  let [low, high] = [0, metrics.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (metrics[middle].minute < minute) low = middle + 1;
    else high = middle;
  }
  return low;
}

function newestReading(history: readonly DatedReading[]): DatedReading {
  return history[history.length - 1];
}

function toPressurePoint(history: readonly DatedReading[]): PressurePoint {
  const { capacity, queueDepth, resource, service, type, utilization } = newestReading(history).reading;
  const severity = classifyPressure(newestReading(history).reading) ?? 'info';
  return {
    type,
    serviceName: service,
    resource,
    utilization: round2(utilization),
    capacity,
    queueDepth,
    severity,
    detectedAt: findRunStart(history) * MINUTE_MS,
  };
}

/** Start of the uninterrupted run of pressure that contains the newest reading, in minutes. */
function findRunStart(history: readonly DatedReading[]): number {
  let at = history.length - 1;
  while (
    at > 0 &&
    classifyPressure(history[at - 1].reading) !== undefined &&
    history[at].from - history[at - 1].to < MAX_STEP_MINUTES
  )
    at--;
  return history[at].from;
}

function isUnderPressure({ queueDepth, type, utilization }: PressurePoint): boolean {
  return classifyPressure({ queueDepth, type, utilization }) !== undefined;
}

/**
 * Severity by the contract: 70, 80 and 90 %, compared as rounded for display; a non-empty queue of waiting requests is
 * a warning. For a resource of type `queue` the items in it are its utilization, not waiting requests.
 */
function classifyPressure({
  queueDepth,
  type,
  utilization,
}: Pick<PressurePoint, 'queueDepth' | 'type' | 'utilization'>): Severity | undefined {
  const percent = round2(utilization);
  if (percent >= 90) return 'critical';
  if (percent >= 80 || (queueDepth > 0 && type !== 'queue')) return 'warning';
  return percent >= 70 ? 'info' : undefined;
}

function isWorsePressure(a: PressurePoint, b: PressurePoint): boolean {
  return (
    (compareSeverities(a.severity, b.severity) ||
      a.utilization - b.utilization ||
      a.queueDepth - b.queueDepth ||
      b.detectedAt - a.detectedAt) > 0
  );
}

import type { Utilization } from './alerting/alert-minute.js';
import type { PressurePoint, Severity } from './answers.js';
import { byText } from './by-text.js';
import type { DiagnosticsInput } from './input.js';
import { readingsOf, type Reading } from './pressure/readings.js';
import { remembered } from './remembered.js';
import type { MetricRollup, Timed } from './rollups.js';
import { round2 } from './rounding.js';
import { compareSeverities } from './severity.js';
import { MINUTE_MS, type Frames } from './timeframe.js';

/** A resource that has said nothing for so long is not known to be under pressure now. */
export const ACTIVE_MS = 5 * MINUTE_MS;

/** Minutes from one reading to the next of the same run: one of them may be without points. */
const LONGEST_STEP = 2;

/** A reading and the stretch of time that it is of, in minutes since 1970, from ≤ t < to. */
interface Dated {
  readonly reading: Reading;
  readonly from: number;
  readonly to: number;
}

/**
 * Resources of the services that are nearly full or waited for at the end of the current window, worst first. Each is
 * judged by its newest point there, which must not be older than 5 minutes; its run reaches back as far as there is no
 * break, into the baseline too. A minute without points breaks no run where the next is at most 2 minutes on. Of several
 * instances that have the same resource the worst one is told of, by its name.
 */
export function pressurePoints(input: Pick<DiagnosticsInput, 'metrics'>, frames: Frames): PressurePoint[] {
  const points = new Map<string, { readonly point: PressurePoint; readonly instance: string; readonly instances: Set<string> }>();
  for (const history of activeHistories(input, frames)) {
    const { instance, resource, service, type } = newest(history).reading;
    const key = JSON.stringify([service, type, resource]);
    const known = points.get(key);
    const instances = (known?.instances ?? new Set()).add(instance);
    const point = pointOf(history);
    if (known === undefined || isWorse(point, known.point)) points.set(key, { point, instance, instances });
  }
  return [...points.values()]
    .filter(({ point }) => isPressed(point))
    .map(({ instance, instances, point }) => (instances.size > 1 && instance !== '' ? { ...point, resource: `${point.resource} (${instance})` } : point))
    .sort((a, b) => compareSeverities(b.severity, a.severity) || b.utilization - a.utilization || byText(a.serviceName, b.serviceName) || byText(a.resource, b.resource));
}

/** How full every resource of a service was in one stretch of time. Rules ask for the same minutes every second. */
export const utilizationsOf: (rollup: MetricRollup) => readonly Utilization[] = remembered((rollup) =>
  readingsOf(rollup).map(({ key, service, utilization }) => ({ service, resource: key, utilization })),
);

/** Readings of each resource of each instance, by time ascending, of those that are active at the end of the window. */
function activeHistories({ metrics }: Pick<DiagnosticsInput, 'metrics'>, { baseline, current, nowMs }: Frames): Dated[][] {
  const histories = new Map<string, Dated[]>();
  const end = current.toMs / MINUTE_MS;
  for (let i = firstFrom(metrics, baseline.fromMs / MINUTE_MS); i < metrics.length && metrics[i].minute < end; i++) addReadings(histories, metrics[i]);
  const oldestUs = (Math.min(current.toMs, nowMs) - ACTIVE_MS) * 1000;
  const isActive = (history: Dated[]): boolean => newest(history).from >= current.fromMs / MINUTE_MS && newest(history).reading.lastUs >= oldestUs;
  return [...histories.values()].filter(isActive);
}

function addReadings(histories: Map<string, Dated[]>, { minute, minutes, value }: Timed<MetricRollup>): void {
  for (const reading of readingsOf(value)) {
    const history = histories.get(reading.key);
    const dated = { reading, from: minute, to: minute + minutes };
    if (history === undefined) histories.set(reading.key, [dated]);
    else if (newest(history).from < minute) history.push(dated);
    else if (isWorse(pointOf([dated]), pointOf([newest(history)]))) history[history.length - 1] = dated;
  }
}

/** Index of the first stretch that begins at that minute or after. */
function firstFrom(metrics: readonly Timed<MetricRollup>[], minute: number): number {
  let [low, high] = [0, metrics.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (metrics[middle].minute < minute) low = middle + 1;
    else high = middle;
  }
  return low;
}

function newest(history: readonly Dated[]): Dated {
  return history[history.length - 1];
}

function pointOf(history: readonly Dated[]): PressurePoint {
  const { capacity, queueDepth, resource, service, type, utilization } = newest(history).reading;
  const severity = severityOf(newest(history).reading) ?? 'info';
  return { type, serviceName: service, resource, utilization: round2(utilization), capacity, queueDepth, severity, detectedAt: runStart(history) * MINUTE_MS };
}

/** Minute in which the unbroken run of pressure begins that the newest reading belongs to. */
function runStart(history: readonly Dated[]): number {
  let at = history.length - 1;
  while (at > 0 && severityOf(history[at - 1].reading) !== undefined && history[at].from - history[at - 1].to < LONGEST_STEP) at--;
  return history[at].from;
}

function isPressed({ queueDepth, type, utilization }: PressurePoint): boolean {
  return severityOf({ queueDepth, type, utilization }) !== undefined;
}

/**
 * By the contract: 70, 80 and 90 %, as shown; a non-empty queue of waiting requests is a warning. What stands in a
 * resource that is a queue itself is its use, not a queue for it.
 */
function severityOf({ queueDepth, type, utilization }: Pick<PressurePoint, 'queueDepth' | 'type' | 'utilization'>): Severity | undefined {
  const percent = round2(utilization);
  if (percent >= 90) return 'critical';
  if (percent >= 80 || (queueDepth > 0 && type !== 'queue')) return 'warning';
  return percent >= 70 ? 'info' : undefined;
}

function isWorse(a: PressurePoint, b: PressurePoint): boolean {
  return (compareSeverities(a.severity, b.severity) || a.utilization - b.utilization || a.queueDepth - b.queueDepth || b.detectedAt - a.detectedAt) > 0;
}

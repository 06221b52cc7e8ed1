import { alertEvents } from './alert-events.js';
import { anomalies } from './anomalies.js';
import type { Anomaly, Change, Severity, TimelineEvent } from './answers.js';
import { byText } from './by-text.js';
import { changes } from './changes.js';
import type { DiagnosticsInput } from './input.js';
import { LONGEST_NAME, OTHER, ROLLUP_BOUNDS, type ServiceCatalog } from './rollups.js';
import { MINUTE_MS, type Frames } from './timeframe.js';

/** Of events at the same time: what was done before what came of it. */
const ORDER = ['deployment', 'scaling', 'new_service', 'new_endpoint', 'overflow', 'anomaly', 'alert'];

type Input = Pick<DiagnosticsInput, 'grids' | 'services' | 'catalogs' | 'alerts' | 'seriesOverflowMs'>;

/** What happened in the window, in order. */
export function timeline(input: Input, frames: Frames): readonly TimelineEvent[] {
  const { nowMs, current } = frames;
  const [changed, alerts] = [changes(input, frames).map(changeEvent), input.alerts.flatMap(alertEvents)];
  const all = [...changed, ...anomalies(input, frames).map((anomaly) => anomalyEvent(anomaly, changed, alerts)), ...alerts, ...overflows(input)];
  const inWindow = all.filter(({ timestamp }) => timestamp >= current.fromMs && timestamp < current.toMs && timestamp <= nowMs);
  inWindow.sort((a, b) => a.timestamp - b.timestamp || ORDER.indexOf(a.type) - ORDER.indexOf(b.type) || byText(a.serviceName, b.serviceName) || byText(a.description, b.description));
  return inWindow.filter((one, i) => i === 0 || !isSame(one, inWindow[i - 1]));
}

function event(type: string, timestamp: number, serviceName: string, description: string, severity: Severity): TimelineEvent {
  return { timestamp, type, description, severity, serviceName };
}

/**
 * An anomaly is known to the minute, a change and an alert to the ms. It is told at the last change of its minute, the
 * earliest moment by which all that may have brought it about had happened, but not after an alert of its service that may
 * have come of it: so causes stand before effects, and times ascend. Of an hour only changes of its own service count.
 */
function anomalyEvent({ fromMs, stretchMs, serviceName, description, severity }: Anomaly, changed: readonly TimelineEvent[], alerts: readonly TimelineEvent[]): TimelineEvent {
  const isOwn = (one: TimelineEvent): boolean => one.serviceName === serviceName;
  const until = (toMs: number, { timestamp }: TimelineEvent): number => (timestamp > fromMs ? Math.min(toMs, timestamp) : toMs);
  const toMs = alerts.filter(isOwn).reduce(until, fromMs + stretchMs - 1);
  const causes = changed.filter((one) => one.timestamp > fromMs && one.timestamp <= toMs && (stretchMs === MINUTE_MS || isOwn(one)));
  return event('anomaly', causes.reduce((last, { timestamp }) => Math.max(last, timestamp), fromMs), serviceName, description, severity);
}

/** A change after which a service got worse is worth a look. */
function changeEvent({ type, serviceName, detectedAt, currentVersion, description, performanceImpact }: Change): TimelineEvent {
  const text = type === 'deployment' ? `${serviceName} ${versionName(currentVersion)} deployed` : description;
  return event(type, detectedAt, serviceName, text, performanceImpact.assessment === 'negative' ? 'warning' : 'info');
}

/** `v1.8.3` for 1.8.3; what is no number, such as a commit, stays as it is. */
function versionName(version: string): string {
  return /^\d/.test(version) ? `v${version}` : version;
}

/**
 * Names past the bounds are counted together: whoever misses one finds the reason here. A catalog does not tell which bound
 * it was (a sender may even call something `__other__`), so the event tells both.
 */
function overflowEvents({ service, firstUs, operations }: ServiceCatalog): TimelineEvent[] {
  const text = (bound: number, names: string): string => `${names} past the bounds (${grouped(bound)} names of ${grouped(LONGEST_NAME)} characters) are counted under ${OTHER}`;
  if (service === OTHER) return [event('overflow', Math.floor(firstUs / 1000), OTHER, text(ROLLUP_BOUNDS.services, 'Services'), 'warning')];
  const rest = operations.find(({ operation }) => operation === OTHER);
  return rest === undefined ? [] : [event('overflow', Math.floor(rest.firstUs / 1000), service, text(ROLLUP_BOUNDS.operations, `Operations of ${service}`), 'warning')];
}

/** Points of such series stay in the log, but nothing tells of their values. */
function seriesOverflowEvent(sinceMs: number): TimelineEvent {
  const bounds = `${grouped(ROLLUP_BOUNDS.series)} series, of ${grouped(ROLLUP_BOUNDS.services)} services`;
  return event('overflow', sinceMs, OTHER, `Metric series past the bounds (${bounds}) are counted under ${OTHER}, without their values`, 'warning');
}

function overflows({ catalogs, seriesOverflowMs }: Input): TimelineEvent[] {
  return [...catalogs.flatMap(overflowEvents), ...(seriesOverflowMs === undefined ? [] : [seriesOverflowEvent(seriesOverflowMs)])];
}

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}

function isSame(a: TimelineEvent, b: TimelineEvent): boolean {
  return a.timestamp === b.timestamp && a.type === b.type && a.serviceName === b.serviceName && a.description === b.description;
}

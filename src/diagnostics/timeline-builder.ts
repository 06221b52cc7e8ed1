import { detectAnomalies } from './anomalies/anomaly-detection.js';
import type { Anomaly, Change, Severity, TimelineEvent } from './diagnostic-results.js';
import { compareText } from './text-order.js';
import { detectChanges } from './changes/change-detection.js';
import type { AlertRecord, DiagnosticsInput } from './diagnostics-input.js';
import { MAX_NAME_LENGTH, OTHER_NAME, ROLLUP_BOUNDS, type ServiceCatalog } from './rollups/rollup-types.js';
import { type AnalysisWindows, MINUTE_MS } from './time-windows.js';
import { round2 } from './rounding.js';

/** Of events at the same time: what was done before what came of it. */
const TYPE_ORDER = ['deployment', 'scaling', 'new_service', 'new_endpoint', 'overflow', 'anomaly', 'alert'];

type TimelineInput = Pick<DiagnosticsInput, 'grids' | 'services' | 'catalogs' | 'alerts' | 'seriesOverflowMs'>;

/** What happened in the window, in order. */
export function buildTimeline(input: TimelineInput, frames: AnalysisWindows): readonly TimelineEvent[] {
  const { nowMs, current } = frames;
  const [changed, alerts] = [detectChanges(input, frames).map(toChangeEvent), input.alerts.flatMap(toAlertEvents)];
  const all = [
    ...changed,
    ...detectAnomalies(input, frames).map((anomaly) => toAnomalyEvent(anomaly, changed, alerts)),
    ...alerts,
    ...findOverflows(input),
  ];
  const inWindow = all.filter(
    ({ timestamp }) => timestamp >= current.fromMs && timestamp < current.toMs && timestamp <= nowMs,
  );
  inWindow.sort(
    (a, b) =>
      a.timestamp - b.timestamp ||
      TYPE_ORDER.indexOf(a.type) - TYPE_ORDER.indexOf(b.type) ||
      compareText(a.serviceName, b.serviceName) ||
      compareText(a.description, b.description),
  );
  return inWindow.filter((one, i) => i === 0 || !isSameEvent(one, inWindow[i - 1]));
}

function toTimelineEvent(
  type: string,
  timestamp: number,
  serviceName: string,
  description: string,
  severity: Severity,
): TimelineEvent {
  return { timestamp, type, description, severity, serviceName };
}

/**
 * An anomaly is known to the minute, a change and an alert to the ms. It is told at the last change of its minute, the
 * earliest moment by which all that may have brought it about had happened, but not after an alert of its service that may
 * have come of it: so causes stand before effects, and times ascend. Of an hour only changes of its own service count.
 */
function toAnomalyEvent(
  { fromMs, stretchMs, serviceName, description, severity }: Anomaly,
  changed: readonly TimelineEvent[],
  alerts: readonly TimelineEvent[],
): TimelineEvent {
  const isOwn = (one: TimelineEvent): boolean => one.serviceName === serviceName;
  const until = (toMs: number, { timestamp }: TimelineEvent): number =>
    timestamp > fromMs ? Math.min(toMs, timestamp) : toMs;
  const toMs = alerts.filter(isOwn).reduce(until, fromMs + stretchMs - 1);
  const causes = changed.filter(
    (one) => one.timestamp > fromMs && one.timestamp <= toMs && (stretchMs === MINUTE_MS || isOwn(one)),
  );
  return toTimelineEvent(
    'anomaly',
    causes.reduce((last, { timestamp }) => Math.max(last, timestamp), fromMs),
    serviceName,
    description,
    severity,
  );
}

/** A change after which a service got worse is worth a look. */
function toChangeEvent({
  type,
  serviceName,
  detectedAt,
  currentVersion,
  description,
  performanceImpact,
}: Change): TimelineEvent {
  const text = type === 'deployment' ? `${serviceName} ${formatVersion(currentVersion)} deployed` : description;
  return toTimelineEvent(
    type,
    detectedAt,
    serviceName,
    text,
    performanceImpact.assessment === 'negative' ? 'warning' : 'info',
  );
}

/** `v1.8.3` for 1.8.3; what is no number, such as a commit, stays as it is. */
function formatVersion(version: string): string {
  return /^\d/.test(version) ? `v${version}` : version;
}

/**
 * Names past the bounds are counted together: whoever misses one finds the reason here. A catalog does not tell which bound
 * it was (a sender may even call something `__other__`), so the event tells both.
 */
function toOverflowEvents({ service, firstUs, operations }: ServiceCatalog): TimelineEvent[] {
  const text = (bound: number, names: string): string =>
    `${names} past the bounds (${formatThousands(bound)} names of ${formatThousands(MAX_NAME_LENGTH)} characters) are counted under ${OTHER_NAME}`;
  if (service === OTHER_NAME)
    return [
      toTimelineEvent(
        'overflow',
        Math.floor(firstUs / 1000),
        OTHER_NAME,
        text(ROLLUP_BOUNDS.services, 'Services'),
        'warning',
      ),
    ];
  const rest = operations.find(({ operation }) => operation === OTHER_NAME);
  return rest === undefined
    ? []
    : [
        toTimelineEvent(
          'overflow',
          Math.floor(rest.firstUs / 1000),
          service,
          text(ROLLUP_BOUNDS.operations, `Operations of ${service}`),
          'warning',
        ),
      ];
}

/** Points of such series stay in the log, but nothing tells of their values. */
function toSeriesOverflowEvent(sinceMs: number): TimelineEvent {
  const bounds = `${formatThousands(ROLLUP_BOUNDS.series)} series, of ${formatThousands(ROLLUP_BOUNDS.services)} services`;
  return toTimelineEvent(
    'overflow',
    sinceMs,
    OTHER_NAME,
    `Metric series past the bounds (${bounds}) are counted under ${OTHER_NAME}, without their values`,
    'warning',
  );
}

function findOverflows({ catalogs, seriesOverflowMs }: TimelineInput): TimelineEvent[] {
  return [
    ...catalogs.flatMap(toOverflowEvents),
    ...(seriesOverflowMs === undefined ? [] : [toSeriesOverflowEvent(seriesOverflowMs)]),
  ];
}

function formatThousands(count: number): string {
  return count.toLocaleString('en-US');
}

function isSameEvent(a: TimelineEvent, b: TimelineEvent): boolean {
  return (
    a.timestamp === b.timestamp &&
    a.type === b.type &&
    a.serviceName === b.serviceName &&
    a.description === b.description
  );
}

/** The threshold at the end of a condition such as `error_rate > 5%`, and the unit behind its number. */
const THRESHOLD_PATTERN = /(-?[\d.]+)(\D*)$/;

/** An alert as it fired, and as it was resolved. */
function toAlertEvents({
  ruleName,
  serviceName,
  severity,
  value,
  condition,
  firedAt,
  resolvedAt,
}: AlertRecord): TimelineEvent[] {
  const [threshold, , unit] = THRESHOLD_PATTERN.exec(condition) ?? ['', '', ''];
  const name = /\balert$/i.test(ruleName) ? ruleName : `${ruleName} alert`;
  const limit = threshold === '' ? '' : ` (threshold: ${threshold})`;
  const fired: TimelineEvent = {
    timestamp: firedAt,
    type: 'alert',
    description: `${name} triggered: ${round2(value)}${unit}${limit}`,
    severity,
    serviceName,
  };
  if (resolvedAt === undefined) return [fired];
  return [
    fired,
    { timestamp: resolvedAt, type: 'alert', description: `${name} resolved`, severity: 'info', serviceName },
  ];
}

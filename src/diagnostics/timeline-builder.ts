import { detectAnomalies } from './anomalies/anomaly-detection.js';
import { type Anomaly, type Change, CHANGE_TYPES, type Severity, type TimelineEvent } from './diagnostic-results.js';
import { compareText } from './text-order.js';
import { detectChanges } from './changes/change-detection.js';
import type { AlertRecord, DiagnosticsInput } from './diagnostics-input.js';
import { MAX_NAME_LENGTH, OTHER_NAME, ROLLUP_BOUNDS, type ServiceCatalog } from './rollups/rollup-types.js';
import { type AnalysisWindows, MINUTE_MS } from './time-windows.js';
import { round2 } from './rounding.js';

/** Order of events at the same time: causes before effects. */
const TYPE_ORDER: readonly string[] = [...CHANGE_TYPES, 'overflow', 'anomaly', 'alert'];

type TimelineInput = Pick<
  DiagnosticsInput,
  'grids' | 'services' | 'catalogs' | 'alerts' | 'seriesOverflowMs' | 'events'
>;

/** Events of the window by time ascending, without duplicates. */
export function buildTimeline(input: TimelineInput, windows: AnalysisWindows): readonly TimelineEvent[] {
  const { nowMs, current } = windows;
  const [changes, alerts] = [detectChanges(input, windows).map(toChangeEvent), input.alerts.flatMap(toAlertEvents)];
  const all = [
    ...changes,
    ...detectAnomalies(input, windows).map((anomaly) => toAnomalyEvent(anomaly, changes, alerts)),
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
  return inWindow.filter((event, i) => i === 0 || !isSameEvent(event, inWindow[i - 1]));
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
 * An anomaly is known to the minute, a change and an alert to the ms. The event is placed at the last change within its
 * minute, the earliest moment by which all possible causes had happened, but not after an alert of its service that it
 * may have triggered: so causes precede effects and times ascend. If the anomaly is only known to the hour, only
 * changes of its own service are considered.
 */
function toAnomalyEvent(
  { fromMs, stretchMs, serviceName, description, severity }: Anomaly,
  changes: readonly TimelineEvent[],
  alerts: readonly TimelineEvent[],
): TimelineEvent {
  const isOwn = (event: TimelineEvent): boolean => event.serviceName === serviceName;
  const clampToAlert = (toMs: number, { timestamp }: TimelineEvent): number =>
    timestamp > fromMs ? Math.min(toMs, timestamp) : toMs;
  const toMs = alerts.filter(isOwn).reduce(clampToAlert, fromMs + stretchMs - 1);
  const causes = changes.filter(
    (event) => event.timestamp > fromMs && event.timestamp <= toMs && (stretchMs === MINUTE_MS || isOwn(event)),
  );
  return toTimelineEvent(
    'anomaly',
    causes.reduce((last, { timestamp }) => Math.max(last, timestamp), fromMs),
    serviceName,
    description,
    severity,
  );
}

/** Changes that made a service worse are warnings. */
function toChangeEvent({
  type,
  serviceName,
  detectedAt,
  currentVersion,
  description,
  performanceImpact,
}: Change): TimelineEvent {
  const text =
    type === 'deployment' && currentVersion !== ''
      ? `${serviceName} ${formatVersion(currentVersion)} deployed`
      : description;
  return toTimelineEvent(
    type,
    detectedAt,
    serviceName,
    text,
    performanceImpact.assessment === 'negative' ? 'warning' : 'info',
  );
}

/** `v1.8.3` for 1.8.3; other forms, such as a commit id, are unchanged. */
function formatVersion(version: string): string {
  return /^\d/.test(version) ? `v${version}` : version;
}

/**
 * Reports names beyond the limits, which are counted together under one name. The catalog does not record which limit
 * was exceeded (a sender may even use the name `__other__`), so the event mentions both.
 */
function toOverflowEvents({ service, firstUs, operations }: ServiceCatalog): TimelineEvent[] {
  const describe = (limit: number, names: string): string =>
    `${names} beyond the limits (${formatThousands(limit)} names of up to ${formatThousands(MAX_NAME_LENGTH)} characters) are counted under ${OTHER_NAME}`;
  if (service === OTHER_NAME)
    return [
      toTimelineEvent(
        'overflow',
        Math.floor(firstUs / 1000),
        OTHER_NAME,
        describe(ROLLUP_BOUNDS.services, 'Services'),
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
          describe(ROLLUP_BOUNDS.operations, `Operations of ${service}`),
          'warning',
        ),
      ];
}

/** Points of such series remain in the event log, but their values are not aggregated. */
function toSeriesOverflowEvent(sinceMs: number): TimelineEvent {
  const limits = `${formatThousands(ROLLUP_BOUNDS.series)} series of ${formatThousands(ROLLUP_BOUNDS.services)} services`;
  return toTimelineEvent(
    'overflow',
    sinceMs,
    OTHER_NAME,
    `Metric series beyond the limits (${limits}) are counted under ${OTHER_NAME}, without their values`,
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

/** The threshold in a condition such as `error_rate > 5%`, and the unit after the number. */
const THRESHOLD_PATTERN = / [<>]=? (-?[\d.]+([^\s\d]*))/;

/** One event for the alert firing and one for its resolution. */
function toAlertEvents({
  ruleName,
  serviceName,
  severity,
  value,
  condition,
  firedAt,
  resolvedAt,
}: AlertRecord): TimelineEvent[] {
  const [, threshold = '', unit = ''] = THRESHOLD_PATTERN.exec(condition) ?? [];
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

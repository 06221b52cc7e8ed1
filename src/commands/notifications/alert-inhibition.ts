import { toLabels, type LabelTest } from '../../notifications/label-matching.js';
import type { GroupedAlert, NotifiedCause } from '../../streams/events/notification-events.js';
import { explains } from './cause-explanation.js';
import type { AlertGroup } from './notification-state.js';

/** What keeps alerts of all groups from being sent. */
export interface Inhibitors {
  /** Services with a critical alert that fires. */
  readonly criticalServices: ReadonlySet<string>;
  /** Silences that are active now. */
  readonly silences: readonly LabelTest[];
}

/** Alerts of a group that are not sent now: silenced ones, and symptoms. */
export function findMuted(
  group: AlertGroup,
  cause: NotifiedCause | undefined,
  { silences, criticalServices }: Inhibitors,
): ReadonlySet<GroupedAlert> {
  const alerts = [...group.alerts.values()];
  const isMuted = (alert: GroupedAlert): boolean => {
    if (isInhibited(alert, criticalServices, cause) || isExplained(alert, group)) return true;
    const labels = toLabels(alert);
    return silences.some((matches) => matches(labels));
  };
  return new Set(alerts.filter(isMuted));
}

/** While an alert of the cause's own service is critical, lesser ones of the services that it affects are symptoms. */
function isInhibited(
  alert: GroupedAlert,
  criticalServices: ReadonlySet<string>,
  cause: NotifiedCause | undefined,
): boolean {
  if (cause === undefined || alert.severity === 'critical' || alert.serviceName === cause.serviceName) return false;
  return cause.affectedServices.includes(alert.serviceName) && criticalServices.has(cause.serviceName ?? '');
}

/**
 * While the notifications of a group name a cause, further alerts that it explains are inhibited, unless they are more
 * severe than those of its alerts that were sent and fire. An alert that was sent is never inhibited.
 */
function isExplained(
  { notifiedSeverity, severity, serviceName }: GroupedAlert,
  { notifiedCause, alerts }: AlertGroup,
): boolean {
  if (notifiedCause === undefined || notifiedSeverity !== undefined || !explains(notifiedCause, serviceName))
    return false;
  return [...alerts.values()].some(
    (other) =>
      other.resolvedAt === undefined &&
      explains(notifiedCause, other.serviceName) &&
      (other.notifiedSeverity === 'critical' || other.notifiedSeverity === severity),
  );
}

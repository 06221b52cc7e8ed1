import type { AlertChange } from '../commands/incidents/observed-changes.js';
import type { RecordedEvent } from '../streams/event-store.js';
import type { AlertEvent } from '../streams/events/alert-events.js';

/** How long ago (ms) an alert may have fired to open an incident after it has ended. */
const HISTORY_MS = 3_600_000;

/**
 * What alert events mean for incidents. Alerts that fired long ago and do not fire any more are history: nobody had
 * incidents then.
 */
export function toAlertChanges(
  events: readonly RecordedEvent[],
  at: number,
  isOpen: (alertId: string) => boolean,
): readonly AlertChange[] {
  return events.flatMap(({ type, data, revision }): AlertChange[] => {
    const event = { type, data } as AlertEvent;
    switch (event.type) {
      case 'AlertFired.v2': {
        const { gridId: _, at: firedAt, ...alert } = event.data;
        if (at - firedAt > HISTORY_MS && !isOpen(alert.alertId)) return [];
        return [{ revision, change: 'fired', alert: { ...alert, firedAt } }];
      }
      case 'AlertSeverityChanged.v1': {
        const { alertId, severity, value } = event.data;
        return [{ revision, change: 'severity', alertId, severity, value }];
      }
      case 'AlertAcknowledged.v1': {
        const { alertId, actor: by } = event.data;
        return [{ revision, change: 'acknowledged', alertId, by }];
      }
      case 'AlertResolved.v1':
        return [{ revision, change: 'resolved', alertId: event.data.alertId }];
      default:
        return [];
    }
  });
}

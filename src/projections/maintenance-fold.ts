import {
  MAINTENANCE_BOUNDS,
  type MaintenanceDocument,
  type MaintenancePeriod,
} from '../read-models/documents/maintenance-documents.js';
import type { NotificationSettingsEvent } from '../streams/events/notification-events.js';

export type SilenceEvent = Extract<NotificationSettingsEvent, { readonly type: `Silence${string}` }>;

/**
 * Planned maintenance: silences that were created before they begin. What an event says holds from its time on, so that
 * neither a change nor a deletion alters what has passed, and nobody can plan the past: an answer as of any moment stays
 * the same.
 */
export function evolveMaintenance(
  before: MaintenanceDocument | undefined,
  event: SilenceEvent,
): MaintenanceDocument | undefined {
  const { gridId, at } = event.data;
  const silenceId = 'silence' in event.data ? event.data.silence.id : event.data.silenceId;
  const known = before?.periods ?? [];
  const current = known.find((period) => period.silenceId === silenceId && period.toMs > at);
  const periods = [
    ...known.filter((period) => period !== current && period.toMs > at - MAINTENANCE_BOUNDS.keptMs),
    ...(current === undefined ? [] : [{ ...current, toMs: at }]),
    ...planPeriods(event, current !== undefined),
  ].filter(({ fromMs, toMs }) => fromMs < toMs);
  return periods.length === 0 ? undefined : { gridId, periods: periods.slice(-MAINTENANCE_BOUNDS.periods) };
}

/** A planned period that has begun may be extended, and stays planned. */
function planPeriods(event: SilenceEvent, wasPlanned: boolean): MaintenancePeriod[] {
  if (event.type === 'SilenceDeleted.v1') return [];
  const { at, silence } = event.data;
  const { id: silenceId, matchers, startsAt, endsAt } = silence;
  return wasPlanned || startsAt > at ? [{ silenceId, matchers, fromMs: Math.max(startsAt, at), toMs: endsAt }] : [];
}

import type { AlertCommand } from '../commands/alerts/alert-decider.js';
import type { CommandHandler } from '../commands/handle-command.js';
import { causesOf, type Incident, type IncidentsState } from '../commands/incidents/incident-state.js';
import type { NotificationCommand } from '../commands/notifications/notification-decider.js';
import { isOpenDiagnosis, type NotificationState } from '../commands/notifications/notification-state.js';
import { HindsightError } from '../errors.js';
import { alertsStream, notificationsStream } from '../streams/stream-names.js';

export interface AcknowledgementParts {
  readonly alerts: CommandHandler<AlertCommand, unknown>;
  readonly notifications: CommandHandler<NotificationCommand, unknown, NotificationState>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Whoever takes care of an incident takes care of the alerts that belong to it, also of those that fire later and of
 * those that a diagnosis alone has raised. Changes nothing the second time.
 */
export async function acknowledgeAlertsOfIncidents(
  parts: AcknowledgementParts,
  gridId: string,
  { incidents }: IncidentsState,
): Promise<void> {
  for (const incident of incidents.values()) {
    const { status, acknowledgedBy } = incident;
    if (acknowledgedBy === undefined || status === 'resolved') continue;
    await acknowledgeFiring(parts, gridId, incident, acknowledgedBy);
    const causeServices = new Set(causesOf(incident).map(({ serviceName }) => serviceName));
    for (const causeService of causeServices) await acknowledgeDiagnoses(parts, gridId, causeService);
  }
}

async function acknowledgeFiring(
  { alerts, now }: AcknowledgementParts,
  gridId: string,
  { firing }: Incident,
  actor: string,
) {
  for (const { alertId, acknowledgedBy } of firing.values()) {
    if (acknowledgedBy !== undefined) continue;
    const command = { type: 'Acknowledge', gridId, alertId, actor, at: now() } as const;
    await alerts(alertsStream(gridId), command).catch(ignoreNotFound);
  }
}

async function acknowledgeDiagnoses(
  { notifications, now }: AcknowledgementParts,
  gridId: string,
  causeService: string,
) {
  const stream = notificationsStream(gridId);
  const { state } = await notifications(stream);
  const ofRootCause = [...state.groups.values()].flatMap(({ alerts }) =>
    [...alerts.values()].filter(({ serviceName }) => serviceName === causeService).map(({ alertId }) => alertId),
  );
  for (const alertId of new Set(ofRootCause))
    if (isOpenDiagnosis(state, alertId))
      await notifications(stream, { type: 'AcknowledgeDiagnosis', gridId, at: now(), alertId });
}

/** An alert that has ended meanwhile needs nobody. */
function ignoreNotFound(error: unknown): void {
  if (!(error instanceof HindsightError && error.code === 'not-found')) throw error;
}

import { randomUUID } from 'node:crypto';
import { createCommandHandler } from '../commands/handle-command.js';
import { createIncidentCommands } from '../commands/incidents/incident-commands.js';
import { incidentDecider } from '../commands/incidents/incident-decider.js';
import { causesOf } from '../commands/incidents/incident-state.js';
import { IncidentPolicy } from '../policies/incident-policy.js';
import type { Logger } from '../self-telemetry/logger.js';
import { incidentsStream } from '../streams/stream-names.js';
import { PARTS, type RegisterPart, type ServiceParts } from './service-parts.js';

/** Grids whose incidents are cached; each takes as much memory as its open and last resolved incidents. */
const CACHED_GRIDS = 1_000;

export function registerIncidentCommands(register: RegisterPart): void {
  register(PARTS.handleIncidentCommand, (parts) =>
    createCommandHandler(parts.resolve(PARTS.eventStore), incidentDecider, CACHED_GRIDS),
  );
  register(PARTS.incidentCommands, (parts) =>
    createIncidentCommands({
      incidents: parts.resolve(PARTS.handleIncidentCommand),
      alerts: parts.resolve(PARTS.handleAlertCommand),
      newId: randomUUID,
      now: Date.now,
    }),
  );
}

/** Follows the alerts and diagnoses of the Grids that this process owns. */
export function createIncidentPolicy(parts: ServiceParts, logger: Logger): IncidentPolicy {
  const { accessThread, diagnostics, ownedShards, eventStore } = parts;
  return new IncidentPolicy({
    log: eventStore,
    incidents: parts.handleIncidentCommand,
    alerts: parts.handleAlertCommand,
    notifications: parts.handleNotificationCommand,
    grids: {
      withTraffic: () => diagnostics.api.gridsWithRecentTelemetry(ownedShards.all),
      withOpenIncidents: () => accessThread.api.gridsWithOpenIncidents(),
      owns: (gridId) => ownedShards.ownsGrid(gridId),
    },
    openAlerts: () => accessThread.api.openAlerts(),
    diagnose: (gridId) => diagnostics.api.recentDiagnosis(gridId),
    now: Date.now,
    logger,
  });
}

/**
 * The incident of one of these alerts, else the newest one of the root-cause service; undefined if there is none or it
 * cannot be read: a message without its link is better than none.
 */
export async function findIncident(
  { handleIncidentCommand }: ServiceParts,
  gridId: string,
  alertIds: readonly string[],
  causeService: string | undefined,
): Promise<string | undefined> {
  const found = await handleIncidentCommand(incidentsStream(gridId)).catch(() => undefined);
  if (found === undefined) return undefined;
  const { byAlert, incidents } = found.state;
  const ofAlert = alertIds.map((alertId) => byAlert.get(alertId)).find((id) => id !== undefined);
  return (
    ofAlert ??
    [...incidents.values()].findLast((incident) =>
      causesOf(incident).some(({ serviceName }) => serviceName === causeService),
    )?.id
  );
}

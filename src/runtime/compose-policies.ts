import { randomUUID } from 'node:crypto';
import { SESSION_LIFETIME_MS } from '../auth/portal/portal-oidc-client.js';
import { createRetentionClock } from './compose-retention.js';
import { PARTS, type RegisterPart, type ServiceParts } from './service-parts.js';
import { createIncidentPolicy } from './compose-incidents.js';
import { createNotificationCompactor, createNotificationPolicy } from './compose-notifications.js';
import type { Logger } from '../self-telemetry/logger.js';
import { ClockObservationReader } from '../policies/clock-observation-reader.js';
import { createVisibilityWaiter } from './command-visibility.js';
import { MetricRulePolicy } from '../policies/metric-rule-policy.js';
import { RecordRulePolicy } from '../policies/record-rule-policy.js';
import { RetentionPolicy } from '../policies/retention-policy.js';
import { SessionExpiryPolicy } from '../policies/session-expiry-policy.js';
import { SloPolicy } from '../policies/slo-policy.js';
import { SignOutCleanup } from '../policies/sign-out-cleanup.js';

/** A background task of the service. */
export interface Policy {
  start(): void;
  /** Idempotent. */
  stop(): Promise<void>;
}

/** Registers what policies share with other parts of the service. */
export function registerPolicies(register: RegisterPart): void {
  register(PARTS.retentionClock, (parts) => {
    const accessThread = parts.resolve(PARTS.accessThread);
    return createRetentionClock(parts.resolve(PARTS.eventStore), () => accessThread.api.newestLogTime());
  });
}

/**
 * The background tasks of this process, in start order. A task for one Grid runs in the process that owns its shard.
 * While a shard moves, two processes may run it for a moment; optimistic concurrency in the event log rejects the
 * duplicate.
 */
export function composePolicies(parts: ServiceParts, log: Logger): readonly Policy[] {
  const { logScrub, keyUsage } = parts;
  const everywhere = logScrub === undefined ? [keyUsage] : [keyUsage, logScrub];
  const { roles } = parts.settings;
  if (!roles.has('project'))
    return roles.has('ingest')
      ? [...everywhere, new ClockObservationReader({ clock: parts.retentionClock, log })]
      : everywhere;
  return [
    ...everywhere,
    createRetentionPolicy(parts, log),
    createMetricRulePolicy(parts, log),
    createRecordRulePolicy(parts, log),
    createSloPolicy(parts, log),
    createNotificationPolicy(parts, log),
    createIncidentPolicy(parts, log),
    createNotificationCompactor(parts, log),
    createSessionExpiryPolicy(parts, log),
    createSignOutCleanup(parts, log),
  ];
}

function createRetentionPolicy(
  { settings, eventStore, accessThread, projector, metrics, ownedShards, retentionClock }: ServiceParts,
  log: Logger,
): Policy {
  return new RetentionPolicy({
    events: eventStore,
    clock: retentionClock,
    readTelemetryAges: async () =>
      (await accessThread.api.telemetryAges()).filter(({ gridId }) => ownedShards.ownsGrid(gridId)),
    vacuum: () => projector.api.vacuum(),
    defaultDays: settings.retentionDays,
    log,
    reportFreedBytes: (bytes) => metrics.countFreedBytes('read-models', bytes),
    newId: randomUUID,
  });
}

function createMetricRulePolicy(
  {
    diagnostics: { api: diagnostics },
    accessThread: { api: accessQueries },
    handleAlertCommand: handle,
    feed,
    ownedShards,
  }: ServiceParts,
  log: Logger,
): Policy {
  const owned = {
    evaluations: (gridId: string) => diagnostics.evaluations(gridId),
    gridsWithRecentTelemetry: async () =>
      (await diagnostics.gridsWithRecentTelemetry(ownedShards.all)).filter((gridId) => ownedShards.ownsGrid(gridId)),
    alertRules: (gridId: string) => accessQueries.alertRules(gridId),
    openAlerts: async () => (await accessQueries.openAlerts()).filter(({ gridId }) => ownedShards.ownsGrid(gridId)),
  };
  return new MetricRulePolicy({ diagnostics: owned, alerts: owned, handle, hints: feed.hints, log });
}

function createRecordRulePolicy(
  {
    reader: { api: queries },
    accessThread: { api: accessQueries },
    handleAlertCommand: handle,
    progress,
    access,
    ownedShards,
  }: ServiceParts,
  log: Logger,
): Policy {
  const visibility = createVisibilityWaiter(progress, 'alerts');
  return new RecordRulePolicy({
    queries,
    alerts: {
      alertRules: (gridId) => accessQueries.alertRules(gridId),
      openAlerts: (gridId) => accessQueries.openAlerts(gridId),
      gridsWithRecordRules: async () =>
        (await accessQueries.gridsWithRecordRules()).filter((gridId) => ownedShards.ownsGrid(gridId)),
    },
    handle,
    waitForAlerts: (position) => visibility.waitForPosition(position),
    findOwner: createOwnerLookup(access),
    log,
  });
}

/** Whose turns work on a Grid takes. */
function createOwnerLookup(access: ServiceParts['access']): (gridId: string) => Promise<string> {
  return async (gridId) => (await access.findGrid(gridId))?.ownerId ?? gridId;
}

function createSloPolicy(
  {
    diagnostics: { api: slos },
    accessThread,
    access,
    handleAlertCommand,
    handleEventCounts,
    ownedShards,
  }: ServiceParts,
  log: Logger,
): Policy {
  return new SloPolicy({
    slos: {
      allSlos: async () => (await slos.allSlos()).filter(({ gridId }) => ownedShards.ownsGrid(gridId)),
      evaluateSlo: (gridId, sloId) => slos.evaluateSlo(gridId, sloId),
      countNewEvents: (gridId, sloId) => slos.countNewEvents(gridId, sloId),
    },
    findOwner: createOwnerLookup(access),
    openAlerts: async () => (await accessThread.api.openAlerts()).filter(({ gridId }) => ownedShards.ownsGrid(gridId)),
    observe: handleAlertCommand,
    record: handleEventCounts,
    log,
  });
}

function createSessionExpiryPolicy(
  { accessThread, assistantCommands: commands, ownedShards }: ServiceParts,
  log: Logger,
): Policy {
  const gridsWithExpiredSessions = async (nowMs: number): Promise<readonly string[]> =>
    ownedShards.hasAdministration ? accessThread.api.gridsWithExpiredSessions(nowMs) : [];
  return new SessionExpiryPolicy({ usage: { gridsWithExpiredSessions }, commands, log });
}

function createSignOutCleanup({ eventStore, ownedShards }: ServiceParts, logger: Logger): Policy {
  return new SignOutCleanup({
    log: eventStore,
    sessionMs: SESSION_LIFETIME_MS,
    isResponsible: () => ownedShards.hasAdministration,
    logger,
  });
}

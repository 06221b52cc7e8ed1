import { randomUUID } from 'node:crypto';
import { SESSION_LIFETIME_MS } from '../auth/portal/portal-oidc-client.js';
import type { ServiceParts } from './composition.js';
import type { Logger } from '../self-telemetry/logger.js';
import { AlertingPolicy } from '../policies/alerting-policy.js';
import { RetentionPolicy } from '../policies/retention-policy.js';
import { SessionExpiryPolicy } from '../policies/session-expiry-policy.js';
import { SignOutCleanup } from '../policies/sign-out-cleanup.js';

/** Works by itself from `start` on. */
export interface Policy {
  start(): void;
  /** Legal twice. */
  stop(): Promise<void>;
}

/**
 * All that the process does without being asked, in the order in which it is started. What is done once for a Grid is done where its
 * read models are kept; several processes may do so for a moment, and the log decides.
 */
export function composePolicies(parts: ServiceParts, log: Logger): readonly Policy[] {
  if (!parts.settings.roles.has('project')) return [parts.keyUse];
  return [
    parts.keyUse,
    createRetentionPolicy(parts, log),
    createAlertingPolicy(parts, log),
    createSessionExpiryPolicy(parts, log),
    createSignOutCleanup(parts, log),
  ];
}

function createRetentionPolicy(
  { settings, eventStore, lookUps, projector, metrics, holdings }: ServiceParts,
  log: Logger,
): Policy {
  return new RetentionPolicy({
    events: eventStore,
    ages: async () => (await lookUps.api.telemetryAges()).filter(({ gridId }) => holdings.ownsGrid(gridId)),
    vacuum: () => projector.api.vacuum(),
    defaultDays: settings.retentionDays,
    log,
    reportFreedBytes: (bytes) => metrics.countFreedBytes('read-models', bytes),
    newId: randomUUID,
  });
}

function createAlertingPolicy(
  { diagnostics: { api: diagnostics }, lookUps: { api: lookUps }, handleAlerts: handle, feed, holdings }: ServiceParts,
  log: Logger,
): Policy {
  const mine = {
    evaluations: (gridId: string) => diagnostics.evaluations(gridId),
    gridsWithRecentTelemetry: async () =>
      (await diagnostics.gridsWithRecentTelemetry(holdings.all)).filter((gridId) => holdings.ownsGrid(gridId)),
    alertRules: (gridId: string) => lookUps.alertRules(gridId),
    openAlerts: async () => (await lookUps.openAlerts()).filter(({ gridId }) => holdings.ownsGrid(gridId)),
  };
  return new AlertingPolicy({ diagnostics: mine, alerts: mine, handle, hints: feed.hints, log });
}

function createSessionExpiryPolicy(
  { lookUps, assistantCommands: commands, holdings }: ServiceParts,
  log: Logger,
): Policy {
  const gridsWithExpiredSessions = async (nowMs: number): Promise<readonly string[]> =>
    holdings.hasAdministration ? lookUps.api.gridsWithExpiredSessions(nowMs) : [];
  return new SessionExpiryPolicy({ usage: { gridsWithExpiredSessions }, commands, log });
}

function createSignOutCleanup({ eventStore, holdings }: ServiceParts, logger: Logger): Policy {
  return new SignOutCleanup({
    log: eventStore,
    sessionMs: SESSION_LIFETIME_MS,
    isMine: () => holdings.hasAdministration,
    logger,
  });
}

import { randomUUID } from 'node:crypto';
import { SESSION_MS } from '../auth/portal/sign-in.js';
import type { Parts } from '../composition.js';
import type { Logger } from '../log.js';
import { AlertingPolicy } from '../policies/alerting.js';
import { RetentionPolicy } from '../policies/retention.js';
import { SessionExpiryPolicy } from '../policies/session-expiry.js';
import { SignOutTidying } from '../policies/sign-out-tidying.js';

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
export function policiesOf(parts: Parts, log: Logger): readonly Policy[] {
  if (!parts.settings.roles.has('project')) return [parts.keyUse];
  return [parts.keyUse, retention(parts, log), alerting(parts, log), sessionExpiry(parts, log), signOutTidying(parts, log)];
}

function retention({ settings, eventStore, lookUps, projector, metrics, holdings }: Parts, log: Logger): Policy {
  return new RetentionPolicy({
    events: eventStore,
    ages: async () => (await lookUps.api.telemetryAges()).filter(({ gridId }) => holdings.hasGrid(gridId)),
    vacuum: () => projector.api.vacuum(),
    defaultDays: settings.retentionDays,
    log,
    freed: (bytes) => metrics.retentionFreed('read-models', bytes),
    newId: randomUUID,
  });
}

function alerting({ diagnostics: { api: diagnostics }, lookUps: { api: lookUps }, handleAlerts: handle, feed, holdings }: Parts, log: Logger): Policy {
  const mine = {
    evaluations: (gridId: string) => diagnostics.evaluations(gridId),
    awakeGrids: async () => (await diagnostics.awakeGrids(holdings.all)).filter((gridId) => holdings.hasGrid(gridId)),
    alertRules: (gridId: string) => lookUps.alertRules(gridId),
    openAlerts: async () => (await lookUps.openAlerts()).filter(({ gridId }) => holdings.hasGrid(gridId)),
  };
  return new AlertingPolicy({ diagnostics: mine, alerts: mine, handle, hints: feed.hints, log });
}

function sessionExpiry({ lookUps, assistantCommands: commands, holdings }: Parts, log: Logger): Policy {
  const gridsWithExpiredSessions = async (nowMs: number): Promise<readonly string[]> => (holdings.hasAdministration ? lookUps.api.gridsWithExpiredSessions(nowMs) : []);
  return new SessionExpiryPolicy({ usage: { gridsWithExpiredSessions }, commands, log });
}

function signOutTidying({ eventStore, holdings }: Parts, logger: Logger): Policy {
  return new SignOutTidying({ log: eventStore, sessionMs: SESSION_MS, isMine: () => holdings.hasAdministration, logger });
}

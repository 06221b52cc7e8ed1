import { randomUUID } from 'node:crypto';
import type { Parts } from '../composition.js';
import type { Logger } from '../log.js';
import { AlertingPolicy } from '../policies/alerting.js';
import { RetentionPolicy } from '../policies/retention.js';
import { SessionExpiryPolicy } from '../policies/session-expiry.js';

/** Works by itself from `start` on. */
export interface Policy {
  start(): void;
  /** Legal twice. */
  stop(): Promise<void>;
}

/** All that the service does without being asked, in the order in which it is started. */
export function policiesOf(parts: Parts, log: Logger): readonly Policy[] {
  return [parts.keyUse, retention(parts, log), alerting(parts, log), sessionExpiry(parts, log)];
}

function retention({ settings, eventStore, lookUps, projector, metrics }: Parts, log: Logger): Policy {
  return new RetentionPolicy({
    events: eventStore,
    ages: () => lookUps.api.telemetryAges(),
    vacuum: () => projector.api.vacuum(),
    defaultDays: settings.retentionDays,
    log,
    freed: (bytes) => metrics.retentionFreed('read-models', bytes),
    newId: randomUUID,
  });
}

function alerting({ diagnostics, lookUps, handleAlerts: handle, feed }: Parts, log: Logger): Policy {
  return new AlertingPolicy({ diagnostics: diagnostics.api, alerts: lookUps.api, handle, hints: feed.hints, log });
}

function sessionExpiry({ lookUps, assistantCommands: commands }: Parts, log: Logger): Policy {
  return new SessionExpiryPolicy({ usage: lookUps.api, commands, log });
}

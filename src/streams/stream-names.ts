import { createHash } from 'node:crypto';

export const TELEMETRY_PREFIX = 'telemetry.';
export const RETENTION_PREFIX = 'retention-';
export const GRID_PREFIX = 'grid-';
export const ALERTS_PREFIX = 'alerts-';
export const SESSIONS_PREFIX = 'sessions-';
export const USAGE_PREFIX = 'usage-';
export const SPEECH_PREFIX = 'speech-';
export const CONVERSATIONS_PREFIX = 'conversations-';
export const KEY_USE_PREFIX = 'key-use-';
export const NOTIFICATIONS_PREFIX = 'notifications-';
export const SLOS_PREFIX = 'slos-';
export const INCIDENTS_PREFIX = 'incidents-';
export const ERROR_GROUPS_PREFIX = 'error-groups-';

/**
 * The stream of portal sign-outs and of memberships that tokens grant, shared by all Grids. No projection reads it: each
 * process that accepts portal sessions folds it itself.
 */
export const PORTAL_SESSIONS_STREAM = 'portal-sessions';

/** The stream of clock observations of the service (see policies/retention-clock.ts). No projection reads it. */
export const CLOCK_STREAM = 'service-clock';

/** The stream of retention watermarks that were taken back, of all Grids: it begins with RETENTION_PREFIX. */
export const RETENTION_WITHDRAWALS_STREAM = 'retention-withdrawals';

/** Prefixes of all projected streams except telemetry: low-volume streams of user actions and accounting. */
export const ADMINISTRATIVE_PREFIXES: readonly string[] = [
  GRID_PREFIX,
  ALERTS_PREFIX,
  SESSIONS_PREFIX,
  USAGE_PREFIX,
  SPEECH_PREFIX,
  CONVERSATIONS_PREFIX,
  KEY_USE_PREFIX,
  NOTIFICATIONS_PREFIX,
  SLOS_PREFIX,
  INCIDENTS_PREFIX,
  ERROR_GROUPS_PREFIX,
  RETENTION_WITHDRAWALS_STREAM,
];

/**
 * Partition of a Grid: the first two hex digits of the SHA-256 of its id. Stored in stream names, so it MUST NOT
 * change.
 */
export function computePartition(gridId: string): string {
  return createHash('sha256').update(gridId).digest('hex').slice(0, 2);
}

const telemetryStreams = new Map<string, string>();

/** Stream of the telemetry of a Grid's applications. */
export function telemetryStream(gridId: string): string {
  let name = telemetryStreams.get(gridId);
  if (name === undefined) {
    name = `${TELEMETRY_PREFIX}${computePartition(gridId)}-${gridId}`;
    telemetryStreams.set(gridId, name);
  }
  return name;
}

/**
 * Stream of a Grid's creation, settings, members, keys, limits, alert rules, objectives, charts, dashboards, channels,
 * notification routes and silences.
 */
export function gridStream(gridId: string): string {
  return GRID_PREFIX + gridId;
}

/** Stream of the usage of a Grid's API keys. */
export function keyUseStream(gridId: string): string {
  return KEY_USE_PREFIX + gridId;
}

/** Stream of a Grid's alerts: fired, acknowledged, resolved. */
export function alertsStream(gridId: string): string {
  return ALERTS_PREFIX + gridId;
}

/** Stream of a Grid's notifications: which were sent to which channels, and about which alerts. */
export function notificationsStream(gridId: string): string {
  return NOTIFICATIONS_PREFIX + gridId;
}

/** Stream of what was counted for a Grid's service level objectives. */
export function slosStream(gridId: string): string {
  return SLOS_PREFIX + gridId;
}

/** Stream of a Grid's incidents: what belongs to them, who takes care of them, and how they end. */
export function incidentsStream(gridId: string): string {
  return INCIDENTS_PREFIX + gridId;
}

/** Stream of what people did about a Grid's error groups. */
export function errorGroupsStream(gridId: string): string {
  return ERROR_GROUPS_PREFIX + gridId;
}

/** Stream of a Grid's assistant sessions. */
export function sessionsStream(gridId: string): string {
  return SESSIONS_PREFIX + gridId;
}

/** Stream of a user's prompts and energy across all Grids. */
export function usageStream(userId: string): string {
  return USAGE_PREFIX + encodeUserId(userId);
}

/** Stream of the audio that a Grid's assistant synthesized and recognized. */
export function speechStream(gridId: string): string {
  return SPEECH_PREFIX + gridId;
}

/** Stream of a user's conversations with the assistant in all Grids. */
export function conversationsStream(userId: string): string {
  return CONVERSATIONS_PREFIX + encodeUserId(userId);
}

/** User ids may contain characters that stream names must not. */
function encodeUserId(userId: string): string {
  return Buffer.from(userId).toString('base64url');
}

/** Stream of the retention watermarks of a Grid. */
export function retentionStream(gridId: string): string {
  return RETENTION_PREFIX + gridId;
}

/** Whether the stream name starts with one of the prefixes; true if there are no prefixes. */
export function hasPrefix(stream: string, prefixes: readonly string[] = []): boolean {
  return prefixes.length === 0 || prefixes.some((prefix) => stream.startsWith(prefix));
}

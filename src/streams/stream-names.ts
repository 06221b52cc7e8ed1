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

/** The one stream of sign-outs of the portal, in all Grids. No projection reads it: processes that take sessions fold it for themselves. */
export const PORTAL_SESSIONS_STREAM = 'portal-sessions';

/** Streams of everything that projections read but telemetry: few events, of people rather than of machines. */
export const ADMINISTRATIVE_PREFIXES: readonly string[] = [
  GRID_PREFIX,
  ALERTS_PREFIX,
  SESSIONS_PREFIX,
  USAGE_PREFIX,
  SPEECH_PREFIX,
  CONVERSATIONS_PREFIX,
  KEY_USE_PREFIX,
];

/** Partition of a Grid: the first two hex digits of SHA-256 of its id; 256 of them, fixed for ever. */
export function computePartition(gridId: string): string {
  return createHash('sha256').update(gridId).digest('hex').slice(0, 2);
}

const telemetryStreams = new Map<string, string>();

/** Stream of everything that a Grid's applications sent. */
export function telemetryStream(gridId: string): string {
  let name = telemetryStreams.get(gridId);
  if (name === undefined) {
    name = `${TELEMETRY_PREFIX}${computePartition(gridId)}-${gridId}`;
    telemetryStreams.set(gridId, name);
  }
  return name;
}

/** Stream of a Grid's creation, settings, members, keys, limits, alert rules, charts and dashboards. */
export function gridStream(gridId: string): string {
  return GRID_PREFIX + gridId;
}

/** Stream of what a Grid's API keys were used for. */
export function keyUseStream(gridId: string): string {
  return KEY_USE_PREFIX + gridId;
}

/** Stream of a Grid's alerts: fired, resolved. */
export function alertsStream(gridId: string): string {
  return ALERTS_PREFIX + gridId;
}

/** Stream of a Grid's assistant sessions. */
export function sessionsStream(gridId: string): string {
  return SESSIONS_PREFIX + gridId;
}

/** Stream of a user's prompts and energy, over all Grids. */
export function usageStream(userId: string): string {
  return USAGE_PREFIX + encodeUserId(userId);
}

/** Stream of the audio that a Grid's assistant spoke and heard. */
export function speechStream(gridId: string): string {
  return SPEECH_PREFIX + gridId;
}

/** Stream of a user's conversations with the assistant, in all Grids. */
export function conversationsStream(userId: string): string {
  return CONVERSATIONS_PREFIX + encodeUserId(userId);
}

/** Ids of users may have any characters; names of streams may not. */
function encodeUserId(userId: string): string {
  return Buffer.from(userId).toString('base64url');
}

/** Stream of the marks up to which a Grid's telemetry has expired. */
export function retentionStream(gridId: string): string {
  return RETENTION_PREFIX + gridId;
}

/** True where the stream's name starts with one of the prefixes, and where there is none to start with. */
export function hasPrefix(stream: string, prefixes: readonly string[] = []): boolean {
  return prefixes.length === 0 || prefixes.some((prefix) => stream.startsWith(prefix));
}

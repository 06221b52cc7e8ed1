import { createHash } from 'node:crypto';
import type { LiveDiagnosticsDocument, LiveTopic } from '../../read-models/documents/live-diagnostics-documents.js';
import { presentLiveTopic, STREAMED_TOPICS } from '../api/diagnostics-presenters.js';

/** One state of one topic as a server-sent event (WHATWG HTML, section 9.2.6), serialized once for all clients. */
export interface SseFrame {
  readonly version: number;
  /** Equal for equal states, also across restarts. */
  readonly fingerprint: string;
  /** Lines of the event without its id, up to and after its age. */
  readonly head: string;
  readonly tail: string;
  /** See LiveDiagnosticsDocument. */
  readonly since: number;
}

/** 48 bits, enough to distinguish the few states that one client can have seen. */
const FINGERPRINT_CHARS = 8;

/** Serializes a live document. */
export function buildFrame({ topic, version, at, since = at, answer }: LiveDiagnosticsDocument): SseFrame {
  const presented = presentLiveTopic(topic, answer);
  const members = JSON.stringify(presented).slice(1);
  return {
    version,
    fingerprint: computeFingerprint(presented),
    head: `event: ${topic}\ndata: {`,
    tail: `${members === '}' ? '' : ','}${members}\n\n`,
    since,
  };
}

/**
 * The lines of the event without its id. Besides the state they contain its age when it is sent (`ageMs`): an upper
 * bound of the time (ms) since the commit that caused the refresh.
 * @param now ms since 1970
 */
export function formatFrame({ head, tail, since }: SseFrame, now: number): string {
  return `${head}"ageMs":${Math.max(0, Math.round(now - since))}${tail}`;
}

/** Ignores the timestamp, which changes with every evaluation. */
function computeFingerprint(presented: object): string {
  const stable = 'timestamp' in presented ? { ...presented, timestamp: '' } : presented;
  return createHash('sha256').update(JSON.stringify(stable)).digest('base64url').slice(0, FINGERPRINT_CHARS);
}

export type SeenFingerprints = ReadonlyMap<LiveTopic, string>;

/**
 * The event id: the fingerprints of all topics that a client has after the event, empty for topics that it does not
 * follow. The id contains everything needed to resume, so servers need not remember clients.
 */
export function buildEventId(seen: SeenFingerprints): string {
  return STREAMED_TOPICS.map((topic) => seen.get(topic) ?? '').join('.');
}

/** Parses Last-Event-ID; an empty map for unknown formats. */
export function parseLastEventId(lastEventId: string | undefined): SeenFingerprints {
  const parts = lastEventId?.split('.', STREAMED_TOPICS.length + 1) ?? [];
  if (parts.length !== STREAMED_TOPICS.length) return new Map();
  return new Map(STREAMED_TOPICS.map((topic, at) => [topic, parts[at] ?? '']));
}

import { createHash } from 'node:crypto';
import type { LiveDiagnosticsDocument, LiveTopic } from '../../read-models/documents/live-diagnostics-documents.js';
import { presentLiveTopic, STREAMED_TOPICS } from '../api/diagnostics-presenters.js';

/** One state of one topic as clients receive it. Serialised once, whoever receives it (WHATWG HTML, section 9.2.6). */
export interface SseFrame {
  readonly version: number;
  /** Equal for equal answers, also after a restart. */
  readonly fingerprint: string;
  /** Lines of the event, but for its id. */
  readonly lines: string;
}

/** 48 bits: enough to tell apart the few states that one client can have seen. */
const FINGERPRINT_CHARS = 8;

export function buildFrame({ topic, version, answer }: LiveDiagnosticsDocument): SseFrame {
  const presented = presentLiveTopic(topic, answer);
  return {
    version,
    fingerprint: computeFingerprint(presented),
    lines: `event: ${topic}\ndata: ${JSON.stringify(presented)}\n\n`,
  };
}

/** A timestamp says when the answer was made, not what it is. */
function computeFingerprint(presented: object): string {
  const lasting = 'timestamp' in presented ? { ...presented, timestamp: '' } : presented;
  return createHash('sha256').update(JSON.stringify(lasting)).digest('base64url').slice(0, FINGERPRINT_CHARS);
}

export type SeenFingerprints = ReadonlyMap<LiveTopic, string>;

/**
 * What a client has after an event, as the event's id: the fingerprint of each topic, nothing for those that it does not
 * follow. So an id holds all that resuming takes, and no server has to remember its clients.
 */
export function buildEventId(seen: SeenFingerprints): string {
  return STREAMED_TOPICS.map((topic) => seen.get(topic) ?? '').join('.');
}

/** What `Last-Event-ID` tells; nothing where it is none of our ids. */
export function parseLastEventId(lastEventId: string | undefined): SeenFingerprints {
  const parts = lastEventId?.split('.', STREAMED_TOPICS.length + 1) ?? [];
  if (parts.length !== STREAMED_TOPICS.length) return new Map();
  return new Map(STREAMED_TOPICS.map((topic, at) => [topic, parts[at] ?? '']));
}

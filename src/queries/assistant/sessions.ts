import { and, eq, range } from '../../read-models/filter.js';
import type { ReadModelReader } from '../../read-models/store.js';
import type { UsageCollections } from '../../read-models/usage.js';
import type { ActiveSession } from './questions.js';

type Sessions = Pick<UsageCollections, 'sessions'>;

/** At the moment it expires a session is over. Undefined: unknown, ended or expired. */
export async function activeSession(store: ReadModelReader, { sessions }: Sessions, instanceId: string, nowMs: number): Promise<ActiveSession | undefined> {
  const session = await store.get(sessions, instanceId);
  return session !== undefined && session.expiresAt > nowMs ? session : undefined;
}

/** Times are whole milliseconds, so that the next one begins what comes after now. */
export async function countActiveSessions(store: ReadModelReader, { sessions }: Sessions, gridId: string, nowMs: number): Promise<number> {
  return store.count(sessions, and(eq('gridId', gridId), range('expiresAt', nowMs + 1)));
}

export async function gridsWithExpiredSessions(store: ReadModelReader, { sessions }: Sessions, nowMs: number): Promise<string[]> {
  const expired = await store.find(sessions, { filter: range('expiresAt', undefined, nowMs + 1) });
  return [...new Set(expired.map(({ document }) => document.gridId))].sort();
}

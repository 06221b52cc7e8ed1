import { SESSION_IDLE_MS } from '../../accounting/usage-limits.js';
import type { SessionEvent } from '../../streams/events/assistant-events.js';
import { reject, type Decider, type Decision, type Rejection } from '../decider.js';

interface GridScopedCommand {
  readonly gridId: string;
  /** ms since 1970. */
  readonly at: number;
}

interface SessionScopedCommand extends GridScopedCommand {
  readonly userId: string;
  readonly instanceId: string;
}

interface StartSession extends SessionScopedCommand {
  readonly type: 'StartSession';
  readonly maxSessions: number;
}

interface UseSession extends SessionScopedCommand {
  readonly type: 'UseSession';
}

interface EndSession extends SessionScopedCommand {
  readonly type: 'EndSession';
}

interface ExpireSessions extends GridScopedCommand {
  readonly type: 'ExpireSessions';
}

export type SessionCommand = StartSession | UseSession | EndSession | ExpireSessions;

export interface Session {
  readonly userId: string;
  readonly startedAt: number;
  readonly lastUsedAt: number;
}

/**
 * Sessions by instance id that have no end event. Expired ones are ended before one starts, so the state holds at most
 * as many as were ever active at once.
 */
export type SessionsState = ReadonlyMap<string, Session>;

const NO_CHANGE: readonly SessionEvent[] = [];
const eventTypes: ReadonlySet<string> = new Set<SessionEvent['type']>([
  'SessionStarted.v1',
  'SessionUsed.v1',
  'SessionEnded.v1',
]);

/** The assistant sessions of one Grid. */
export const sessionsDecider: Decider<SessionCommand, SessionsState, SessionEvent> = {
  eventTypes,
  initialState: new Map(),
  decide,
  evolveAll,
  evolve: (sessions, event) => evolveAll(sessions, [event]),
};

/** Expiry of the session unless it is used before, ms since 1970. */
export function sessionExpiryMs({ lastUsedAt }: Pick<Session, 'lastUsedAt'>): number {
  return lastUsedAt + SESSION_IDLE_MS;
}

function decide(command: SessionCommand, sessions: SessionsState): Decision<SessionEvent> {
  switch (command.type) {
    case 'StartSession':
      return start(command, sessions);
    case 'UseSession':
      return use(command, sessions);
    case 'EndSession':
      return end(command, sessions);
    case 'ExpireSessions':
      return buildExpiredEvents(command, sessions);
    default:
      return throwUnknownCommand(command);
  }
}

function start(command: StartSession, sessions: SessionsState): Decision<SessionEvent> {
  const { gridId, instanceId, userId, at, maxSessions } = command;
  if (maxSessions <= 0)
    return reject(
      'session-limit-reached',
      'This Grid does not allow assistant sessions. An Owner can change the limit.',
    );
  const expired = buildExpiredEvents(command, sessions);
  if (sessions.size - expired.length >= maxSessions) {
    return reject(
      'session-limit-reached',
      `This Grid allows ${maxSessions} assistant sessions at once: end one first.`,
    );
  }
  return [...expired, { type: 'SessionStarted.v1', data: { gridId, instanceId, userId, at } }];
}

function use({ gridId, instanceId, userId, at }: UseSession, sessions: SessionsState): Decision<SessionEvent> {
  const session = findActiveSession(sessions, instanceId, userId, at);
  if (session === undefined) return rejectUnknownSession();
  return at <= session.lastUsedAt && !isOfFuture(session, at)
    ? NO_CHANGE
    : [{ type: 'SessionUsed.v1', data: { gridId, instanceId, at } }];
}

function end({ gridId, instanceId, userId, at }: EndSession, sessions: SessionsState): Decision<SessionEvent> {
  if (findActiveSession(sessions, instanceId, userId, at) === undefined) return rejectUnknownSession();
  return [{ type: 'SessionEnded.v1', data: { gridId, instanceId, reason: 'ended', at } }];
}

function buildExpiredEvents({ gridId, at }: GridScopedCommand, sessions: SessionsState): readonly SessionEvent[] {
  const expired = [...sessions].filter(([, session]) => sessionExpiryMs(session) <= at || isOfFuture(session, at));
  return expired.map(([instanceId]) => ({
    type: 'SessionEnded.v1',
    data: { gridId, instanceId, reason: 'expired', at },
  }));
}

/**
 * Whether the clock was set back by more than the idle time since the session was used: such a session would hold its place
 * until the clock is there again. One that is used goes on.
 */
function isOfFuture({ lastUsedAt }: Session, at: number): boolean {
  return lastUsedAt > at + SESSION_IDLE_MS;
}

/**
 * The active session if it belongs to the user. Sessions of other users are treated as unknown, so that ids cannot be
 * probed.
 */
function findActiveSession(
  sessions: SessionsState,
  instanceId: string,
  userId: string,
  at: number,
): Session | undefined {
  const session = sessions.get(instanceId);
  return session?.userId === userId && sessionExpiryMs(session) > at ? session : undefined;
}

function evolveAll(sessions: SessionsState, events: readonly SessionEvent[]): SessionsState {
  const draft = new Map(sessions);
  for (const event of events) applyEvent(event, draft);
  return draft;
}

function applyEvent({ type, data }: SessionEvent, sessions: Map<string, Session>): void {
  switch (type) {
    case 'SessionStarted.v1':
      sessions.set(data.instanceId, { userId: data.userId, startedAt: data.at, lastUsedAt: data.at });
      return;
    case 'SessionUsed.v1':
      return recordUse(data, sessions);
    case 'SessionEnded.v1':
      sessions.delete(data.instanceId);
      return;
    default:
      throwUnknownEvent(type);
  }
}

function recordUse(
  { instanceId, at }: { readonly instanceId: string; readonly at: number },
  sessions: Map<string, Session>,
): void {
  const session = sessions.get(instanceId);
  if (session !== undefined) sessions.set(instanceId, { ...session, lastUsedAt: at });
}

function rejectUnknownSession(): Rejection {
  return reject('session-not-found', 'There is no such assistant session: start a new one.');
}

function throwUnknownCommand(command: never): never {
  throw new Error(`Unknown command ${JSON.stringify(command)}`);
}

function throwUnknownEvent(type: never): never {
  throw new Error(`Unknown event ${JSON.stringify(type)}`);
}

import type { MemberKind, Role } from '../streams/events/grid-events.js';

/** What the gate needs to know of a Grid. */
export interface GridAccess {
  readonly gridId: string;
  readonly subscriptionActive: boolean;
  /** Days that telemetry is kept; 0: for ever. The service's default is already applied. */
  readonly retentionDays: number;
}

/**
 * Look-ups that decide who may do what. Answers come from a cache of the process that is dropped
 * as soon as a command of this process changes them, and within 1 s of any other change.
 * Rejects with code `unavailable` while the read models cannot be reached.
 */
export interface AccessControl {
  /** The key that this text is, checked in constant time; undefined for an unknown, malformed, regenerated or revoked one. */
  apiKey(presented: string): Promise<{ readonly keyId: string; readonly gridId: string } | undefined>;
  grid(gridId: string): Promise<GridAccess | undefined>;
  /**
   * Role of a user or application in a Grid; undefined for no member. With `kind`, a membership of a user is none for an
   * application of the same id, and the other way round; a caller's kind MUST be given where roles are decided.
   */
  role(gridId: string, memberId: string, kind?: MemberKind): Promise<Role | undefined>;
}

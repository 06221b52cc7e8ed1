import type { ApiKeyKind, MemberKind, Role } from '../streams/events/grid-events.js';

/** Properties of a Grid that requests are checked against. */
export interface GridAccess {
  readonly gridId: string;
  /** The user who created the Grid, with whom its work is counted; absent if unknown. */
  readonly ownerId?: string;
  readonly subscriptionActive: boolean;
  /** Days that telemetry is retained; 0: unlimited. The service's default is already applied. */
  readonly retentionDays: number;
}

/** A valid API key. */
export interface ApiKeyAccess {
  readonly keyId: string;
  readonly gridId: string;
  readonly kind: ApiKeyKind;
  /** Who issued its secret: the id of a user or an application, `operator:…` or `system`. */
  readonly issuedBy: string;
}

/**
 * PORT: lookups for authorization. Results are cached per process; a command of this process invalidates them at once,
 * any other change within 1 s. Rejects with `unavailable` while the read models cannot be read.
 */
export interface AccessControl {
  /** Verifies an API key in constant time; undefined if it is unknown, malformed, regenerated or revoked. */
  findApiKey(presented: string): Promise<ApiKeyAccess | undefined>;
  /** Undefined for an unknown Grid. */
  findGrid(gridId: string): Promise<GridAccess | undefined>;
  /**
   * Time (ms since 1970) before which telemetry of the Grid has expired: such telemetry is not stored any more. 0:
   * nothing has expired.
   */
  findRetentionWatermark(gridId: string): Promise<number>;
  /**
   * Role of a user or application in a Grid; undefined for non-members. With `kind`, a membership of a user does not
   * apply to an application with the same id and vice versa; authorization decisions MUST pass the caller's kind. The
   * first of `memberId` and `otherIds` that is a member counts. `isEnough`: whether the caller is not denied anything with
   * this role or without one; otherwise changes of other processes are looked for first. Default: any role is enough.
   */
  findRole(
    gridId: string,
    memberId: string,
    kind?: MemberKind,
    otherIds?: readonly string[],
    isEnough?: (role: Role | undefined) => boolean,
  ): Promise<Role | undefined>;
}

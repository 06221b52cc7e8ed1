import { hasCode, HindsightError } from '../errors.js';
import type { ApiKeyKind, GridEvent, MemberKind, Role } from '../streams/events/grid-events.js';
import type { AccessControl, ApiKeyAccess, GridAccess } from './access-control.js';
import { isSameSecret, parseApiKey } from './api-key-format.js';
import type { ApiKeyUsageListener } from './api-key-usage-listener.js';
import { type CacheLimits, ExpiringCache } from './expiring-cache.js';
import type { Position } from '../streams/event-store.js';

interface GridRecord {
  readonly gridId: string;
  readonly ownerId?: string;
  readonly subscriptionActive: boolean;
  readonly retentionDays: number | null;
}

interface ApiKeyRecord {
  readonly keyId: string;
  readonly gridId: string;
  readonly secretHash: string;
  /** Absent in read models of schemas before 3, which are read until they are rebuilt: those keys are `full`. */
  readonly kind?: ApiKeyKind;
  readonly issuedBy?: string;
}

interface MemberRecord {
  readonly gridId: string;
  readonly role: Role;
  readonly kind?: MemberKind;
}

/** Reads of Grids, keys and members, `undefined` if unknown; and of expiry marks, 0 if there is none. */
export interface AccessLookups {
  grid(gridId: string): Promise<GridRecord | undefined>;
  apiKey(keyId: string): Promise<ApiKeyRecord | undefined>;
  member(gridId: string, memberId: string): Promise<MemberRecord | undefined>;
  expiryMark(gridId: string): Promise<number>;
}

export interface CachedAccessControlOptions {
  /** Default retention (days) of Grids without their own setting; 0: unlimited. */
  readonly retentionDays: number;
  /** How late (ms) a change of another process takes effect if its hint is lost. Default 1 s. */
  readonly ttlMs?: number;
  /** Cache entries of each kind. Default 10,000. */
  readonly maxEntries?: number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
  /** Receives every use of a known key, with the correct secret or not. */
  readonly usageListener?: Pick<ApiKeyUsageListener, 'recordUse' | 'recordRefusal'>;
}

const WRONG_SECRET = {
  kind: 'wrong-secret',
  reason: 'the secret of the API key is wrong, or was replaced by a new one',
} as const;

/**
 * `AccessControl` with a cache over lookups. Verifying a key in use costs one hash and one lookup in memory; a wrong
 * key only leaves a bounded note that its id is unknown. Call `invalidate` after changes.
 */
export class CachedAccessControl implements AccessControl {
  /** Changes that the read models do not contain yet; they override the lookups. */
  readonly pendingRevocations = new PendingRevocations();
  readonly #grids: ExpiringCache<GridRecord>;
  readonly #apiKeys: ExpiringCache<ApiKeyRecord>;
  readonly #members: ExpiringCache<MemberRecord>;
  readonly #expiryMarks: ExpiringCache<{ readonly before: number }>;

  constructor(
    private readonly lookups: AccessLookups,
    private readonly options: CachedAccessControlOptions,
  ) {
    const limits: CacheLimits = { ttlMs: options.ttlMs ?? 1_000, maxEntries: options.maxEntries ?? 10_000 };
    const now = options.now ?? (() => performance.now());
    this.#grids = new ExpiringCache(limits, now);
    this.#apiKeys = new ExpiringCache(limits, now);
    this.#members = new ExpiringCache(limits, now);
    this.#expiryMarks = new ExpiringCache(limits, now);
  }

  async findApiKey(presented: string): Promise<ApiKeyAccess | undefined> {
    const parsed = parseApiKey(presented);
    if (parsed === undefined) return undefined;
    const { keyId, secretHash } = parsed;
    const stored = await this.#apiKeys.get(keyId, () => orThrowUnavailable(this.lookups.apiKey(keyId)));
    if (stored === undefined) return undefined;
    const { gridId, kind = 'full', issuedBy = '' } = stored;
    const key = { keyId, gridId, kind, issuedBy };
    const currentHash = (this.pendingRevocations.findKeyChange(keyId) ?? stored).secretHash;
    if (currentHash === undefined) return undefined;
    if (!isSameSecret(secretHash, currentHash)) {
      this.options.usageListener?.recordRefusal(key, WRONG_SECRET);
      return undefined;
    }
    this.options.usageListener?.recordUse(key);
    return key;
  }

  async findGrid(gridId: string): Promise<GridAccess | undefined> {
    const grid = await this.#grids.get(gridId, () => orThrowUnavailable(this.lookups.grid(gridId)));
    if (grid === undefined) return undefined;
    const { ownerId, subscriptionActive, retentionDays } = grid;
    return {
      gridId,
      ...(ownerId !== undefined && { ownerId }),
      subscriptionActive,
      retentionDays: retentionDays ?? this.options.retentionDays,
    };
  }

  async findExpiryMark(gridId: string): Promise<number> {
    const lookup = async (): Promise<{ readonly before: number }> => ({
      before: await orThrowUnavailable(this.lookups.expiryMark(gridId)),
    });
    return (await this.#expiryMarks.get(gridId, lookup))?.before ?? 0;
  }

  async findRole(gridId: string, memberId: string, kind?: MemberKind): Promise<Role | undefined> {
    const member = await this.#members.get(`${gridId}/${memberId}`, () =>
      orThrowUnavailable(this.lookups.member(gridId, memberId)),
    );
    if (member === undefined) return undefined;
    const current = { ...member, ...this.pendingRevocations.findMemberChange(gridId, memberId) };
    const isOtherKind = kind !== undefined && current.kind !== undefined && current.kind !== kind;
    return isOtherKind ? undefined : current.role;
  }

  /** Drops all entries after a change: changes are rare and lookups cheap. */
  invalidate(): void {
    this.#grids.clear();
    this.#apiKeys.clear();
    this.#members.clear();
    this.#expiryMarks.clear();
  }
}

async function orThrowUnavailable<Answer>(lookup: Promise<Answer>): Promise<Answer> {
  try {
    return await lookup;
  } catch (error) {
    if (hasCode(error, 'unavailable')) throw error;
    throw new HindsightError('unavailable', 'Cannot read Grids and members now. Please try again.', [], {
      cause: error,
    });
  }
}

/** Current state of a key in the log: the hash of its secret; undefined if revoked. */
interface PendingKeyChange {
  readonly position: Position;
  readonly secretHash: string | undefined;
}

/** Current state of a membership in the log: its role; undefined if it has ended. */
interface PendingMemberChange {
  readonly position: Position;
  readonly role: Role | undefined;
  readonly kind?: MemberKind;
}

/** An event of a Grid's stream. */
interface GridStreamEvent {
  readonly type: string;
  readonly data: unknown;
  readonly position: Position;
}

/**
 * Changes of keys and memberships that are in the log but not in the read models yet: if the projector runs in another
 * process, that can last until a new process takes over. Contains only changes that revoke or modify access; additions
 * wait for the read models.
 */
export class PendingRevocations {
  private readonly keys = new Map<string, PendingKeyChange>();
  private readonly members = new Map<string, PendingMemberChange>();
  private projectedUpTo: Position | undefined;

  /** Applies the next event of the log. Returns whether it concerns access. */
  apply({ type, data, position }: GridStreamEvent): boolean {
    if (this.projectedUpTo !== undefined && position <= this.projectedUpTo) return false;
    const event = { type, data } as GridEvent;
    switch (event.type) {
      case 'ApiKeyRevoked.v1':
        this.keys.set(event.data.keyId, { position, secretHash: undefined });
        return true;
      case 'ApiKeyRegenerated.v1':
        this.keys.set(event.data.keyId, { position, secretHash: event.data.secretHash });
        return true;
      case 'MemberSet.v1':
        this.members.set(memberKey(event.data.gridId, event.data.userId), {
          position,
          role: event.data.role,
          ...(event.data.kind && { kind: event.data.kind }),
        });
        return true;
      case 'MemberRemoved.v1':
        this.members.set(memberKey(event.data.gridId, event.data.userId), { position, role: undefined });
        return true;
      default:
        return false;
    }
  }

  /** Drops changes up to this position, because the read models now contain them. */
  discardUpTo(position: Position): void {
    this.projectedUpTo = position;
    for (const changes of [this.keys, this.members]) {
      for (const [id, change] of changes) if (change.position <= position) changes.delete(id);
    }
  }

  findKeyChange(keyId: string): Omit<PendingKeyChange, 'position'> | undefined {
    return this.keys.get(keyId);
  }

  findMemberChange(gridId: string, userId: string): Omit<PendingMemberChange, 'position'> | undefined {
    return this.members.get(memberKey(gridId, userId));
  }
}

function memberKey(gridId: string, userId: string): string {
  return `${gridId}/${userId}`;
}

import { hasCode, HindsightError } from '../errors.js';
import type { MemberKind, Role } from '../streams/events/grid-events.js';
import type { AccessControl, GridAccess } from './access-control.js';
import { PendingRevocations } from './pending-revocations.js';
import { parseApiKey, isSameSecret } from './api-key-format.js';
import type { ApiKeyUsageListener } from './api-key-usage-listener.js';
import { ExpiringCache, type CacheLimits } from './expiring-cache.js';

interface GridRecord {
  readonly gridId: string;
  readonly subscriptionActive: boolean;
  readonly retentionDays: number | null;
}

interface ApiKeyRecord {
  readonly keyId: string;
  readonly gridId: string;
  readonly secretHash: string;
}

interface MemberRecord {
  readonly gridId: string;
  readonly role: Role;
  readonly kind?: MemberKind;
}

/** Reads of Grids, keys and members; `undefined` if unknown. */
export interface AccessLookups {
  grid(gridId: string): Promise<GridRecord | undefined>;
  apiKey(keyId: string): Promise<ApiKeyRecord | undefined>;
  member(gridId: string, memberId: string): Promise<MemberRecord | undefined>;
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

  constructor(
    private readonly lookups: AccessLookups,
    private readonly options: CachedAccessControlOptions,
  ) {
    const limits: CacheLimits = { ttlMs: options.ttlMs ?? 1_000, maxEntries: options.maxEntries ?? 10_000 };
    const now = options.now ?? (() => performance.now());
    this.#grids = new ExpiringCache(limits, now);
    this.#apiKeys = new ExpiringCache(limits, now);
    this.#members = new ExpiringCache(limits, now);
  }

  async findApiKey(presented: string): Promise<{ readonly keyId: string; readonly gridId: string } | undefined> {
    const parsed = parseApiKey(presented);
    if (parsed === undefined) return undefined;
    const { keyId, secretHash } = parsed;
    const stored = await this.#apiKeys.get(keyId, () => orThrowUnavailable(this.lookups.apiKey(keyId)));
    if (stored === undefined) return undefined;
    const key = { keyId, gridId: stored.gridId };
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
    const { subscriptionActive, retentionDays } = grid;
    return { gridId, subscriptionActive, retentionDays: retentionDays ?? this.options.retentionDays };
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

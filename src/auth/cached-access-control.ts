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

/** Reads of the Grids, keys and members; `undefined` for an unknown one. */
export interface AccessLookups {
  grid(gridId: string): Promise<GridRecord | undefined>;
  apiKey(keyId: string): Promise<ApiKeyRecord | undefined>;
  member(gridId: string, memberId: string): Promise<MemberRecord | undefined>;
}

export interface CachedAccessControlOptions {
  /** Of Grids that do not set their own; 0: for ever. */
  readonly retentionDays: number;
  /** Default 1 s: how late a change of another process may take effect when no hint comes. */
  readonly ttlMs?: number;
  /** Default 10,000, of each kind. */
  readonly maxEntries?: number;
  /** Milliseconds that never go back. */
  readonly now?: () => number;
  /** Told of every key that is presented and known, right or wrong. */
  readonly keyUses?: Pick<ApiKeyUsageListener, 'used' | 'refused'>;
}

const WRONG_SECRET = {
  kind: 'wrong-secret',
  reason: 'the secret of the API key is wrong, or was replaced by a new one',
} as const;

/**
 * `Access` over look-ups. A key in use costs one hash and one look-up in memory; a wrong key leaves nothing behind
 * but a bounded note that its id is unknown. Whoever changes something, or hears of a change, drops it here.
 */
export class CachedAccessControl implements AccessControl {
  /** Counts before what the look-ups say. Nothing, unless somebody tells it. */
  readonly news = new PendingRevocations();
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

  async apiKey(presented: string): Promise<{ readonly keyId: string; readonly gridId: string } | undefined> {
    const parsed = parseApiKey(presented);
    if (parsed === undefined) return undefined;
    const { keyId, secretHash } = parsed;
    const stored = await this.#apiKeys.get(keyId, () => orUnavailable(this.lookups.apiKey(keyId)));
    if (stored === undefined) return undefined;
    const key = { keyId, gridId: stored.gridId };
    const inForce = (this.news.key(keyId) ?? stored).secretHash;
    if (inForce === undefined) return undefined;
    if (!isSameSecret(secretHash, inForce)) {
      this.options.keyUses?.refused(key, WRONG_SECRET);
      return undefined;
    }
    this.options.keyUses?.used(key);
    return key;
  }

  async grid(gridId: string): Promise<GridAccess | undefined> {
    const grid = await this.#grids.get(gridId, () => orUnavailable(this.lookups.grid(gridId)));
    if (grid === undefined) return undefined;
    const { subscriptionActive, retentionDays } = grid;
    return { gridId, subscriptionActive, retentionDays: retentionDays ?? this.options.retentionDays };
  }

  async role(gridId: string, memberId: string, kind?: MemberKind): Promise<Role | undefined> {
    const member = await this.#members.get(`${gridId}/${memberId}`, () =>
      orUnavailable(this.lookups.member(gridId, memberId)),
    );
    if (member === undefined) return undefined;
    const now = { ...member, ...this.news.member(gridId, memberId) };
    const otherKind = kind !== undefined && now.kind !== undefined && now.kind !== kind;
    return otherKind ? undefined : now.role;
  }

  /** Forgets everything: something changed. Changes are rare, and to ask again is cheap. */
  invalidate(): void {
    this.#grids.clear();
    this.#apiKeys.clear();
    this.#members.clear();
  }
}

async function orUnavailable<Answer>(lookUp: Promise<Answer>): Promise<Answer> {
  try {
    return await lookUp;
  } catch (error) {
    if (hasCode(error, 'unavailable')) throw error;
    throw new HindsightError('unavailable', 'Grids and members cannot be looked up now.', [], { cause: error });
  }
}

import { isDeepStrictEqual } from 'node:util';
import { hasCode, HindsightError } from '../errors.js';
import type { MemberKind, Role } from '../streams/events/grid-events.js';
import type { AccessControl, ApiKeyAccess, GridAccess } from './access-control.js';
import type { ApiKeyRecord, GridRecord, MemberRecord } from './access-registry.js';
import { isSameSecret, parseApiKey } from './api-key-secret.js';
import type { ApiKeyUsageListener } from './api-key-usage-listener.js';
import { DenialRefresh } from './refresh-before-denial.js';

/** Grids, API keys and members as known to this process from the event log. */
export interface AccessLog {
  readonly records: AccessSource;
  /** Whether the log has been read to its end once. */
  readonly isCaughtUp: boolean;
  /**
   * Resolves once the records contain everything that was appended up to a second before the call, and all changes that
   * this process made. Rejects with `unavailable` when the log cannot be read.
   */
  ensureCurrent(): Promise<void>;
  /** The same for everything that was appended before the call. */
  refresh(): Promise<void>;
}

/**
 * Reads of Grids, API keys and members; `undefined` if unknown. Kind and issuer of a key are absent in read models of
 * schemas before 3, which are read until they are rebuilt: those keys are `full`.
 */
export interface AccessSource {
  grid(gridId: string): MaybePromise<GridRecord | undefined>;
  apiKey(keyId: string): MaybePromise<(Omit<ApiKeyRecord, 'kind' | 'issuedBy'> & Partial<ApiKeyRecord>) | undefined>;
  member(gridId: string, memberId: string): MaybePromise<MemberRecord | undefined>;
  /** 0 if nothing has expired. */
  retentionWatermark(gridId: string): MaybePromise<number>;
}

type MaybePromise<Value> = Value | Promise<Value>;

export interface EventLogAccessControlOptions {
  /** Default retention (days) of Grids without their own setting; 0: unlimited. */
  readonly retentionDays: number;
  /** Receives every use of a known key, with the correct secret or not. */
  readonly usageListener?: Pick<ApiKeyUsageListener, 'recordUse' | 'recordRefusal'>;
  /** The same records in the read models, for when the log cannot be read. Default: access is `unavailable` then. */
  readonly readModels?: AccessSource | undefined;
  /** Monotonic milliseconds. Default: `performance.now`. */
  readonly now?: () => number;
}

/** Whether what was found allows access; undefined: nothing was found. */
type Grants<Found> = (found: Found | undefined) => boolean;

const WRONG_SECRET = {
  kind: 'wrong-secret',
  reason: 'the secret of the API key is wrong, or was replaced by a new one',
} as const;

/**
 * `AccessControl` on the records of the event log. Granting access costs one lookup in memory. Before access is denied,
 * the log is read again: another process may have granted it just now. For users and applications at most four times a
 * second each in a Grid; for keys always, because a sender that is refused drops its data.
 *
 * While the log cannot be read, access is granted or denied as in the read models, if the records agree with them.
 * Either may lack a change: the records one that other processes made meanwhile, the read models one that no projector
 * has read. Where they differ, access is `unavailable`.
 */
export class EventLogAccessControl implements AccessControl {
  readonly #memberRefresh: DenialRefresh;

  constructor(
    private readonly log: AccessLog,
    private readonly options: EventLogAccessControlOptions,
  ) {
    this.#memberRefresh = new DenialRefresh(() => log.refresh(), options.now ?? (() => performance.now()));
  }

  async findApiKey(presented: string): Promise<ApiKeyAccess | undefined> {
    const parsed = parseApiKey(presented);
    if (parsed === undefined) return undefined;
    const { keyId, secretHash } = parsed;
    const found = await this.#find(
      async (source) => {
        const stored = await source.apiKey(keyId);
        if (stored === undefined) return undefined;
        const { gridId, kind = 'full', issuedBy = '' } = stored;
        return { key: { keyId, gridId, kind, issuedBy }, isCorrect: isSameSecret(secretHash, stored.secretHash) };
      },
      (each) => each?.isCorrect === true,
    );
    if (found === undefined) return undefined;
    const { key, isCorrect } = found;
    if (isCorrect) this.options.usageListener?.recordUse(key);
    else this.options.usageListener?.recordRefusal(key, WRONG_SECRET);
    return isCorrect ? key : undefined;
  }

  async findGrid(gridId: string): Promise<GridAccess | undefined> {
    return this.#find(async (source) => {
      const grid = await source.grid(gridId);
      if (grid === undefined) return undefined;
      const { ownerId, subscriptionActive, retentionDays } = grid;
      return {
        gridId,
        ...(ownerId !== undefined && { ownerId }),
        subscriptionActive,
        retentionDays: retentionDays ?? this.options.retentionDays,
      };
    });
  }

  async findRetentionWatermark(gridId: string): Promise<number> {
    const found = await this.#find(async (source) => ({ before: await source.retentionWatermark(gridId) }));
    return found?.before ?? 0;
  }

  async findRole(
    gridId: string,
    memberId: string,
    kind?: MemberKind,
    otherIds: readonly string[] = [],
    isEnough: (role: Role | undefined) => boolean = isAny,
  ): Promise<Role | undefined> {
    const findMember = async (source: AccessSource): Promise<{ readonly role: Role } | undefined> => {
      for (const id of [memberId, ...otherIds]) {
        const member = await source.member(gridId, id);
        const isOtherKind = kind !== undefined && member?.kind !== undefined && member.kind !== kind;
        if (member !== undefined && !isOtherKind) return { role: member.role };
      }
      return undefined;
    };
    // Reads for other Grids are not shared: the caller may just have created one. All reads together are bounded by the log's poll.
    const subject = `${gridId} ${kind ?? ''} ${memberId}`;
    const found = await this.#find(
      findMember,
      (member) => isEnough(member?.role),
      () => this.#memberRefresh.before(subject),
    );
    return found?.role;
  }

  /** What is known of a caller or Grid: from the log, else from the read models. `grants`: whether it allows access. */
  async #find<Found>(
    read: (source: AccessSource) => Promise<Found | undefined>,
    grants: Grants<Found> = isAny,
    refresh: () => Promise<void> = () => this.log.refresh(),
  ): Promise<Found | undefined> {
    const { log } = this;
    try {
      await log.ensureCurrent();
      const found = await read(log.records);
      if (grants(found)) return found;
      await refresh();
    } catch (error) {
      return this.#findWithoutLog(read, grants, error);
    }
    return read(log.records);
  }

  /**
   * Before the log has been read to its end once, the read models only grant: what they do not know yet may be in the log,
   * and a sender that is refused drops its data.
   */
  async #findWithoutLog<Found>(
    read: (source: AccessSource) => Promise<Found | undefined>,
    grants: Grants<Found>,
    cause: unknown,
  ): Promise<Found | undefined> {
    const { readModels } = this.options;
    if (readModels === undefined) throw createUnavailableError(cause);
    const projected = await read(readModels).catch((error: unknown) => {
      throw createUnavailableError(error);
    });
    const isReliable = this.log.isCaughtUp
      ? isDeepStrictEqual(await read(this.log.records), projected)
      : grants(projected);
    if (isReliable) return projected;
    throw createUnavailableError(cause);
  }
}

function isAny(found: unknown): boolean {
  return found !== undefined;
}

function createUnavailableError(cause: unknown): unknown {
  if (hasCode(cause, 'unavailable')) return cause;
  return new HindsightError('unavailable', 'Cannot read Grids and members at the moment. Please try again.', [], {
    cause,
  });
}

import type { ApiKeyDocument, GridDocument, MemberDocument } from '../../read-models/documents/access-documents.js';
import type { Signal } from '../../telemetry/signals.js';

/** A Grid as its administrators see it. Times are ms since 1970. */
export type GridRecord = Omit<GridDocument, 'createdBy'>;

export interface MemberRecord {
  readonly userId: string;
  readonly role: MemberDocument['role'];
  readonly addedAt: number;
  readonly addedBy: string;
}

/** The last ingestion of one signal with an API key. */
export interface LastIngestion {
  readonly signal: Signal;
  readonly at: number;
  readonly accepted: number;
  readonly rejected: number;
  /** Why records were rejected; empty if none were. */
  readonly message: string;
}

/** The last request with this API key that was rejected as a whole. */
export interface LastRefusal {
  readonly signal?: Signal;
  readonly at: number;
  /** A sentence for developers who instrument an application. */
  readonly reason: string;
}

/** Use of one API key, projected or not yet. */
export interface ApiKeyUse {
  readonly keyId: string;
  readonly lastUsedAt?: number;
  readonly sent: readonly LastIngestion[];
  readonly refused?: LastRefusal;
}

export interface ApiKeyRecord {
  readonly keyId: string;
  readonly name: string;
  readonly kind: ApiKeyDocument['kind'];
  /** Start of the key's text; reveals nothing of its secret. */
  readonly prefix: string;
  readonly createdAt: number;
  readonly createdBy: string;
  /** Null if the key was never used. */
  readonly lastUsedAt: number | null;
  readonly lastSent: readonly LastIngestion[];
  readonly lastRefused?: LastRefusal;
}

/** One administrative action. */
export interface AuditEntry {
  readonly at: number;
  readonly actor: string;
  /** API name of the event, such as `api-key.issued`. */
  readonly action: string;
  /** Id or name of the affected object. */
  readonly target: string;
  /** What changed; never contains a secret or its hash. */
  readonly details: Readonly<Record<string, unknown>>;
}

export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  readonly totalCount: number;
}

/**
 * Grids, members, API keys and audit entries as of the last projected event. Callers are responsible for
 * authorization.
 */
export interface AdministrationQueries {
  gridRecord(gridId: string): Promise<GridRecord | undefined>;
  /**
   * Grids of this member, sorted by name, then id. Memberships of the other kind belong to somebody else and are
   * ignored.
   */
  gridRecordsForMember(memberId: string, kind: 'user' | 'application'): Promise<readonly GridRecord[]>;
  /** All Grids, sorted by name, then id. For the operator only. */
  allGrids(): Promise<readonly GridRecord[]>;
  /** Ids of the Grids that this user or application created. */
  gridsCreatedBy(userId: string): Promise<readonly string[]>;
  /** Sorted by time of addition. */
  members(gridId: string): Promise<readonly MemberRecord[]>;
  /** Sorted by time of creation. */
  apiKeys(gridId: string): Promise<readonly ApiKeyRecord[]>;
  /** Newest first; `page` counts from 1. */
  audit(gridId: string, page: number, pageSize: number): Promise<AuditPage>;
}

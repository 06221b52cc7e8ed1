import type { GridDocument, MemberDocument } from '../../read-models/documents/access-documents.js';
import type { Signal } from '../../telemetry/signals.js';

/** A Grid as its administrators see it. Times are milliseconds since 1970 here. */
export type GridRecord = GridDocument;

export interface MemberRecord {
  readonly userId: string;
  readonly role: MemberDocument['role'];
  readonly addedAt: number;
  readonly addedBy: string;
}

/** What a key sent last, of one signal. */
export interface LastIngestion {
  readonly signal: Signal;
  readonly at: number;
  readonly accepted: number;
  readonly rejected: number;
  /** Why records were rejected; empty where none was. */
  readonly message: string;
}

/** The last request with a key that was turned away whole. */
export interface LastRefusal {
  readonly signal?: Signal;
  readonly at: number;
  /** A sentence for the one who instruments an application. */
  readonly reason: string;
}

/** What is known of the use of a key, stored or not. */
export interface ApiKeyUse {
  readonly keyId: string;
  readonly lastUsedAt?: number;
  readonly sent: readonly LastIngestion[];
  readonly refused?: LastRefusal;
}

export interface ApiKeyRecord {
  readonly keyId: string;
  readonly name: string;
  /** What the text of the key begins with; tells nothing of its secret. */
  readonly prefix: string;
  readonly createdAt: number;
  readonly createdBy: string;
  /** Null before the first use. */
  readonly lastUsedAt: number | null;
  readonly lastSent: readonly LastIngestion[];
  readonly lastRefused?: LastRefusal;
}

/** Who did what, and when. */
export interface AuditEntry {
  readonly at: number;
  readonly actor: string;
  /** The event in words of the API, such as `api-key.issued`. */
  readonly action: string;
  /** Id or name of what it was done to. */
  readonly target: string;
  /** What changed; never a secret or its hash. */
  readonly details: Readonly<Record<string, unknown>>;
}

export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  readonly totalCount: number;
}

/** Grids, members, keys and the audit as of the last projected event. Nobody's rights are checked here. */
export interface AdministrationQueries {
  gridRecord(gridId: string): Promise<GridRecord | undefined>;
  /** Of the member, by name, then id. A membership of the other kind is somebody else's. */
  gridRecordsForMember(memberId: string, kind: 'user' | 'application'): Promise<readonly GridRecord[]>;
  /** All there are, by name, then id: for the operator of the machine alone. */
  allGrids(): Promise<readonly GridRecord[]>;
  /** By when they were added. */
  members(gridId: string): Promise<readonly MemberRecord[]>;
  /** By when they were created. */
  apiKeys(gridId: string): Promise<readonly ApiKeyRecord[]>;
  /** Newest first. `page` from 1. */
  audit(gridId: string, page: number, pageSize: number): Promise<AuditPage>;
}

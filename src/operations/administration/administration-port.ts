import type { Role } from '../../streams/events/grid-events.js';

export { ROLES, type Role } from '../../streams/events/grid-events.js';

/** Records are those of the administration API, wherever they come from. Times are ISO texts. */
export interface Grid {
  readonly gridSecondaryId: string;
  readonly name: string;
  readonly apdexThresholdMs: number;
  readonly errorRateThreshold: number;
  readonly apdexHealthThreshold: number;
  /** Null: as long as the service keeps telemetry, which the API of a service tells in days. */
  readonly retentionDays: number | null;
  readonly subscriptionActive: boolean;
  readonly createdAt: string;
}

export type GridChanges = Partial<Omit<Grid, 'gridSecondaryId' | 'createdAt'>>;

export interface Member {
  readonly userId: string;
  readonly role: Role;
  readonly addedAt: string;
  readonly addedBy: string;
}

export interface ApiKey {
  readonly keyId: string;
  readonly name: string;
  readonly prefix: string;
  readonly role: string;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly lastUsedAt: string | null;
  readonly lastSent: readonly {
    readonly signal: string;
    readonly at: string;
    readonly accepted: number;
    readonly rejected: number;
    readonly message: string;
  }[];
  readonly lastRefused?: { readonly signal?: string; readonly at: string; readonly reason: string };
}

/** The key itself is shown this once. */
export interface IssuedApiKey {
  readonly keyId: string;
  readonly name: string;
  readonly apiKey: string;
  readonly createdAt: string;
}

export interface AuditPage {
  readonly entries: readonly {
    readonly at: string;
    readonly actor: string;
    readonly action: string;
    readonly target: string;
    readonly details: Readonly<Record<string, unknown>>;
  }[];
  readonly totalCount: number;
  readonly page: number;
  readonly pageSize: number;
}

/**
 * Grids, members, keys and the audit, on this machine or at a service elsewhere. What a command did MUST show in the next
 * answer. Rejects with the code of the rule that is broken: `invalid-request` with all faults, `not-found`, `last-owner`;
 * `forbidden` for a Grid that the caller may not know. Who works on this machine may know every Grid: `not-found` then.
 */
export interface Administration {
  /** Those of the caller; on this machine all. By name, then id. */
  listGrids(): Promise<readonly Grid[]>;
  readGrid(gridId: string): Promise<Grid>;
  /** `owner` becomes its Owner beside the caller; on this machine the caller is none. */
  createGrid(name: string, owner?: string): Promise<Grid>;
  changeGrid(gridId: string, changes: GridChanges): Promise<Grid>;
  listMembers(gridId: string): Promise<readonly Member[]>;
  setMember(gridId: string, userId: string, role: Role): Promise<Member>;
  removeMember(gridId: string, userId: string): Promise<void>;
  listApiKeys(gridId: string): Promise<readonly ApiKey[]>;
  issueApiKey(gridId: string, name: string): Promise<IssuedApiKey>;
  /** The former secret is void at once; the id stays. */
  regenerateApiKey(gridId: string, keyId: string): Promise<IssuedApiKey>;
  revokeApiKey(gridId: string, keyId: string): Promise<void>;
  /** Newest first; `page` from 1, `pageSize` at most 100. */
  readAuditPage(gridId: string, page: number, pageSize: number): Promise<AuditPage>;
}

import type { ApiKeyKind, Role } from '../../streams/events/grid-events.js';

export { API_KEY_KINDS, type ApiKeyKind, ROLES, type Role } from '../../streams/events/grid-events.js';

/** The records of the administration API, both local and remote. Times are ISO 8601 texts. */
export interface Grid {
  readonly gridSecondaryId: string;
  readonly name: string;
  readonly apdexThresholdMs: number;
  readonly errorRateThreshold: number;
  readonly apdexHealthThreshold: number;
  /** Null: the default of the service; its API reports that default in days. */
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
  readonly kind: ApiKeyKind;
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

/** Contains the secret API key, which cannot be read again. */
export interface IssuedApiKey {
  readonly keyId: string;
  readonly name: string;
  readonly kind: ApiKeyKind;
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
 * Administers Grids, members, API keys and the audit, on this machine or on a remote service. The effect of a command
 * MUST be visible to the next call. Rejects with the code of the violated rule: `invalid-request` with all faults,
 * `not-found`, `last-owner`; `forbidden` for a Grid that the caller cannot see. The local operator sees every Grid and
 * gets `not-found` instead.
 */
export interface Administration {
  /** The Grids of the caller, on this machine all Grids; ordered by name, then id. */
  listGrids(): Promise<readonly Grid[]>;
  readGrid(gridId: string): Promise<Grid>;
  /** `owner` becomes Owner of the Grid, in addition to a remote caller; the local operator does not. */
  createGrid(name: string, owner?: string): Promise<Grid>;
  changeGrid(gridId: string, changes: GridChanges): Promise<Grid>;
  listMembers(gridId: string): Promise<readonly Member[]>;
  setMember(gridId: string, userId: string, role: Role): Promise<Member>;
  removeMember(gridId: string, userId: string): Promise<void>;
  listApiKeys(gridId: string): Promise<readonly ApiKey[]>;
  issueApiKey(gridId: string, name: string, kind: ApiKeyKind): Promise<IssuedApiKey>;
  /** Invalidates the former secret at once; the key id stays. */
  regenerateApiKey(gridId: string, keyId: string): Promise<IssuedApiKey>;
  revokeApiKey(gridId: string, keyId: string): Promise<void>;
  /** Newest entries first; `page` counts from 1, `pageSize` is at most 100. */
  readAuditPage(gridId: string, page: number, pageSize: number): Promise<AuditPage>;
}

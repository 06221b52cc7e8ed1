import type { ApiKeyKind, GridSettings, MemberKind, Role } from '../../streams/events/grid-events.js';
import type { Collection } from '../read-model-store.js';

export interface GridDocument extends GridSettings {
  readonly gridId: string;
  readonly createdAt: number;
  /** The first Owner: who created the Grid, or for whom an operator did. Absent until there is one. */
  readonly ownerId?: string;
  /** Who created it, for the number of Grids per user. */
  readonly createdBy: string;
}

export interface ApiKeyDocument {
  readonly keyId: string;
  readonly gridId: string;
  readonly name: string;
  readonly kind: ApiKeyKind;
  readonly secretHash: string;
  readonly createdAt: number;
  readonly createdBy: string;
  /** Who issued the current secret: the calls made with it count for this user. */
  readonly issuedBy: string;
}

export interface MemberDocument {
  readonly gridId: string;
  readonly userId: string;
  readonly role: Role;
  /** Absent if the member was added without a kind: then it counts as either. */
  readonly kind?: MemberKind;
  readonly addedAt: number;
  readonly addedBy: string;
}

export const ACCESS_VERSION = 3;

/** Grids by id, keys by key id, members by `memberId`: who may do what where. */
export interface AccessCollections {
  readonly grids: Collection<GridDocument>;
  readonly apiKeys: Collection<ApiKeyDocument>;
  readonly members: Collection<MemberDocument>;
}

export function accessCollections(version: number): AccessCollections {
  return {
    grids: { name: `grids.v${version}`, indexes: [['createdBy']] },
    apiKeys: { name: `api-keys.v${version}`, indexes: [['gridId']] },
    members: { name: `members.v${version}`, indexes: [['gridId'], ['userId']] },
  };
}

export function memberId(gridId: string, userId: string): string {
  return `${gridId}/${userId}`;
}

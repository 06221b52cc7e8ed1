import {
  ACCESS_VERSION,
  accessCollections,
  memberId,
  type AccessCollections,
  type ApiKeyDocument,
  type GridDocument,
  type MemberDocument,
} from '../../read-models/documents/access-documents.js';
import { PROJECTIONS, readActiveVersion } from '../../read-models/documents/projection-documents.js';
import type { ReadModelReader } from '../../read-models/read-model-store.js';

/** All Grids, API keys and members: of each what authorization needs. */
export interface AccessRecords {
  readonly grids: readonly Pick<GridDocument, 'gridId' | 'ownerId' | 'subscriptionActive' | 'retentionDays'>[];
  readonly apiKeys: readonly Pick<ApiKeyDocument, 'keyId' | 'gridId' | 'secretHash' | 'kind' | 'issuedBy'>[];
  readonly members: readonly Pick<MemberDocument, 'gridId' | 'userId' | 'role' | 'kind'>[];
}

/** Reads all records; undefined before the first commit, and as long as a former version of the program wrote them. */
export async function readAccessRecords(store: ReadModelReader): Promise<AccessRecords | undefined> {
  const projection = await store.get(PROJECTIONS, 'access');
  if (projection?.schema !== ACCESS_VERSION) return undefined;
  const collections = accessCollections(projection.active);
  const [grids, apiKeys, members] = await Promise.all([
    store.find(collections.grids, {}),
    store.find(collections.apiKeys, {}),
    store.find(collections.members, {}),
  ]);
  return {
    grids: grids.map(({ document: { gridId, ownerId, subscriptionActive, retentionDays } }) => ({
      gridId,
      ...(ownerId !== undefined && { ownerId }),
      subscriptionActive,
      retentionDays,
    })),
    apiKeys: apiKeys.map(({ document: { keyId, gridId, secretHash, kind, issuedBy } }) => ({
      keyId,
      gridId,
      secretHash,
      kind,
      issuedBy,
    })),
    members: members.map(({ document: { gridId, userId, role, kind } }) => ({
      gridId,
      userId,
      role,
      ...(kind !== undefined && { kind }),
    })),
  };
}

/**
 * Read access to Grids, API keys and members for authorization. Results are as of the last projected event;
 * `undefined` for unknown ids.
 */
export interface AccessQueries {
  grid(gridId: string): Promise<GridDocument | undefined>;
  apiKey(keyId: string): Promise<ApiKeyDocument | undefined>;
  member(gridId: string, userId: string): Promise<MemberDocument | undefined>;
}

export function createAccessQueries(store: ReadModelReader): AccessQueries {
  const readCollections = async <Answer>(
    query: (collections: AccessCollections) => Promise<Answer | undefined>,
  ): Promise<Answer | undefined> => {
    const version = await readActiveVersion(store, 'access');
    return version === undefined ? undefined : query(accessCollections(version));
  };
  return {
    grid: (gridId) => readCollections(({ grids }) => store.get(grids, gridId)),
    apiKey: (keyId) => readCollections(({ apiKeys }) => store.get(apiKeys, keyId)),
    member: (gridId, userId) => readCollections(({ members }) => store.get(members, memberId(gridId, userId))),
  };
}

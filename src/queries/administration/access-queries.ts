import {
  accessCollections,
  memberId,
  type AccessCollections,
  type ApiKeyDocument,
  type GridDocument,
  type MemberDocument,
} from '../../read-models/documents/access-documents.js';
import { readActiveVersion } from '../../read-models/documents/projection-documents.js';
import type { ReadModelReader } from '../../read-models/read-model-store.js';

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

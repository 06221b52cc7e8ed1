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

/** Look-ups behind the gate: Grids, keys and members as the log has them, `undefined` for an unknown one. */
export interface AccessQueries {
  grid(gridId: string): Promise<GridDocument | undefined>;
  apiKey(keyId: string): Promise<ApiKeyDocument | undefined>;
  member(gridId: string, userId: string): Promise<MemberDocument | undefined>;
}

export function createAccessQueries(store: ReadModelReader): AccessQueries {
  const ask = async <Answer>(
    question: (collections: AccessCollections) => Promise<Answer | undefined>,
  ): Promise<Answer | undefined> => {
    const version = await readActiveVersion(store, 'access');
    return version === undefined ? undefined : question(accessCollections(version));
  };
  return {
    grid: (gridId) => ask(({ grids }) => store.get(grids, gridId)),
    apiKey: (keyId) => ask(({ apiKeys }) => store.get(apiKeys, keyId)),
    member: (gridId, userId) => ask(({ members }) => store.get(members, memberId(gridId, userId))),
  };
}

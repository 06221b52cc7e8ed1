import { accessCollections, memberId, type AccessCollections, type ApiKeyDocument, type GridDocument, type MemberDocument } from '../read-models/access.js';
import { activeVersion } from '../read-models/projections.js';
import type { ReadModelReader } from '../read-models/store.js';

/** Look-ups behind the gate: Grids, keys and members as the log has them, `undefined` for an unknown one. */
export interface AccessQueries {
  grid(gridId: string): Promise<GridDocument | undefined>;
  apiKey(keyId: string): Promise<ApiKeyDocument | undefined>;
  member(gridId: string, userId: string): Promise<MemberDocument | undefined>;
}

export function createAccessQueries(store: ReadModelReader): AccessQueries {
  const collections = async (): Promise<AccessCollections> => accessCollections(await activeVersion(store, 'access'));
  return {
    grid: async (gridId) => store.get((await collections()).grids, gridId),
    apiKey: async (keyId) => store.get((await collections()).apiKeys, keyId),
    member: async (gridId, userId) => store.get((await collections()).members, memberId(gridId, userId)),
  };
}

import { compareText } from '../../diagnostics/text-order.js';
import type { ApiKeyDocument } from '../../read-models/documents/access-documents.js';
import { eq } from '../../read-models/document-filter.js';
import { KEY_USE_PROJECTION, keyUseCollection, combineKeyUse } from '../../read-models/documents/key-use-documents.js';
import { readActiveVersion } from '../../read-models/documents/projection-documents.js';
import type { Collection, ReadModelReader } from '../../read-models/read-model-store.js';
import type { AdministrationQueries, ApiKeyRecord, ApiKeyUse } from './administration-query-types.js';

/** Active keys, oldest first, with their stored use. */
export async function findApiKeys(
  store: ReadModelReader,
  apiKeys: Collection<ApiKeyDocument>,
  gridId: string,
): Promise<ApiKeyRecord[]> {
  const keys = await store.find(apiKeys, { filter: eq('gridId', gridId) });
  const byKey = new Map((await findApiKeyUses(store, gridId)).map((use) => [use.keyId, use]));
  return keys.map(({ document }) => toApiKeyRecord(document, byKey.get(document.keyId))).sort(compareByCreation);
}

/** Stored use of all keys of a Grid. */
export async function findApiKeyUses(store: ReadModelReader, gridId: string): Promise<ApiKeyUse[]> {
  const uses = await store.find(keyUseCollection((await readActiveVersion(store, KEY_USE_PROJECTION)) ?? 0), {
    filter: eq('gridId', gridId),
  });
  return uses.map(({ document: { gridId: _gridId, ...use } }) => use);
}

/** Decorates the queries so that API keys include uses that this process has not projected yet. */
export function withUnprojectedUse(
  queries: AdministrationQueries,
  findUnprojectedUses: (gridId: string) => ReadonlyMap<string, ApiKeyUse>,
): AdministrationQueries {
  return {
    gridRecord: (gridId) => queries.gridRecord(gridId),
    gridRecordsForMember: (memberId, kind) => queries.gridRecordsForMember(memberId, kind),
    allGrids: () => queries.allGrids(),
    gridsCreatedBy: (userId) => queries.gridsCreatedBy(userId),
    members: (gridId) => queries.members(gridId),
    audit: (gridId, page, pageSize) => queries.audit(gridId, page, pageSize),
    async apiKeys(gridId) {
      const uses = findUnprojectedUses(gridId);
      return (await queries.apiKeys(gridId)).map((key) => mergeKeyUse(key, uses.get(key.keyId)));
    },
  };
}

function toApiKeyRecord(
  { keyId, name, kind, createdAt, createdBy }: ApiKeyDocument,
  use: ApiKeyUse | undefined,
): ApiKeyRecord {
  return mergeKeyUse(
    {
      keyId,
      name,
      kind: kind ?? KIND_BEFORE_SCHEMA_3,
      prefix: `hs_${keyId}_`,
      createdAt,
      createdBy,
      lastUsedAt: null,
      lastSent: [],
    },
    use,
  );
}

/** Documents of schemas before 3, which are read until they are rebuilt, have no kind. */
const KIND_BEFORE_SCHEMA_3: ApiKeyDocument['kind'] = 'full';

function mergeKeyUse(key: ApiKeyRecord, use: ApiKeyUse | undefined): ApiKeyRecord {
  if (use === undefined) return key;
  const { lastUsedAt, lastSent: sent, lastRefused: refused } = key;
  const stored: ApiKeyUse = {
    keyId: key.keyId,
    sent,
    ...(lastUsedAt !== null && { lastUsedAt }),
    ...(refused && { refused }),
  };
  const combined = combineKeyUse(stored, use);
  return {
    ...key,
    lastUsedAt: combined.lastUsedAt ?? null,
    lastSent: combined.sent,
    ...(combined.refused && { lastRefused: combined.refused }),
  };
}

function compareByCreation(a: ApiKeyRecord, b: ApiKeyRecord): number {
  return a.createdAt - b.createdAt || compareText(a.keyId, b.keyId);
}

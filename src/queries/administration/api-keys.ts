import { byText } from '../../diagnostics/by-text.js';
import type { ApiKeyDocument } from '../../read-models/access.js';
import { eq } from '../../read-models/filter.js';
import { KEY_USE_PROJECTION, keyUseCollection, laterUse } from '../../read-models/key-use.js';
import { activeVersion } from '../../read-models/projections.js';
import type { Collection, ReadModelReader } from '../../read-models/store.js';
import type { AdministrationQueries, ApiKeyRecord, KeyUse } from './questions.js';

/** Keys that are in force, the oldest first, with what is stored of their use. */
export async function apiKeysOf(store: ReadModelReader, apiKeys: Collection<ApiKeyDocument>, gridId: string): Promise<ApiKeyRecord[]> {
  const keys = await store.find(apiKeys, { filter: eq('gridId', gridId) });
  const byKey = new Map((await keyUsesOf(store, gridId)).map((use) => [use.keyId, use]));
  return keys.map(({ document }) => recordOf(document, byKey.get(document.keyId))).sort(byAge);
}

/** Of the Grid's keys, what is stored of their use. */
export async function keyUsesOf(store: ReadModelReader, gridId: string): Promise<KeyUse[]> {
  const uses = await store.find(keyUseCollection((await activeVersion(store, KEY_USE_PROJECTION)) ?? 0), { filter: eq('gridId', gridId) });
  return uses.map(({ document: { gridId: _gridId, ...use } }) => use);
}

/** The same questions; of keys also what only this process knows yet. */
export function withUseOf(queries: AdministrationQueries, useOf: (gridId: string) => ReadonlyMap<string, KeyUse>): AdministrationQueries {
  return {
    gridRecord: (gridId) => queries.gridRecord(gridId),
    gridRecordsOf: (memberId, kind) => queries.gridRecordsOf(memberId, kind),
    allGrids: () => queries.allGrids(),
    members: (gridId) => queries.members(gridId),
    audit: (gridId, page, pageSize) => queries.audit(gridId, page, pageSize),
    async apiKeys(gridId) {
      const uses = useOf(gridId);
      return (await queries.apiKeys(gridId)).map((key) => withUse(key, uses.get(key.keyId)));
    },
  };
}

function recordOf({ keyId, name, createdAt, createdBy }: ApiKeyDocument, use: KeyUse | undefined): ApiKeyRecord {
  return withUse({ keyId, name, prefix: `hs_${keyId}_`, createdAt, createdBy, lastUsedAt: null, lastSent: [] }, use);
}

function withUse(key: ApiKeyRecord, use: KeyUse | undefined): ApiKeyRecord {
  if (use === undefined) return key;
  const { lastUsedAt, lastSent: sent, lastRefused: refused } = key;
  const known: KeyUse = { keyId: key.keyId, sent, ...(lastUsedAt !== null && { lastUsedAt }), ...(refused && { refused }) };
  const later = laterUse(known, use);
  return { ...key, lastUsedAt: later.lastUsedAt ?? null, lastSent: later.sent, ...(later.refused && { lastRefused: later.refused }) };
}

function byAge(a: ApiKeyRecord, b: ApiKeyRecord): number {
  return a.createdAt - b.createdAt || byText(a.keyId, b.keyId);
}

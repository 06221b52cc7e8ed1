import assert from 'node:assert/strict';
import { readAccessRecords } from '../../../../src/queries/administration/access-queries.js';
import { MemoryReadModelStore } from '../../../../src/read-models/adapters/memory/read-model-store.js';
import {
  ACCESS_VERSION,
  accessCollections,
  memberId,
  type ApiKeyDocument,
  type GridDocument,
  type MemberDocument,
} from '../../../../src/read-models/documents/access-documents.js';
import { PROJECTIONS } from '../../../../src/read-models/documents/projection-documents.js';
import type { DocumentChange } from '../../../../src/read-models/read-model-store.js';
import { createInitialSettings } from '../../../../src/streams/events/grid-events.js';

const grid: GridDocument = {
  ...createInitialSettings('shop'),
  gridId: 'g',
  createdAt: 1,
  createdBy: 'bob',
  ownerId: 'bob',
};
const key: ApiKeyDocument = {
  keyId: 'k',
  gridId: 'g',
  name: 'app',
  kind: 'send',
  secretHash: 'ab',
  createdAt: 1,
  createdBy: 'bob',
  issuedBy: 'eve',
};
const bob: MemberDocument = { gridId: 'g', userId: 'bob', role: 'Owner', kind: 'user', addedAt: 1, addedBy: 'bob' };
const { kind: _, ...eve }: MemberDocument = { ...bob, userId: 'eve', role: 'Guest' };

/** A store with these documents in version 3 of the read model. */
async function storeWith(schema: number): Promise<MemoryReadModelStore> {
  const store = new MemoryReadModelStore();
  const { grids, apiKeys, members } = accessCollections(3);
  const changes: DocumentChange[] = [
    { kind: 'put', collection: PROJECTIONS, id: 'access', document: { active: 3, schema } },
    { kind: 'put', collection: grids, id: 'g', document: grid },
    { kind: 'put', collection: apiKeys, id: 'k', document: key },
    { kind: 'put', collection: members, id: memberId('g', 'bob'), document: bob },
    { kind: 'put', collection: members, id: memberId('g', 'eve'), document: eve },
  ];
  await store.commit(changes, []);
  return store;
}

describe('access records of the read models', () => {
  it('are what authorization needs of all Grids, keys and members of the active version', async () => {
    const records = await readAccessRecords(await storeWith(ACCESS_VERSION));
    assert.deepEqual(records, {
      grids: [{ gridId: 'g', ownerId: 'bob', subscriptionActive: true, retentionDays: null }],
      apiKeys: [{ keyId: 'k', gridId: 'g', secretHash: 'ab', kind: 'send', issuedBy: 'eve' }],
      members: [
        { gridId: 'g', userId: 'bob', role: 'Owner', kind: 'user' },
        { gridId: 'g', userId: 'eve', role: 'Guest' },
      ],
    });
  });

  it('are undefined before the first commit, and in the schema of another version of the program', async () => {
    assert.equal(await readAccessRecords(new MemoryReadModelStore()), undefined);
    assert.equal(await readAccessRecords(await storeWith(ACCESS_VERSION - 1)), undefined);
  });
});

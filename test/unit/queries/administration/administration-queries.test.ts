import assert from 'node:assert/strict';
import { createAdministrationQueries } from '../../../../src/queries/administration/administration-queries.js';
import { findApiKeyUses, withUnprojectedUse } from '../../../../src/queries/administration/api-key-queries.js';
import type { ApiKeyUse } from '../../../../src/queries/administration/administration-query-types.js';
import {
  accessCollections,
  memberId,
  type ApiKeyDocument,
  type GridDocument,
  type MemberDocument,
} from '../../../../src/read-models/documents/access-documents.js';
import { MemoryReadModelStore } from '../../../../src/read-models/adapters/memory/read-model-store.js';
import { auditCollections, type AuditDocument } from '../../../../src/read-models/documents/audit-documents.js';
import { keyUseCollection, type KeyUseDocument } from '../../../../src/read-models/documents/key-use-documents.js';
import { PROJECTIONS } from '../../../../src/read-models/documents/projection-documents.js';
import type { AnyCollection, DocumentChange } from '../../../../src/read-models/read-model-store.js';
import { createInitialSettings } from '../../../../src/streams/events/grid-events.js';

const { grids, members, apiKeys } = accessCollections(1);

class World {
  readonly store = new MemoryReadModelStore();
  readonly queries = createAdministrationQueries(this.store);

  async put(collection: AnyCollection, id: string, document: object): Promise<void> {
    const active = ['access', 'audit', 'key-use'].map((name): DocumentChange => ({
      kind: 'put',
      collection: PROJECTIONS,
      id: name,
      document: { active: 1, schema: 1 },
    }));
    await this.store.commit([...active, { kind: 'put', collection, id, document }], []);
  }

  grid(gridId: string, name: string, more: Partial<GridDocument> = {}): Promise<void> {
    return this.put(grids, gridId, {
      ...createInitialSettings(name),
      gridId,
      createdAt: 1,
      createdBy: 'a',
      ...more,
    } satisfies GridDocument);
  }

  member(gridId: string, userId: string, more: Partial<MemberDocument> = {}): Promise<void> {
    return this.put(members, memberId(gridId, userId), {
      gridId,
      userId,
      role: 'User',
      addedAt: 1,
      addedBy: 'a',
      ...more,
    } satisfies MemberDocument);
  }

  key(gridId: string, keyId: string, createdAt: number): Promise<void> {
    return this.put(apiKeys, keyId, {
      gridId,
      keyId,
      name: keyId,
      kind: 'full',
      secretHash: 'f00d',
      createdAt,
      createdBy: 'a',
      issuedBy: 'a',
    } satisfies ApiKeyDocument);
  }

  async entries(gridId: string, count: number, clock: (number: number) => number = (number) => number): Promise<void> {
    for (let number = 1; number <= count; number++) {
      const document: AuditDocument = {
        gridId,
        number,
        at: clock(number),
        actor: 'a',
        action: `action ${number}`,
        target: 't',
        details: {},
      };
      await this.put(auditCollections(1).entries, `${gridId}/${number}`, document);
    }
    await this.put(auditCollections(1).counts, gridId, { count });
  }

  use(use: KeyUseDocument): Promise<void> {
    return this.put(keyUseCollection(1), use.keyId, use);
  }
}

describe('administration queries', () => {
  let world: World;
  beforeEach(() => void (world = new World()));

  it('are answered with nothing before anything was projected', async () => {
    const { queries } = world;
    assert.equal(await queries.gridRecord('g'), undefined);
    assert.deepEqual(
      [
        await queries.gridRecordsForMember('u', 'user'),
        await queries.allGrids(),
        await queries.members('g'),
        await queries.apiKeys('g'),
      ],
      [[], [], [], []],
    );
    assert.deepEqual(await queries.audit('g', 1, 20), { entries: [], totalCount: 0 });
  });

  it('list Grids by name, then id: of a member, in the kind that it is, and all for an operator', async () => {
    await world.grid('g2', 'shop');
    await world.grid('g1', 'shop', { subscriptionActive: false });
    await world.grid('g3', 'bank');
    await world.grid('g4', 'aaa');
    await world.member('g1', 'u', { kind: 'user' });
    await world.member('g2', 'u');
    await world.member('g3', 'u', { kind: 'application' });
    const ids = (found: readonly { gridId: string }[]) => found.map(({ gridId }) => gridId);
    assert.deepEqual(ids(await world.queries.gridRecordsForMember('u', 'user')), ['g1', 'g2']);
    assert.deepEqual(ids(await world.queries.gridRecordsForMember('u', 'application')), ['g3', 'g2']);
    assert.deepEqual(ids(await world.queries.allGrids()), ['g4', 'g3', 'g1', 'g2']);
  });

  it('list members by when they were added, and nothing that the API does not report', async () => {
    await world.grid('g', 'shop');
    await world.member('g', 'b', { addedAt: 2, kind: 'user' });
    await world.member('g', 'a', { addedAt: 3 });
    await world.member('other', 'z');
    assert.deepEqual(await world.queries.members('g'), [
      { userId: 'b', role: 'User', addedAt: 2, addedBy: 'a' },
      { userId: 'a', role: 'User', addedAt: 3, addedBy: 'a' },
    ]);
  });

  it('page through the audit, the newest first by the log and not by a clock', async () => {
    await world.entries('g', 11, (number) => (number === 11 ? 0 : number));
    await world.entries('other', 5);
    const page = async (number: number, size: number) => {
      const { entries, totalCount } = await world.queries.audit('g', number, size);
      return [entries.map(({ action }) => action.replace('action ', '')), totalCount];
    };
    assert.deepEqual(await page(1, 2), [['11', '10'], 11]);
    assert.deepEqual(await page(2, 2), [['9', '8'], 11]);
    assert.deepEqual(await page(6, 2), [['1'], 11]);
    assert.deepEqual(await page(7, 2), [[], 11]);
    assert.deepEqual(await page(1_000_000_000, 100), [[], 11]);
  });

  it('find the Grids that a user created', async () => {
    await world.grid('g1', 'shop', { createdBy: 'alice' });
    await world.grid('g2', 'mall', { createdBy: 'bob' });
    await world.grid('g3', 'cart', { createdBy: 'alice' });
    assert.deepEqual([...(await world.queries.gridsCreatedBy('alice'))].sort(), ['g1', 'g3']);
    assert.deepEqual(await world.queries.gridsCreatedBy('carol'), []);
  });

  it('list keys by when they were issued, with their use and without their secrets', async () => {
    await world.key('g', 'k2', 1);
    await world.key('g', 'k1', 2);
    await world.key('other', 'k3', 1);
    const sending = { signal: 'logs', at: 7, accepted: 1, rejected: 0, message: '' } as const;
    await world.use({
      gridId: 'g',
      keyId: 'k1',
      lastUsedAt: 8,
      sent: [sending],
      refused: { at: 6, reason: 'too large' },
    });
    await world.use({ gridId: 'g', keyId: 'revoked', lastUsedAt: 9, sent: [] });
    const common = { kind: 'full', createdBy: 'a', lastSent: [] };
    assert.deepEqual(await world.queries.apiKeys('g'), [
      { ...common, keyId: 'k2', name: 'k2', prefix: 'hs_k2_', createdAt: 1, lastUsedAt: null },
      {
        ...common,
        keyId: 'k1',
        name: 'k1',
        prefix: 'hs_k1_',
        createdAt: 2,
        lastUsedAt: 8,
        lastSent: [sending],
        lastRefused: { at: 6, reason: 'too large' },
      },
    ]);
    assert.deepEqual(await findApiKeyUses(world.store, 'other'), []);
  });

  it('know of keys also what is not stored yet, whichever is newer', async () => {
    await world.key('g', 'k', 1);
    await world.key('g', 'unused', 2);
    const sending = (at: number, signal: 'logs' | 'traces') => ({ signal, at, accepted: 1, rejected: 0, message: '' });
    await world.use({
      gridId: 'g',
      keyId: 'k',
      lastUsedAt: 8,
      sent: [sending(7, 'logs'), sending(3, 'traces')],
      refused: { at: 6, reason: 'old' },
    });
    const inMemory: ApiKeyUse = {
      keyId: 'k',
      lastUsedAt: 10,
      sent: [sending(5, 'logs'), sending(10, 'traces')],
      refused: { signal: 'logs', at: 9, reason: 'new' },
    };
    const [key, unused] = await withUnprojectedUse(
      world.queries,
      (gridId) => new Map(gridId === 'g' ? [['k', inMemory]] : []),
    ).apiKeys('g');
    assert.deepEqual(
      [key.lastUsedAt, key.lastSent, key.lastRefused],
      [10, [sending(7, 'logs'), sending(10, 'traces')], { signal: 'logs', at: 9, reason: 'new' }],
    );
    assert.equal(unused.lastUsedAt, null);
  });
});

import assert from 'node:assert/strict';
import { evolveApiKey, evolveGrid, evolveMember } from '../../../src/projections/access-projection.js';
import type { GridEvent } from '../../../src/streams/events/grid-events.js';

const by = (at: number) => ({ actor: 'owner', at, gridId: 'g' });

function folded<Document>(
  evolve: (document: Document | undefined, event: GridEvent) => Document | undefined,
  ...events: GridEvent[]
): Document | undefined {
  return events.reduce<Document | undefined>(evolve, undefined);
}

describe('access projection', () => {
  it('starts a Grid with the settings of the contract and changes those that an event names', () => {
    const created: GridEvent = { type: 'GridCreated.v1', data: { ...by(1), name: 'shop' } };
    const defaults = {
      gridId: 'g',
      name: 'shop',
      apdexThresholdMs: 500,
      errorRateThreshold: 5,
      apdexHealthThreshold: 0.7,
      retentionDays: null,
      subscriptionActive: true,
      createdAt: 1,
      createdBy: 'owner',
    };
    assert.deepEqual(folded(evolveGrid, created), defaults);
    const changed: GridEvent = {
      type: 'GridSettingsChanged.v1',
      data: { ...by(2), changes: { retentionDays: 3, subscriptionActive: false } },
    };
    assert.deepEqual(folded(evolveGrid, created, changed), {
      ...defaults,
      retentionDays: 3,
      subscriptionActive: false,
    });
  });

  it('remembers the first Owner of a Grid, whoever joins or leaves later', () => {
    const set = (at: number, userId: string, role: 'Owner' | 'Member'): GridEvent => ({
      type: 'MemberSet.v1',
      data: { ...by(at), userId, role, kind: 'user' },
    });
    const created: GridEvent = { type: 'GridCreated.v1', data: { ...by(1), name: 'shop' } };
    assert.equal(folded(evolveGrid, created)?.ownerId, undefined);
    assert.equal(folded(evolveGrid, created, set(1, 'member', 'Member'))?.ownerId, undefined);
    const events = [created, set(1, 'alice', 'Owner'), set(2, 'bob', 'Owner')];
    const removed: GridEvent = { type: 'MemberRemoved.v1', data: { ...by(3), userId: 'alice' } };
    assert.equal(folded(evolveGrid, ...events, removed, set(4, 'carol', 'Owner'))?.ownerId, 'alice');
  });

  it('preserves a key when its secret changes, and removes a revoked one', () => {
    const issued: GridEvent = {
      type: 'ApiKeyIssued.v2',
      data: { ...by(1), keyId: 'k', secretHash: 'old', name: 'ci', kind: 'send' },
    };
    const regenerated: GridEvent = {
      type: 'ApiKeyRegenerated.v1',
      data: { ...by(2), actor: 'bob', keyId: 'k', secretHash: 'new' },
    };
    assert.deepEqual(folded(evolveApiKey, issued, regenerated), {
      keyId: 'k',
      gridId: 'g',
      name: 'ci',
      kind: 'send',
      secretHash: 'new',
      createdAt: 1,
      createdBy: 'owner',
      issuedBy: 'bob',
    });
    assert.equal(folded(evolveApiKey, issued, { type: 'ApiKeyRevoked.v1', data: { ...by(3), keyId: 'k' } }), undefined);
  });

  it('preserves since when someone is a member, and whether as a user or as an application', () => {
    const added: GridEvent = {
      type: 'MemberSet.v1',
      data: { ...by(1), userId: 'u', role: 'User', kind: 'application' },
    };
    const raised: GridEvent = {
      type: 'MemberSet.v1',
      data: { ...by(2), actor: 'other', userId: 'u', role: 'Owner', kind: 'application' },
    };
    assert.deepEqual(folded(evolveMember, added, raised), {
      gridId: 'g',
      userId: 'u',
      role: 'Owner',
      kind: 'application',
      addedAt: 1,
      addedBy: 'owner',
    });
    assert.equal(folded(evolveMember, added, { type: 'MemberRemoved.v1', data: { ...by(3), userId: 'u' } }), undefined);
    assert.deepEqual(folded(evolveMember, { type: 'MemberSet.v1', data: { ...by(1), userId: 'u', role: 'Guest' } }), {
      gridId: 'g',
      userId: 'u',
      role: 'Guest',
      addedAt: 1,
      addedBy: 'owner',
    });
  });
});

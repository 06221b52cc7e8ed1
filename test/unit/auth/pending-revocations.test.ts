import assert from 'node:assert/strict';
import {
  type AccessLookups,
  CachedAccessControl,
  PendingRevocations,
} from '../../../src/auth/cached-access-control.js';
import { mintApiKey } from '../../../src/auth/api-key-format.js';
import type { GridEvent } from '../../../src/streams/events/grid-events.js';
import type { Position } from '../../../src/streams/event-store.js';

const by = { actor: 'alice', at: 1, gridId: 'g' };
const at = (n: number): Position => String(n).padStart(4, '0') as Position;
const heard = (n: number, event: GridEvent) => ({ ...event, position: at(n) });
const key = mintApiKey();
const renewed = mintApiKey(key.keyId);
const revoked = (n: number) => heard(n, { type: 'ApiKeyRevoked.v1', data: { ...by, keyId: key.keyId } });
const regenerated = (n: number, to = renewed) =>
  heard(n, { type: 'ApiKeyRegenerated.v1', data: { ...by, keyId: key.keyId, secretHash: to.secretHash } });
const removed = (n: number) => heard(n, { type: 'MemberRemoved.v1', data: { ...by, userId: 'bob' } });
const became = (n: number, role: 'Guest' | 'Owner') =>
  heard(n, { type: 'MemberSet.v1', data: { ...by, userId: 'bob', role } });

/** Access over read models that stand still. */
function access(): CachedAccessControl {
  const lookups: AccessLookups = {
    grid: async () => undefined,
    expiryMark: async () => 0,
    apiKey: async (keyId) => (keyId === key.keyId ? { keyId, gridId: 'g', secretHash: key.secretHash } : undefined),
    member: async (gridId, userId) =>
      gridId === 'g' && userId === 'bob' ? { gridId, role: 'Owner', kind: 'user' } : undefined,
  };
  return new CachedAccessControl(lookups, { retentionDays: 7 });
}

describe('pending revocations', () => {
  it('revoke access that the read models still grant', async () => {
    const each = access();
    assert.ok(await each.findApiKey(key.text));
    assert.equal(await each.findRole('g', 'bob'), 'Owner');
    each.pendingRevocations.apply(revoked(1));
    each.pendingRevocations.apply(removed(2));
    assert.equal(await each.findApiKey(key.text), undefined);
    assert.equal(await each.findRole('g', 'bob'), undefined);
  });

  it('contain the current secret and role', async () => {
    const each = access();
    each.pendingRevocations.apply(regenerated(1));
    each.pendingRevocations.apply(became(2, 'Guest'));
    assert.equal(await each.findApiKey(key.text), undefined);
    const found = { keyId: key.keyId, gridId: 'g', kind: 'full', issuedBy: '' };
    assert.deepEqual(await each.findApiKey(renewed.text), found);
    assert.equal(await each.findRole('g', 'bob', 'user'), 'Guest');
    assert.equal(await each.findRole('g', 'bob', 'application'), undefined, 'the kind stays what it was');
  });

  it('grant no access that the read models do not contain', async () => {
    const each = access();
    const other = mintApiKey();
    each.pendingRevocations.apply(
      heard(1, {
        type: 'ApiKeyIssued.v2',
        data: { ...by, name: 'new', keyId: other.keyId, secretHash: other.secretHash, kind: 'full' },
      }),
    );
    each.pendingRevocations.apply(heard(2, { type: 'MemberSet.v1', data: { ...by, userId: 'eve', role: 'Owner' } }));
    assert.equal(await each.findApiKey(other.text), undefined);
    assert.equal(await each.findRole('g', 'eve'), undefined);
  });

  it('end once the read models contain them, also if they arrive late', () => {
    const news = new PendingRevocations();
    news.apply(regenerated(1));
    news.apply(removed(3));
    news.discardUpTo(at(2));
    assert.equal(news.findKeyChange(key.keyId), undefined);
    assert.ok(news.findMemberChange('g', 'bob'), 'that came behind it');
    assert.equal(news.apply(revoked(2)), false);
    assert.equal(news.findKeyChange(key.keyId), undefined);
    news.discardUpTo(at(3));
    assert.equal(news.findMemberChange('g', 'bob'), undefined);
  });

  it('reflect the last event', async () => {
    const each = access();
    for (const event of [
      regenerated(1),
      removed(2),
      regenerated(3, mintApiKey(key.keyId)),
      became(4, 'Guest'),
      revoked(5),
    ])
      assert.equal(each.pendingRevocations.apply(event), true);
    assert.equal(await each.findApiKey(renewed.text), undefined);
    assert.equal(await each.findRole('g', 'bob'), 'Guest');
    assert.equal(
      each.pendingRevocations.apply(
        heard(6, { type: 'GridSettingsChanged.v1', data: { ...by, changes: { name: 'mall' } } }),
      ),
      false,
    );
  });
});

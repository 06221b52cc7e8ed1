import assert from 'node:assert/strict';
import { authenticateSender, readApiKey } from '../../../../src/http/otlp/sender-authenticator.js';
import { STATUS_CODES_BY_REFUSAL } from '../../../../src/http/otlp/export-outcome.js';
import { FakeAccess } from './support/fake-access.js';

const KEY = { keyId: 'key', gridId: 'grid', kind: 'full', issuedBy: 'owner' } as const;

describe('authenticateSender', () => {
  const access = new FakeAccess();
  const nobody = (): void => assert.fail('nobody is turned away');

  it('knows the sender by its one key', async () => {
    assert.deepEqual(await authenticateSender(access, 'hs_key_secret', nobody), {
      keyId: 'key',
      gridId: 'grid',
      ownerId: 'grid',
      retentionDays: 7,
      expiredBefore: 0,
    });
  });

  it('refuses no key, an unknown key, a key without a Grid, and an inactive subscription', async () => {
    access.keys.set('hs_orphan_secret', { ...KEY, keyId: 'orphan', gridId: 'no-grid' });
    access.keys.set('hs_late_secret', { ...KEY, keyId: 'late', gridId: 'late' });
    access.grids.set('late', { gridId: 'late', subscriptionActive: false, retentionDays: 7 });
    const notified: string[] = [];
    const kindFor = async (key: string | undefined) => {
      const sender = await authenticateSender(access, key, (turnedAway, { kind }) =>
        notified.push(`${turnedAway.keyId} ${kind}`),
      );
      return 'kind' in sender ? sender.kind : 'admitted';
    };
    assert.equal(await kindFor(undefined), 'unauthenticated');
    assert.equal(await kindFor('hs_other_secret'), 'unauthenticated');
    assert.equal(await kindFor('hs_orphan_secret'), 'unauthenticated');
    assert.equal(await kindFor('hs_late_secret'), 'forbidden');
    assert.deepEqual(
      notified,
      ['late forbidden'],
      "a key that is right and may not send is told of, others are nobody's",
    );
  });

  it('takes keys that may send, and refuses one that may only read with a reason that says so', async () => {
    for (const kind of ['send', 'full'] as const) {
      access.keys.set('hs_key_secret', { ...KEY, kind });
      assert.ok('gridId' in (await authenticateSender(access, 'hs_key_secret', nobody)));
    }
    access.keys.set('hs_key_secret', { ...KEY, kind: 'read' });
    const notified: string[] = [];
    const refusal = await authenticateSender(access, 'hs_key_secret', ({ keyId }, { message }) =>
      notified.push(`${keyId}: ${message}`),
    );
    assert.ok('kind' in refusal);
    assert.equal(refusal.kind, 'forbidden');
    assert.match(refusal.message, /^key-kind: this API key is of the kind read/);
    assert.deepEqual(notified, [`key: ${refusal.message}`]);
    assert.deepEqual(STATUS_CODES_BY_REFUSAL[refusal.kind], { http: 403, rpc: 7 });
  });
});

describe('readApiKey', () => {
  it('takes exactly one', () => {
    assert.equal(readApiKey('hs_a_b'), 'hs_a_b');
    for (const header of [undefined, '', 'hs_a_b, hs_c_d', ['hs_a_b', 'hs_c_d']])
      assert.equal(readApiKey(header), undefined);
  });
});

import assert from 'node:assert/strict';
import { HindsightError } from '../../../../src/errors.js';
import { CredentialGuard, networkPrefix } from '../../../../src/http/limits/credential-guard.js';
import { startServer } from '../otlp/support/otlp-server.js';
import { post } from '../otlp/support/http-client.js';
import { startApi } from '../../../support/api.js';
import { GRID_A } from '../../../support/fake-access.js';
import { Http2Client } from '../otlp/support/http2-client.js';

describe('the guard of credentials', () => {
  let nowMs: number;
  let guard: CredentialGuard;
  beforeEach(() => {
    nowMs = 1_000;
    guard = new CredentialGuard({ failuresPerMinute: 3, now: () => nowMs, maxEntries: 4 });
  });
  const fail = (address: string, times = 3) => {
    for (let n = 0; n < times; n++) guard.recordFailure(address, `guess ${n}`);
  };

  it('looks at credentials until an address has been wrong too often, and again a minute after its first failure', () => {
    fail('192.0.2.1', 2);
    assert.equal(guard.waitMs('192.0.2.1', 'x'), 0);
    nowMs += 10_000;
    fail('192.0.2.1', 1);
    assert.equal(guard.waitMs('192.0.2.1', 'x'), 50_000);
    assert.equal(guard.waitMs('192.0.2.2', 'x'), 0, 'others are not concerned');
    nowMs += 50_000;
    assert.equal(guard.waitMs('192.0.2.1', 'x'), 0);
    fail('192.0.2.1', 1);
    assert.equal(guard.waitMs('192.0.2.1', 'x'), 0, 'a new minute has begun');
    fail('192.0.2.1', 2);
    assert.equal(guard.waitMs('192.0.2.1', 'x'), 60_000, 'and counts like the one before');
  });

  it('lets credentials pass that have proven genuine, until they fail', () => {
    guard.recordSuccess('mine');
    fail('192.0.2.1');
    assert.equal(guard.waitMs('192.0.2.1', 'mine'), 0);
    guard.recordFailure('198.51.100.1', 'mine');
    assert.ok(guard.waitMs('192.0.2.1', 'mine') > 0);
  });

  it('counts a /64 of IPv6 as one', () => {
    fail('2001:db8:0:1::1');
    assert.ok(guard.waitMs('2001:db8:0:1:ffff::2', 'x') > 0);
    assert.equal(guard.waitMs('2001:db8:0:2::1', 'x'), 0);
  });

  for (const [address, expected] of [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::1', '0:0:0:0::/64'],
    ['2001:0DB8::', '2001:db8:0:0::/64'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4::/64'],
    ['1::8', '1:0:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', ''],
  ] as const) {
    it(`takes ${address || 'no address'} for ${expected || 'one'}`, () =>
      assert.equal(networkPrefix(address), expected));
  }

  it('remembers a bounded number of addresses and credentials', () => {
    for (let n = 0; n < 10; n++) fail(`192.0.2.${n}`);
    assert.equal(guard.waitMs('192.0.2.0', 'x'), 0, 'forgotten');
    assert.ok(guard.waitMs('192.0.2.9', 'x') > 0);
    for (let n = 0; n < 10; n++) guard.recordSuccess(`key ${n}`);
    assert.ok(guard.waitMs('192.0.2.9', 'key 0') > 0, 'forgotten');
    assert.equal(guard.waitMs('192.0.2.9', 'key 9'), 0);
    for (const n of [7, 10, 11]) guard.recordSuccess(`key ${n}`);
    assert.equal(guard.waitMs('192.0.2.9', 'key 7'), 0, 'used again a moment ago');
    assert.ok(guard.waitMs('192.0.2.9', 'key 8') > 0, 'the one that was not used for longest');
  });

  it('does nothing when it is switched off', () => {
    const off = new CredentialGuard({ failuresPerMinute: 0 });
    for (let n = 0; n < 100; n++) off.recordFailure('192.0.2.1', 'x');
    assert.equal(off.waitMs('192.0.2.1', 'x'), 0);
  });
});

describe('wrong credentials at the API', () => {
  it('are 401, then 429 with a time to wait; a right key continues, no key is 401', async () => {
    const api = await startApi({ guard: new CredentialGuard({ failuresPerMinute: 3 }) });
    try {
      const genuine = await api.get('/assistant/usage/me');
      assert.equal(genuine.status, 200);
      const before: number[] = [];
      for (let n = 0; n < 5; n++)
        before.push((await api.get('/assistant/usage/me', { headers: { authorization: `Bearer guess${n}` } })).status);
      assert.deepEqual(before, [401, 401, 401, 429, 429]);
      const refused = await api.get('/assistant/usage/me', { headers: { authorization: 'Bearer guess' } });
      assert.ok(Number(refused.headers.get('retry-after')) >= 1);
      assert.equal((await api.get('/assistant/usage/me')).status, genuine.status, 'who was let in before still is');
      assert.equal(
        (await api.get('/assistant/usage/me', { as: 'anonymous' })).status,
        401,
        'who presents nothing guesses nothing',
      );
    } finally {
      await api.stop();
    }
  });
});

describe('valid credentials from an address with too many wrong ones', () => {
  it('are accepted by the API, also for the first time', async () => {
    const api = await startApi({ guard: new CredentialGuard({ failuresPerMinute: 3 }) });
    try {
      const guess = async (n: number) =>
        (await api.get('/assistant/usage/me', { headers: { authorization: `Bearer guess${n}` } })).status;
      for (let n = 0; n < 4; n++) await guess(n);
      assert.equal(await guess(4), 429);
      for (const as of ['owner', 'member', 'application', 'key'] as const)
        assert.equal((await api.get(`/apm/traces/${GRID_A}/filters`, { as })).status, 200, as);
      assert.equal(await guess(5), 429);
    } finally {
      await api.stop();
    }
  });

  it('are accepted by ingestion over HTTP and gRPC, also for the first time, among many that guess at the same time', async () => {
    const running = await startServer({ guard: new CredentialGuard({ failuresPerMinute: 3 }) });
    const { http, grpc } = running.ports;
    const client = new Http2Client(grpc);
    try {
      const guess = async (n: number) =>
        (await post(http, { body: 'a', headers: { 'api-key': `hs_guess_${n}2345678` } })).status;
      for (let n = 0; n < 4; n++) await guess(n);
      const guesses = Promise.all(Array.from({ length: 40 }, (_, n) => guess(n)));
      const [reply, call] = await Promise.all([post(http, { body: 'a' }), client.call(Buffer.of(1))]);
      assert.deepEqual([reply.status, call.code], [200, 0]);
      assert.ok((await guesses).every((status) => status === 429));
    } finally {
      client.close();
      await running.server.close();
    }
  });
});

describe('credentials that cannot be looked at', () => {
  it('count as no guess', async () => {
    const verifyBearer = (): Promise<never> =>
      Promise.reject(
        new HindsightError('unavailable', 'Cannot reach the identity provider at the moment. Please try again.'),
      );
    const api = await startApi({ guard: new CredentialGuard({ failuresPerMinute: 1 }), verifyBearer });
    try {
      for (let n = 0; n < 3; n++) assert.equal((await api.get('/assistant/usage/me')).status, 503);
    } finally {
      await api.stop();
    }
  });
});

describe('wrong keys at ingestion', () => {
  it('are 401, then 429 with a time to wait; a right key continues', async () => {
    const running = await startServer({ guard: new CredentialGuard({ failuresPerMinute: 3 }) });
    try {
      const { http } = running.ports;
      assert.equal((await post(http, { body: 'a' })).status, 200);
      const statuses: number[] = [];
      for (let n = 0; n < 5; n++)
        statuses.push((await post(http, { body: 'a', headers: { 'api-key': `hs_guess_${n}2345678` } })).status);
      assert.deepEqual(statuses, [401, 401, 401, 429, 429]);
      assert.deepEqual(running.meters.refusals, [
        'unauthenticated',
        'unauthenticated',
        'unauthenticated',
        'throttled',
        'throttled',
      ]);
      assert.equal((await post(http, { body: 'b' })).status, 200);
    } finally {
      await running.server.close();
    }
  });

  it('of a client behind a trusted proxy do not count for others behind it', async () => {
    const { ClientResolver } = await import('../../../../src/http/connection/client-resolver.js');
    const clients = new ClientResolver([{ address: '127.0.0.1', bits: 32, family: 'ipv4' }]);
    const running = await startServer({ clients, guard: new CredentialGuard({ failuresPerMinute: 1 }) });
    const from = async (address: string, key: string) =>
      (await post(running.ports.http, { body: 'a', headers: { 'x-forwarded-for': address, 'api-key': key } })).status;
    try {
      assert.equal(await from('192.0.2.1', 'hs_guess_12345678'), 401);
      assert.equal(await from('192.0.2.1', 'hs_guess_12345678'), 429);
      assert.equal(await from('192.0.2.2', 'hs_guess_12345678'), 401);
    } finally {
      await running.server.close();
    }
  });
});

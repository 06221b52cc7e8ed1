import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ROUTES } from '../../../src/http/routes.js';
import { FETCHES_IN_A_ROW } from '../../../src/auth/tokens/unknown-key-fetches.js';
import { AUDIENCE, type KeyPair, makeKey, sign, TENANT } from '../../unit/auth/issuer-double.js';
import { methodOf, pathOf, requestOf } from '../../support/route-requests.js';
import { rawRequest, exchange } from '../../support/raw-http.js';
import { TwoGrids } from '../../support/two-grids.js';

/** Ids in paths; none is looked up before the token is verified. */
const ANY = '0d0d0d0d-1111-4222-8333-0123456789ab';
const IDS = new Proxy({}, { get: () => ANY });

/**
 * Forged and misused tokens against a running service. test/unit/auth/token-matrix.test.ts covers more than a hundred
 * invalid and thirty valid kinds of tokens; this suite checks that no operation accepts a forged token, and that none
 * makes the service send requests.
 */
describe('tokens at a running service', function () {
  this.timeout(120_000);
  let two: TwoGrids;
  let elsewhere: Server;
  let called = 0;
  let forged: Readonly<Record<string, string>>;

  before(async () => {
    two = await TwoGrids.start();
    elsewhere = createServer((_request, response) => (called++, response.end('{"keys":[]}'))).listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    forged = await forgeries(two, `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/keys`);
  });
  after(async () => {
    elsewhere.close();
    await two.dispose();
  });

  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
  const filters = (): string => `/apm/traces/${two.grids.a.id}/filters`;

  it(`are rejected by all ${ROUTES.length} operations if forged`, async () => {
    for (const route of ROUTES) {
      const { body, form } = requestOf(route);
      for (const [name, token] of Object.entries(forged)) {
        const sent = form?.() ?? body;
        const seen = await two.call('anonymous', methodOf(route), pathOf(route, IDS), {
          ...bearer(token),
          ...(sent && { body: sent }),
        });
        assert.deepEqual([route.operationId, name, seen.status], [route.operationId, name, 401]);
        assert.match(seen.headers.get('www-authenticate') ?? '', /^Bearer/);
      }
    }
    assert.equal(called, 0, 'addresses in tokens are never called');
  });

  it('are accepted if valid', async () => {
    for (const claims of [
      { oid: 'owner' },
      { oid: undefined, sub: 'owner' },
      { oid: 'owner', aud: [AUDIENCE] },
      { oid: 'owner', exp: Math.floor(Date.now() / 1000) - 50 },
      { oid: 'owner', scp: undefined },
    ]) {
      assert.equal(
        (await two.call('anonymous', 'GET', filters(), bearer(await two.token(claims)))).status,
        200,
        JSON.stringify(claims),
      );
    }
  });

  it('identify one caller: an application with the id of a user is not that user, and vice versa', async () => {
    const application = {
      oid: 'owner',
      sub: 'owner',
      scp: undefined,
      idtyp: 'app',
      azp: 'owner',
      roles: ['Grid.Access'],
    };
    assert.equal((await two.call('anonymous', 'GET', filters(), bearer(await two.token(application)))).status, 403);
    assert.equal(
      (await two.call('anonymous', 'GET', filters(), bearer(await two.token({ oid: 'application' })))).status,
      403,
    );
    for (const claim of ['email', 'upn', 'preferred_username', 'unique_name', 'role', 'gridSecondaryId']) {
      assert.equal(
        (await two.call('anonymous', 'GET', filters(), bearer(await two.token({ oid: 'outsider', [claim]: 'owner' }))))
          .status,
        403,
        claim,
      );
    }
  });

  it('are accepted in one header only', async () => {
    const token = await two.token({ oid: 'owner' });
    for (const path of [`${filters()}?access_token=${token}`, `${filters()}?authorization=Bearer%20${token}`])
      assert.equal((await two.call('anonymous', 'GET', path)).status, 401);
    assert.equal((await two.call('anonymous', 'GET', `${filters()}?api-key=${two.grids.a.apiKey}`)).status, 401);
    const port = Number(new URL(two.service.apiUrl).port);
    const status = async (...lines: readonly string[]): Promise<number> =>
      (await exchange(port, rawRequest('GET', filters(), ['X-Api-Version: 2.0', ...lines]))).status;
    assert.equal(await status(`Authorization: bEaReR ${token}`), 200);
    for (const value of [
      `Bearer  ${token}x`,
      `Bearer\t${token}.`,
      `Bearer ${token}, Bearer ${token}`,
      `Basic ${token}`,
      `Bearer`,
      token,
      `Bearer ${token}\u0001`,
    ]) {
      assert.ok([400, 401].includes(await status(`Authorization: ${value}`)), JSON.stringify(value.slice(0, 12)));
    }
    assert.ok(
      [400, 401].includes(await status(`Authorization: Bearer ${token}`, `Authorization: Bearer ${token}`)),
      'twice',
    );
    assert.equal(
      await status(`Authorization: Bearer ${forged['alg none']}`, `api-key: ${two.grids.a.apiKey}`),
      401,
      'the token counts where both are there',
    );
  });

  it('of a new signing key are accepted while others invent keys, and the identity provider is not called for each of these', async () => {
    const next = await makeKey('next');
    const claims = {
      iss: two.issuer.issuer,
      aud: AUDIENCE,
      oid: 'owner',
      scp: 'x',
      iat: Math.floor(Date.now() / 1000),
      exp: Math.floor(Date.now() / 1000) + 600,
    };
    const before = two.issuer.keyFetches;
    const call = async (by: KeyPair): Promise<number> =>
      (await two.call('anonymous', 'GET', filters(), bearer(await sign(by, claims)))).status;
    const invented = Array.from({ length: 200 }, (_, n) => call({ ...next, kid: `unknown-${n}` }));
    two.issuer.keys = [...two.issuer.keys, next.publicJwk];
    assert.equal(await call(next), 200);
    assert.ok((await Promise.all(invented)).every((status) => status === 401));
    // A few of them while they arrive, and one for all that wait.
    const fetches = two.issuer.keyFetches - before;
    assert.ok(fetches <= FETCHES_IN_A_ROW + 2, `${fetches} fetches`);
  });

  it('remain valid while the identity provider is unavailable or unresponsive', async () => {
    for (const mode of ['away', 'silent', 'garbage', 'huge'] as const) {
      two.issuer.mode = mode;
      assert.equal((await two.call('owner', 'GET', filters())).status, 200, mode);
    }
    two.issuer.mode = 'up';
  });
});

/** One forged token of each kind. */
async function forgeries(two: TwoGrids, elsewhere: string): Promise<Record<string, string>> {
  const [stranger, good] = [await makeKey('signer'), await two.token({ oid: 'owner' })];
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: two.issuer.issuer,
    aud: AUDIENCE,
    tid: TENANT,
    oid: 'owner',
    sub: 'x',
    scp: 'access',
    iat: now,
    nbf: now,
    exp: now + 3_600,
  };
  const [header = '', payload = '', signature = ''] = good.split('.');
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const hmac = `${part({ alg: 'HS256', kid: 'signer' })}.${payload}`;
  return {
    'alg none': `${part({ alg: 'none', kid: 'signer' })}.${payload}.`,
    'public key as secret': `${hmac}.${createHmac('sha256', JSON.stringify(two.issuer.keys[0])).update(hmac).digest('base64url')}`,
    'no signature': `${header}.${payload}.`,
    'another payload': `${header}.${part({ ...claims, oid: 'member' })}.${signature}`,
    'another key': await sign(stranger, claims),
    'key in the header': await sign(stranger, claims, { jwk: { ...stranger.publicJwk } }),
    'address of keys': await sign(stranger, claims, { jku: elsewhere, kid: 'other' }),
    'address of a certificate': await sign(stranger, claims, { x5u: elsewhere, kid: 'other' }),
    'kid a path': await sign(stranger, claims, { kid: '../../../../etc/passwd' }),
    'issuer of others': await two.token({ oid: 'owner', iss: `${two.issuer.url}/other/v2.0` }),
    'tenant of others': await two.token({ oid: 'owner', tid: '9188040d-6c67-4c5b-b112-36a304b66dad' }),
    'audience of others': await two.token({ oid: 'owner', aud: `${AUDIENCE}.evil` }),
    expired: await two.token({ oid: 'owner', exp: now - 61 }),
    'without end': await two.token({ oid: 'owner', exp: undefined }),
    'of the future': await two.token({ oid: 'owner', nbf: now + 3_600 }),
    'ID token': await two.token({ oid: 'owner', scp: undefined, nonce: 'n' }),
    'in the name of a key': await two.token({ oid: `key:${two.grids.a.keyId}` }),
    'key of the API': two.grids.a.apiKey,
    'no token': 'null',
  };
}

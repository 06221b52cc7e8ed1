import assert from 'node:assert/strict';
import type { JWTPayload } from 'jose';
import { createJwksFetcher } from '../../../../src/auth/tokens/issuer-discovery.js';
import { createTokenVerifier, type BearerOutcome } from '../../../../src/auth/tokens/token-verifier.js';
import type { SubjectRules } from '../../../../src/auth/tokens/token-subject.js';
import { IssuerDouble, makeKey, sign, type KeyPair } from '../issuer-double.js';

const NOW = 1_800_000_000;
const [GRID, OTHER_GRID] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
const grant = (claimValue: string, gridId: string, role: 'Guest' | 'Member' | 'Owner') => ({
  claimValue,
  gridId,
  role,
});

describe('tokens of any OpenID provider', () => {
  const issuer = new IssuerDouble();
  let key: KeyPair;
  let published: string | undefined;

  before(async () => {
    await issuer.listen();
    key = await makeKey('k1');
    issuer.keys = [key.publicJwk];
  });
  after(() => issuer.close());
  beforeEach(() => {
    published = undefined;
    issuer.discoveredIssuer = undefined;
  });

  async function verified(
    claims: JWTPayload,
    rules: Partial<SubjectRules> = {},
    written = issuer.issuer,
  ): Promise<BearerOutcome> {
    const verify = createTokenVerifier({
      issuer: written,
      audience: ['https://api.example', 'portal'],
      idTokenClients: ['portal'],
      appPermission: 'Grid.Access',
      anyProvider: true,
      ...rules,
      fetchKeys: createJwksFetcher(written, undefined, (spelling) => (published = spelling)),
      publishedIssuer: () => published,
      onRefreshFailure: (error) => assert.fail(String(error)),
      now: () => NOW * 1000,
    });
    const common = { iss: issuer.discoveredIssuer ?? issuer.issuer, aud: 'https://api.example', exp: NOW + 60 };
    return verify(await sign(key, { ...common, sub: 'ada', ...claims }));
  }

  async function refusal(...token: Parameters<typeof verified>): Promise<string> {
    const outcome = await verified(...token);
    return outcome.ok ? assert.fail('it was accepted') : outcome.detail;
  }

  const user = (more: object = {}): object => ({ ok: true, principal: { kind: 'user', id: 'ada', ...more } });

  it('need one of the accepted audiences, as a text or in a list', async () => {
    assert.deepEqual(await verified({}), user());
    assert.deepEqual(await verified({ aud: ['https://idp.example/userinfo', 'https://api.example'] }), user());
    for (const aud of ['https://api.example/', ['account', 'https://api.exampl'], [], undefined])
      assert.match(await refusal({ aud }), /another audience/);
  });

  it('come from the issuer as its document spells it, however the operator writes the slash at its end', async () => {
    issuer.discoveredIssuer = `${issuer.issuer}/`;
    assert.deepEqual(await verified({}), user());
    assert.match(await refusal({ iss: issuer.issuer }), /another issuer/);
    issuer.discoveredIssuer = undefined;
    assert.deepEqual(await verified({}, {}, `${issuer.issuer}/`), user());
    assert.match(await refusal({ iss: `${issuer.issuer}/` }, {}, `${issuer.issuer}/`), /another issuer/);
  });

  it('are not believed from a document of another issuer', async () => {
    issuer.discoveredIssuer = `${issuer.issuer}x`;
    await assert.rejects(verified({}));
  });

  it('may be ID tokens that were issued to the portal or the command line, and no others', async () => {
    assert.deepEqual(await verified({ aud: 'portal', nonce: 'n', azp: 'portal' }), user());
    assert.deepEqual(await verified({ aud: ['portal', 'project'], at_hash: 'h', azp: 'portal' }), user());
    assert.deepEqual(await verified({ aud: 'portal', azp: 'portal', typ: 'ID' }), user());
    for (const claims of [
      { aud: ['portal', 'other'], nonce: 'n' },
      { aud: ['portal', 'other'], nonce: 'n', azp: 'other' },
      { aud: 'portal', nonce: 'n', azp: 'other' },
      { aud: 'https://api.example', nonce: 'n' },
      { aud: ['other', 'https://api.example'], azp: 'other', typ: 'ID' },
      { aud: 'https://api.example', azp: 'other', token_use: 'id', scope: 'openid' },
    ])
      assert.match(await refusal(claims), /ID token/, JSON.stringify(claims));
  });

  it('are no logout tokens', async () => {
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    assert.match(await refusal({ aud: 'portal', events }), /reports an event/);
  });

  it('identify users by the chosen claim', async () => {
    const id = async (userClaim: string, claims: JWTPayload): Promise<unknown> => {
      const outcome = await verified(claims, { userClaim });
      return outcome.ok ? outcome.principal.id : outcome.detail;
    };
    assert.equal(await id('preferred_username', { preferred_username: 'ada.l' }), 'ada.l');
    assert.equal(await id('user.id', { user: { id: 'u-7' } }), 'u-7');
    assert.equal(await id('email', { email: 'Ada@Shop.example', email_verified: true }), 'ada@shop.example');
    assert.match(String(await id('email', { email: 'ada@shop.example' })), /no verified email \(OIDC_USER_CLAIM\)/);
    assert.match(String(await id('employee', {})), /it has no employee/);
    for (const employee of ['', 7, 'key:abc', ['ada'], 'x'.repeat(257)])
      assert.match(String(await id('employee', { employee })), /neither a user nor/);
  });

  it('make the address of a user known only if it is verified', async () => {
    const emails = ['Ada@Shop.example', 'ada@shop.example'];
    assert.deepEqual(await verified({ email: 'Ada@Shop.example', email_verified: true }), user({ emails }));
    for (const email_verified of [false, 'true', 1, undefined])
      assert.deepEqual(await verified({ email: 'ada@shop.example', email_verified }), user());
    assert.deepEqual(
      await verified({ email: 'ada@shop.example', email_verified: true }, { anyProvider: false }),
      user(),
    );
  });

  const granted = [
    ['a text', 'groups', { groups: 'ops' }],
    ['a list', 'groups', { groups: ['dev', 7, 'ops'] }],
    ['a path', 'realm_access.roles', { realm_access: { roles: ['ops'] } }],
    ['a name with dots', 'https://shop.example/roles', { 'https://shop.example/roles': ['ops'] }],
    ['an object', 'urn:roles', { 'urn:roles': { ops: { org: 'shop' } } }],
  ] as const;
  for (const [form, claim, claims] of granted)
    it(`grant a role by ${form}`, async () => {
      const roles = { claim, grants: [grant('ops', GRID, 'Member'), grant('admins', OTHER_GRID, 'Owner')] };
      assert.deepEqual(await verified({ ...claims }, { roles }), user({ roles: new Map([[GRID, 'Member']]) }));
    });

  it('grant the strongest of several roles, and none by another value', async () => {
    const grants = [grant('a', GRID, 'Member'), grant('b', GRID, 'Owner'), grant('c', GRID, 'Guest')];
    const roles = { claim: 'groups', grants };
    assert.deepEqual(
      await verified({ groups: ['c', 'b', 'a'] }, { roles }),
      user({ roles: new Map([[GRID, 'Owner']]) }),
    );
    for (const groups of ['A', ['a b'], { a: undefined }, null, undefined, '__proto__', { length: 1 }])
      assert.deepEqual(await verified({ groups }, { roles }), user(), JSON.stringify(groups));
  });

  it('know applications of Auth0 and Okta, which never are users', async () => {
    const application = { ok: true, principal: { kind: 'application', id: 'robot' } };
    const auth0 = { sub: 'robot@clients', azp: 'robot', gty: 'client-credentials', scope: 'read' };
    assert.deepEqual(await verified({ ...auth0, permissions: ['Grid.Access'] }), application);
    assert.deepEqual(
      await verified({ sub: 'robot', cid: 'robot', scp: ['read'], roles: ['Grid.Access'] }),
      application,
    );
    assert.match(await refusal({ ...auth0, scope: 'Grid.Access' }), /requires the permission/);
  });
});

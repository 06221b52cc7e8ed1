import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { CompactEncrypt, exportSPKI, importJWK, type JWTHeaderParameters, type JWTPayload } from 'jose';
import { createJwksFetcher } from '../../../src/auth/tokens/issuer-discovery.js';
import {
  createTokenVerifier,
  refuseBearer,
  type BearerOutcome,
  type TokenVerifierOptions,
  type VerifyBearer,
} from '../../../src/auth/tokens/token-verifier.js';
import { FETCHES_IN_A_ROW } from '../../../src/auth/tokens/unknown-key-fetches.js';
import { AUDIENCE, IssuerDouble, makeKey, sign, signRaw, TENANT, type KeyPair } from './issuer-double.js';

/** Whole seconds since 1970 at which every test takes place. */
const NOW = 1_800_000_000;
const PERMISSION = 'Grid.Access';
const CLIENT = 'f0e1d2c3-1111-4222-8333-444455556666';

type Header = Partial<JWTHeaderParameters>;

/** Which tokens are accepted: those of one directory with one audience, or those of any OpenID provider. */
const MODES: Record<string, Pick<TokenVerifierOptions, 'tenantId' | 'audience' | 'anyProvider' | 'idTokenClients'>> = {
  'of a directory': { tenantId: TENANT, audience: AUDIENCE },
  'of any provider': {
    tenantId: TENANT,
    audience: ['api://first', AUDIENCE],
    anyProvider: true,
    idTokenClients: ['hindsight-portal'],
  },
};

for (const [mode, rules] of Object.entries(MODES))
  describe(`token matrix ${mode}`, () => {
    const issuer = new IssuerDouble();
    let rsa: KeyPair,
      pss: KeyPair,
      ec: KeyPair,
      foreign: KeyPair,
      weak: KeyPair,
      unpinned: KeyPair,
      ofOtherTenant: KeyPair;
    let verify: VerifyBearer;

    before(async () => {
      await issuer.listen();
      [rsa, pss, ec, foreign, unpinned, ofOtherTenant] = await Promise.all([
        makeKey('rsa'),
        makeKey('pss', 'PS256'),
        makeKey('ec', 'ES256'),
        makeKey('rsa'),
        makeKey('unpinned'),
        makeKey('consumers'),
      ]);
      weak = await weakKey();
      const withoutAlg = { ...unpinned.publicJwk, alg: undefined };
      const consumers = {
        ...ofOtherTenant.publicJwk,
        issuer: 'https://login.example/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
      };
      const ofAnyTenant = { ...rsa.publicJwk, issuer: `${issuer.url}/{tenantid}/v2.0` };
      issuer.keys = [ofAnyTenant, pss.publicJwk, ec.publicJwk, weak.publicJwk, withoutAlg, consumers];
      verify = createTokenVerifier({
        issuer: issuer.issuer,
        ...rules,
        appPermission: PERMISSION,
        fetchKeys: createJwksFetcher(issuer.issuer),
        onRefreshFailure: (error) => assert.fail(String(error)),
        now: () => NOW * 1000,
      });
    });
    after(() => issuer.close());

    function userClaims(changes: JWTPayload = {}): JWTPayload {
      return {
        iss: issuer.issuer,
        aud: AUDIENCE,
        oid: 'alice',
        sub: 'pairwise',
        azp: CLIENT,
        scp: 'access',
        tid: TENANT,
        ver: '2.0',
        iat: NOW,
        nbf: NOW,
        exp: NOW + 3600,
        ...changes,
      };
    }

    function appClaims(changes: JWTPayload = {}): JWTPayload {
      return userClaims({
        oid: 'service-principal',
        sub: 'service-principal',
        scp: undefined,
        idtyp: 'app',
        roles: [PERMISSION],
        ...changes,
      });
    }

    const user = (changes?: JWTPayload, header?: Header): Promise<string> => sign(rsa, userClaims(changes), header);
    const app = (changes?: JWTPayload): Promise<string> => sign(rsa, appClaims(changes));
    const raw = (payload: string, header = '{"alg":"RS256","kid":"rsa"}'): Promise<string> =>
      signRaw(rsa, header, payload);
    const isUser = (id: string): BearerOutcome => ({ ok: true, principal: { kind: 'user', id } });
    const isApp = (id: string): BearerOutcome => ({ ok: true, principal: { kind: 'application', id } });

    const accepted: Record<string, [() => Promise<string>, BearerOutcome]> = {
      'user token of Entra': [() => user(), isUser('alice')],
      'user without oid: sub': [() => user({ oid: undefined }), isUser('pairwise')],
      'user without scopes and roles': [() => user({ scp: undefined }), isUser('alice')],
      'user without any client id': [() => user({ azp: undefined, scp: undefined, sub: 'alice' }), isUser('alice')],
      'user with oid equal to sub, with scopes': [() => user({ sub: 'alice' }), isUser('alice')],
      'user with the permission among the roles': [() => user({ roles: [PERMISSION] }), isUser('alice')],
      'user marked as such': [() => user({ idtyp: 'user', scp: undefined, sub: 'alice' }), isUser('alice')],
      'user without tid, nbf and iat': [
        () => user({ tid: undefined, nbf: undefined, iat: undefined }),
        isUser('alice'),
      ],
      'access token with nonce and scopes': [() => user({ nonce: 'n' }), isUser('alice')],
      'type at+jwt': [() => user({}, { typ: 'at+jwt' }), isUser('alice')],
      'type application/at+jwt': [() => user({}, { typ: 'application/AT+JWT' }), isUser('alice')],
      'no type': [() => user({}, { typ: undefined }), isUser('alice')],
      'type at+jwt with a nonce and without scopes': [
        () => user({ nonce: 'n', scp: undefined }, { typ: 'at+jwt' }),
        isUser('alice'),
      ],
      'signed PS256': [() => sign(pss, userClaims()), isUser('alice')],
      'signed ES256': [() => sign(ec, userClaims()), isUser('alice')],
      'key that names no algorithm': [() => sign(unpinned, userClaims()), isUser('alice')],
      'audience as a list of one': [() => user({ aud: [AUDIENCE] }), isUser('alice')],
      'expired 59 s ago': [() => user({ exp: NOW - 59 }), isUser('alice')],
      'valid in 60 s': [() => user({ nbf: NOW + 60, iat: NOW + 60 }), isUser('alice')],
      'application marked as such': [() => app(), isApp(CLIENT)],
      'application with oid equal to sub, without scopes': [() => app({ idtyp: undefined }), isApp(CLIENT)],
      'application of version 1: appid': [() => app({ azp: undefined, appid: CLIENT }), isApp(CLIENT)],
      'application as RFC 9068 has it': [
        () => app({ oid: undefined, azp: undefined, idtyp: undefined, client_id: 'robot', sub: 'robot', scope: 'all' }),
        isApp('robot'),
      ],
      'application without any subject': [
        () => app({ oid: undefined, sub: undefined, idtyp: undefined }),
        isApp(CLIENT),
      ],
      'application named twice alike': [() => app({ appid: CLIENT, client_id: CLIENT }), isApp(CLIENT)],
      'roles beside the permission': [() => app({ roles: ['Other', PERMISSION] }), isApp(CLIENT)],
      'application whose client id is the id of a user': [
        () => app({ azp: 'alice', sub: 'alice', oid: 'alice' }),
        isApp('alice'),
      ],
      'the same without the mark': [
        () => app({ azp: 'alice', sub: 'alice', oid: undefined, idtyp: undefined }),
        isApp('alice'),
      ],
      'claims that only look like rights': [
        () => user({ email: 'owner@example.com', upn: 'owner', grids: ['all'], role: 'Owner', gridId: 'x' }),
        isUser('alice'),
      ],
    };

    for (const [name, [token, expected]] of Object.entries(accepted)) {
      it(`accepts: ${name}`, async () => assert.deepEqual(await verify(await token()), expected));
    }

    const refused: Record<string, () => Promise<string>> = {
      nothing: async () => '',
      'no token': async () => 'hello',
      'two segments': async () => (await user()).split('.').slice(0, 2).join('.'),
      'four segments': async () => `${await user()}.x`,
      'empty signature': async () => `${(await user()).split('.').slice(0, 2).join('.')}.`,
      'space around': async () => ` ${await user()}`,
      'line break behind': async () => `${await user()}\n`,
      'NUL inside': async () => (await user()).replace('.', '.\0'),
      padding: async () => `${await user()}=`,
      'signature of another token': async () => withSignatureOf(await user(), await user({ oid: 'bob' })),
      'payload of another token': async () => withSignatureOf(await user({ oid: 'bob' }), await user()),
      'changed signature': async () => flipped(await user()),
      'signed by a key that is not published, under a published id': () => sign(foreign, userClaims()),
      'alg none': () => unsigned('none'),
      'alg None': () => unsigned('None'),
      'alg nOnE': () => unsigned('nOnE'),
      'no alg': () => raw(JSON.stringify(userClaims()), '{"kid":"rsa"}'),
      'alg as a list': () => raw(JSON.stringify(userClaims()), '{"alg":["RS256"],"kid":"rsa"}'),
      RS384: () => raw(JSON.stringify(userClaims()), '{"alg":"RS384","kid":"rsa"}'),
      'HS256 with the public key as PEM': () =>
        hmac(async () => Buffer.from(await exportSPKI(await publicCryptoKey()))),
      'HS256 with the public key as DER': () =>
        hmac(async () => Buffer.from(await crypto.subtle.exportKey('spki', await publicCryptoKey()))),
      'HS256 with the public key as JWK': () => hmac(async () => Buffer.from(JSON.stringify(rsa.publicJwk))),
      'HS256 with nothing': () => hmac(async () => Buffer.alloc(0)),
      'PS256 under a key for RS256': () => raw(JSON.stringify(userClaims()), '{"alg":"PS256","kid":"rsa"}'),
      'ES256 under a key of RSA': () => raw(JSON.stringify(userClaims()), '{"alg":"ES256","kid":"rsa"}'),
      'a published key of 1024 bits': () => signRaw(weak, '{"alg":"RS256","kid":"weak"}', JSON.stringify(userClaims())),
      'a published key of another tenant': () => sign(ofOtherTenant, userClaims()),
      'an encrypted token': async () =>
        new CompactEncrypt(Buffer.from(await user()))
          .setProtectedHeader({ alg: 'RSA-OAEP', enc: 'A128GCM', kid: 'rsa' })
          .encrypt(await encryptionKey()),
      crit: () => raw(JSON.stringify(userClaims()), '{"alg":"RS256","kid":"rsa","crit":["exp"],"exp":1}'),
      'empty crit': () => raw(JSON.stringify(userClaims()), '{"alg":"RS256","kid":"rsa","crit":[]}'),
      'crit b64': () => raw(JSON.stringify(userClaims()), '{"alg":"RS256","kid":"rsa","crit":["b64"],"b64":true}'),
      'b64 false': () => raw(JSON.stringify(userClaims()), '{"alg":"RS256","kid":"rsa","b64":false}'),
      'jku to us': () => user({}, { jku: `${issuer.url}/evil` }),
      'x5u to us': () => user({}, { x5u: `${issuer.url}/evil` }),
      'jwk, signed by it': () => sign(foreign, userClaims(), { jwk: { ...foreign.publicJwk } }),
      x5c: () => user({}, { x5c: ['MIIB'] }),
      'kid missing': () => user({}, { kid: undefined }),
      'kid empty': () => user({}, { kid: '' }),
      'kid unknown': () => user({}, { kid: 'nobody' }),
      'kid of another algorithm': () => user({}, { kid: 'ec' }),
      'kid a path': () => user({}, { kid: '../../etc/passwd' }),
      'kid SQL': () => user({}, { kid: "' OR 1=1 --" }),
      'kid an operator': () => raw(JSON.stringify(userClaims()), '{"alg":"RS256","kid":{"$ne":null}}'),
      'kid of 10 kB': () => user({}, { kid: 'k'.repeat(10_000) }),
      'type of an ID token of others': () => user({}, { typ: 'id+jwt' }),
      'type of a logout token': () => user({}, { typ: 'logout+jwt' }),
      'type of a proof': () => user({}, { typ: 'dpop+jwt' }),
      'type a number': () => raw(JSON.stringify(userClaims()), '{"alg":"RS256","kid":"rsa","typ":7}'),
      'issuer of another tenant': () => user({ iss: issuer.issuer.replace(TENANT, 'other') }),
      'issuer common': () => user({ iss: issuer.issuer.replace(TENANT, 'common') }),
      'issuer with a slash': () => user({ iss: `${issuer.issuer}/` }),
      'issuer in capitals': () => user({ iss: issuer.issuer.toUpperCase() }),
      'issuer with another scheme': () => user({ iss: issuer.issuer.replace('http:', 'https:') }),
      'issuer of version 1': () => user({ iss: `https://sts.windows.net/${TENANT}/` }),
      'issuer missing': () => user({ iss: undefined }),
      'issuer in a list': () => raw(JSON.stringify({ ...userClaims(), iss: [issuer.issuer] })),
      'tid of another tenant': () => user({ tid: '9188040d-6c67-4c5b-b112-36a304b66dad' }),
      'tid no id': () => user({ tid: 'x' }),
      'audience of another API': () => user({ aud: 'api://other' }),
      'audience Graph': () => user({ aud: '00000003-0000-0000-c000-000000000000' }),
      ...(rules.anyProvider !== true && {
        'audience ours and another': () => user({ aud: [AUDIENCE, 'api://other'] }),
      }),
      'audience missing': () => user({ aud: undefined }),
      'audience an empty list': () => user({ aud: [] }),
      'audience that begins like ours': () => user({ aud: `${AUDIENCE}.evil` }),
      'audience the scope': () => user({ aud: `${AUDIENCE}/.default` }),
      'ID token: audience is the client': () => user({ aud: CLIENT, nonce: 'n' }),
      'ID token with our audience: nonce': () => user({ scp: undefined, nonce: 'n' }),
      'ID token with our audience: at_hash': () => user({ scp: undefined, at_hash: 'h' }),
      'ID token with our audience: c_hash and roles': () => user({ scp: undefined, c_hash: 'h', roles: [PERMISSION] }),
      'exp missing': () => user({ exp: undefined }),
      'exp a text': () => raw(JSON.stringify({ ...userClaims(), exp: String(NOW + 60) })),
      'exp with a fraction': () => raw(JSON.stringify({ ...userClaims(), exp: NOW + 60.5 })),
      'exp 1e20': () => raw(JSON.stringify(userClaims()).replace(/"exp":\d+/, '"exp":1e20')),
      'exp negative': () => user({ exp: -1 }),
      'nbf in 61 s': () => user({ nbf: NOW + 61 }),
      'nbf a text': () => raw(JSON.stringify({ ...userClaims(), nbf: 'now' })),
      'iat in 61 s': () => user({ iat: NOW + 61 }),
      'iat null': () => raw(JSON.stringify({ ...userClaims(), iat: null })),
      'neither user nor application': () => user({ oid: undefined, sub: undefined, azp: undefined }),
      'oid empty': () => user({ oid: '' }),
      'oid a number': () => user({ oid: 7 }),
      'oid null does not fall back to sub': () => raw(JSON.stringify({ ...userClaims(), oid: {} })),
      'user id in the name of an API key': () => user({ oid: 'key:abc' }),
      'client id in the name of an API key': () => app({ azp: 'key:abc' }),
      'clients that contradict each other': () => app({ client_id: 'another' }),
      'client id a list': () => app({ azp: [CLIENT] }),
      'kind of caller unknown': () => user({ idtyp: 'device' }),
      'payload no JSON': () => raw('hello'),
      'payload a list': () => raw('[]'),
      'payload null': () => raw('null'),
      'payload no UTF-8': () =>
        signRaw(rsa, '{"alg":"RS256","kid":"rsa"}', Buffer.from(JSON.stringify(userClaims({ name: 'é' })), 'latin1')),
      'claim given twice': () =>
        raw(JSON.stringify(userClaims()).replace('"oid":"alice"', '"oid":"alice","oid":"bob"')),
      'claim given twice, escaped': () =>
        raw(JSON.stringify(userClaims()).replace('"oid":"alice"', '"oid":"alice","\\u006fid":"bob"')),
      'header member given twice': () => raw(JSON.stringify(userClaims()), '{"alg":"none","kid":"rsa","alg":"RS256"}'),
      'nested 1,000 deep': () =>
        raw(`${JSON.stringify(userClaims()).slice(0, -1)},"x":${'['.repeat(1_000)}${']'.repeat(1_000)}}`),
      '64 kB': () => user({ padding: 'x'.repeat(64_000) }),
      '10,000 claims': () => user(Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`c${n}`, n]))),
      'segment spelled otherwise': async () => respelled(await user()),
    };

    for (const [name, token] of Object.entries(refused)) {
      it(`refuses: ${name}`, async () => {
        const outcome = await verify(await token());
        assert.ok(!outcome.ok && outcome.reason === 'unauthenticated' && !outcome.expired, JSON.stringify(outcome));
      });
    }

    it('has the promised size', () => {
      assert.ok(Object.keys(refused).length >= 60 && Object.keys(accepted).length >= 20);
    });

    it('says of an expired token that it is expired, and of a forged one does not', async () => {
      for (const exp of [NOW - 60, NOW - 3600, 0]) {
        const outcome = await verify(await user({ exp }));
        assert.ok(!outcome.ok && outcome.reason === 'unauthenticated' && outcome.expired);
      }
      const forged = await verify(await sign(foreign, userClaims({ exp: 0 })));
      assert.ok(!forged.ok && forged.reason === 'unauthenticated' && !forged.expired);
    });

    const forbidden: Record<string, JWTPayload> = {
      'no roles': { roles: undefined },
      'other roles': { roles: ['Grid.Read'] },
      'roles as a text': { roles: PERMISSION },
      'permission in another case': { roles: ['grid.access'] },
      'permission as a scope': { roles: undefined, scp: PERMISSION },
      'no roles, unmarked': { roles: undefined, idtyp: undefined },
    };
    for (const [name, changes] of Object.entries(forbidden)) {
      it(`knows the application and refuses it: ${name}`, async () => {
        const outcome = await verify(await app(changes));
        assert.ok(!outcome.ok && outcome.reason === 'forbidden', JSON.stringify(outcome));
      });
    }

    it('asks nobody but the issuer, and the issuer not for each token', () => {
      assert.deepEqual(
        issuer.requests.filter((url) => url.includes('evil')),
        [],
      );
      assert.ok(issuer.keyFetches <= 1 + FETCHES_IN_A_ROW, `${issuer.keyFetches} fetches`);
    });

    it('takes no bearer token at all where there is no issuer', async () => {
      const outcome = await refuseBearer(await user());
      assert.ok(!outcome.ok && outcome.reason === 'unauthenticated');
    });

    async function unsigned(alg: string): Promise<string> {
      const [header, payload] = [{ alg, kid: 'rsa', typ: 'JWT' }, userClaims()].map((part) =>
        Buffer.from(JSON.stringify(part)).toString('base64url'),
      );
      return `${header}.${payload}.${Buffer.from('x').toString('base64url')}`;
    }

    async function hmac(secret: () => Promise<Buffer>): Promise<string> {
      const parts = [{ alg: 'HS256', kid: 'rsa', typ: 'JWT' }, userClaims()].map((part) =>
        Buffer.from(JSON.stringify(part)).toString('base64url'),
      );
      return `${parts.join('.')}.${createHmac('sha256', await secret())
        .update(parts.join('.'))
        .digest('base64url')}`;
    }

    function publicCryptoKey() {
      return crypto.subtle.importKey('jwk', rsa.publicJwk, { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }, true, [
        'verify',
      ]);
    }

    function encryptionKey() {
      return importJWK({ ...rsa.publicJwk, alg: 'RSA-OAEP', use: 'enc' }, 'RSA-OAEP');
    }
  });

async function weakKey(): Promise<KeyPair> {
  const algorithm = {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: 1024,
    publicExponent: new Uint8Array([1, 0, 1]),
  };
  const { privateKey, publicKey } = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const { kty, n, e } = await crypto.subtle.exportKey('jwk', publicKey);
  return { kid: 'weak', alg: 'RS256', privateKey, publicJwk: { kty: kty ?? '', n, e, kid: 'weak' } };
}

function withSignatureOf(token: string, other: string): string {
  return `${token.slice(0, token.lastIndexOf('.'))}${other.slice(other.lastIndexOf('.'))}`;
}

function flipped(token: string): string {
  const at = token.lastIndexOf('.') + 10;
  return `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
}

/** The same bytes with other spare bits in the last character of the signature (256 bytes leave two). */
function respelled(token: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const spelled = `${token.slice(0, -1)}${alphabet[alphabet.indexOf(token.at(-1) ?? '') + 1]}`;
  assert.deepEqual(
    Buffer.from(spelled.split('.')[2] ?? '', 'base64url'),
    Buffer.from(token.split('.')[2] ?? '', 'base64url'),
  );
  return spelled;
}

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as client from 'openid-client';
import {
  createDevelopmentIdentityProvider,
  developmentMembers,
  type DevelopmentIdentityProvider,
} from '../../../../src/auth/development/development-identity-provider.js';
import { createJwksFetcher } from '../../../../src/auth/tokens/issuer-discovery.js';
import { createTokenVerifier, type VerifyBearer } from '../../../../src/auth/tokens/token-verifier.js';

const SCOPE = 'api://iapm-api/.default';
const CLI_REDIRECT = 'http://127.0.0.1:51515/any/path';

interface TokenAnswer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

describe('development identity provider', () => {
  let server: Server,
    dataDir: string,
    publicUrl: string,
    identity: DevelopmentIdentityProvider,
    verify: VerifyBearer,
    printed: string[];
  let restoreConsole = (): unknown => undefined;
  const failures: unknown[] = [];

  function identityIn(folder: string): DevelopmentIdentityProvider {
    return createDevelopmentIdentityProvider({
      publicUrl,
      tenantId: 'dev',
      audience: 'api://iapm-api',
      appPermission: 'Grid.Access',
      dataDir: folder,
      onError: (error) => failures.push(error),
    });
  }

  function verifierOf(fetchKeys: () => ReturnType<DevelopmentIdentityProvider['jwks']>): VerifyBearer {
    return createTokenVerifier({
      issuer: identity.issuer,
      tenantId: 'dev',
      audience: 'api://iapm-api',
      appPermission: 'Grid.Access',
      fetchKeys,
      onRefreshFailure: (error) => failures.push(error),
    });
  }

  before(async () => {
    printed = [];
    const { info, warn, error } = console;
    const note = (...words: unknown[]): void => {
      printed.push(words.join(' '));
    };
    Object.assign(console, { info: note, warn: note, error: note });
    restoreConsole = () => Object.assign(console, { info, warn, error });
    dataDir = await mkdtemp(join(tmpdir(), 'hindsight-identity-'));
    server = createServer((request, response) => {
      request.url = (request.url ?? '').replace(/^\/auth/, '');
      identity.handler(request, response, () => response.writeHead(404).end('next'));
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    identity = identityIn(dataDir);
    verify = verifierOf(identity.jwks);
  });
  after(async () => {
    restoreConsole();
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
    await rm(dataDir, { recursive: true });
  });

  function discover(clientId: string, secret?: string): Promise<client.Configuration> {
    const authentication = secret === undefined ? client.None() : client.ClientSecretPost(secret);
    return client.discovery(new URL(identity.issuer), clientId, undefined, authentication, {
      execute: [client.allowInsecureRequests],
    });
  }

  async function authorize(parameters: Record<string, string>): Promise<Response> {
    const url = new URL(`${publicUrl}/auth/dev/oauth2/v2.0/authorize`);
    url.search = new URLSearchParams({
      client_id: 'hindsight-cli',
      response_type: 'code',
      redirect_uri: CLI_REDIRECT,
      scope: SCOPE,
      code_challenge: await client.calculatePKCECodeChallenge(VERIFIER),
      code_challenge_method: 'S256',
      ...parameters,
    }).toString();
    for (const [name, value] of Object.entries(parameters)) if (value === '') url.searchParams.delete(name);
    return fetch(url, { redirect: 'manual' });
  }

  async function askToken(form: Record<string, string>, headers: Record<string, string> = {}): Promise<TokenAnswer> {
    const response = await fetch(`${publicUrl}/auth/dev/oauth2/v2.0/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
      headers,
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  async function signIn(user: string): Promise<TokenAnswer> {
    const code = locationOf(await authorize({ login_hint: user })).searchParams.get('code') ?? '';
    return askToken({
      client_id: 'hindsight-cli',
      grant_type: 'authorization_code',
      code,
      redirect_uri: CLI_REDIRECT,
      code_verifier: VERIFIER,
    });
  }

  it('loads nothing and makes no key before it is used', async () => {
    await assert.rejects(stat(join(dataDir, 'development-signing-key.json')), { code: 'ENOENT' });
  });

  it('signs in by login_hint with code and PKCE, as the real client does it', async () => {
    const configuration = await discover('hindsight-portal');
    const codeVerifier = client.randomPKCECodeVerifier();
    const state = client.randomState();
    const address = client.buildAuthorizationUrl(configuration, {
      redirect_uri: `${publicUrl}/portal/callback`,
      scope: SCOPE,
      state,
      login_hint: 'owner',
      code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    });
    assert.equal(`${address.origin}${address.pathname}`, `${publicUrl}/auth/dev/oauth2/v2.0/authorize`);
    const callback = locationOf(await fetch(address, { redirect: 'manual' }));
    const tokens = await client.authorizationCodeGrant(configuration, callback, {
      pkceCodeVerifier: codeVerifier,
      expectedState: state,
    });
    assert.deepEqual(await verify(tokens.access_token), { ok: true, principal: { kind: 'user', id: 'owner' } });
    const renewed = await client.refreshTokenGrant(configuration, tokens.refresh_token ?? '');
    assert.notEqual(renewed.refresh_token, tokens.refresh_token);
    assert.ok((await verify(renewed.access_token)).ok);
  });

  it('answers with every field of the specification', async () => {
    const { status, body } = await signIn('member');
    assert.equal(status, 200);
    assert.deepEqual(
      { ...body, access_token: typeof body['access_token'], refresh_token: typeof body['refresh_token'] },
      { access_token: 'string', token_type: 'Bearer', expires_in: 3600, refresh_token: 'string', scope: SCOPE },
    );
  });

  for (const user of ['owner', 'member', 'user', 'guest', 'outsider']) {
    it(`knows ${user}`, async () => {
      const { body } = await signIn(user);
      assert.deepEqual(await verify(String(body['access_token'])), { ok: true, principal: { kind: 'user', id: user } });
    });
  }

  it('rotates refresh tokens; a used one is refused and ends the chain', async () => {
    const { body } = await signIn('owner');
    const refresh = (token: unknown): Promise<TokenAnswer> =>
      askToken({ client_id: 'hindsight-cli', grant_type: 'refresh_token', refresh_token: String(token) });
    const renewed = await refresh(body['refresh_token']);
    assert.deepEqual(
      [renewed.status, renewed.body['scope'], renewed.body['token_type'], renewed.body['expires_in']],
      [200, SCOPE, 'Bearer', 3600],
    );
    const replayed = await refresh(body['refresh_token']);
    assert.deepEqual([replayed.status, replayed.body['error']], [400, 'invalid_grant']);
    assert.equal((await refresh(renewed.body['refresh_token'])).status, 400);
  });

  it('takes a code once, and only with its verifier', async () => {
    const code = locationOf(await authorize({ login_hint: 'owner' })).searchParams.get('code') ?? '';
    const form = { client_id: 'hindsight-cli', grant_type: 'authorization_code', code, redirect_uri: CLI_REDIRECT };
    assert.equal((await askToken({ ...form, code_verifier: 'x'.repeat(50) })).status, 400);
    const other = locationOf(await authorize({ login_hint: 'owner' })).searchParams.get('code') ?? '';
    assert.equal((await askToken({ ...form, code: other, code_verifier: VERIFIER })).status, 200);
    assert.equal((await askToken({ ...form, code: other, code_verifier: VERIFIER })).status, 400);
  });

  const noCode: Record<string, Record<string, string>> = {
    'without PKCE': { code_challenge: '', code_challenge_method: '' },
    'with a plain challenge': { code_challenge_method: 'plain' },
    'for an unknown scope': { scope: 'api://other/.default' },
    'for a token in the address': { response_type: 'token' },
  };
  for (const [name, parameters] of Object.entries(noCode)) {
    it(`gives no code ${name}`, async () => {
      const location = locationOf(await authorize({ login_hint: 'owner', ...parameters }));
      assert.ok(
        location.href.startsWith(CLI_REDIRECT) &&
          !location.searchParams.has('code') &&
          location.href.includes('error='),
        location.href,
      );
    });
  }

  const badRedirects = {
    'hindsight-cli': [
      'http://example.com/cb',
      'https://127.0.0.1/cb',
      'http://127.0.0.1.evil.example/',
      'http://user@127.0.0.1/cb',
      'http://127.0.0.1/cb#x',
      'myapp://cb',
      'nonsense',
    ],
    'hindsight-portal': ['http://127.0.0.1:51515/portal/callback', 'http://localhost/portal/callback'],
  };
  for (const [clientId, addresses] of Object.entries(badRedirects)) {
    for (const redirectUri of addresses) {
      it(`sends ${clientId} never to ${redirectUri}`, async () => {
        const response = await authorize({ client_id: clientId, redirect_uri: redirectUri, login_hint: 'owner' });
        assert.deepEqual([response.status, response.headers.get('location')], [400, null]);
      });
    }
  }
  for (const redirectUri of [
    'http://localhost:1/',
    'http://127.0.0.1:65535/a/b?c=d',
    'http://[::1]:8000/cb',
    'http://localhost/cb',
  ]) {
    it(`sends the command line to ${redirectUri}`, async () => {
      const location = locationOf(await authorize({ redirect_uri: redirectUri, login_hint: 'owner' }));
      assert.equal(location.host, new URL(redirectUri).host);
      assert.ok(location.searchParams.has('code'));
    });
  }

  it('gives applications a token for themselves, with or without the permission', async () => {
    const automation = await client.clientCredentialsGrant(await discover('hindsight-automation', 'dev-secret'), {
      scope: SCOPE,
    });
    assert.deepEqual(await verify(automation.access_token), {
      ok: true,
      principal: { kind: 'application', id: 'hindsight-automation' },
    });
    assert.deepEqual([automation.scope, automation.expires_in], [SCOPE, 3600]);
    const bare = await client.clientCredentialsGrant(await discover('hindsight-bare', 'dev-secret'), { scope: SCOPE });
    const outcome = await verify(bare.access_token);
    assert.ok(!outcome.ok && outcome.reason === 'forbidden');
  });

  it('refuses a wrong secret, none, and the flows that a client does not have', async () => {
    const form = { client_id: 'hindsight-automation', grant_type: 'client_credentials', scope: SCOPE };
    const answers = [
      await askToken({ ...form, client_secret: 'wrong' }),
      await askToken(form),
      await askToken({ ...form, client_id: 'hindsight-cli' }),
      await askToken({ ...form, client_id: 'nobody', client_secret: 'dev-secret' }),
    ];
    assert.deepEqual(
      answers.map(({ body }) => body['error']),
      ['invalid_client', 'invalid_client', 'invalid_request', 'invalid_client'],
    );
    assert.equal(locationless(await authorize({ client_id: 'hindsight-automation', login_hint: 'owner' })), true);
  });

  it('gives ID tokens that the API does not take', async () => {
    const configuration = await discover('hindsight-portal');
    const nonce = client.randomNonce();
    const address = client.buildAuthorizationUrl(configuration, {
      redirect_uri: `${publicUrl}/portal/callback`,
      scope: `openid offline_access ${SCOPE}`,
      login_hint: 'owner',
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(VERIFIER),
      code_challenge_method: 'S256',
    });
    const callback = locationOf(await fetch(address, { redirect: 'manual' }));
    const tokens = await client.authorizationCodeGrant(configuration, callback, {
      pkceCodeVerifier: VERIFIER,
      expectedNonce: nonce,
    });
    assert.ok((await verify(tokens.access_token)).ok);
    assert.ok(!(await verify(tokens.id_token ?? '')).ok);
  });

  it('lists the users where no hint is given, says that it is for development, and signs in whom one picks', async () => {
    const start = await authorize({});
    const cookies = cookiesOf(start);
    const page = await fetch(locationOf(start), { headers: { cookie: cookies } });
    const text = await page.text();
    for (const user of ['owner', 'member', 'user', 'guest', 'outsider']) assert.ok(text.includes(`/${user}"`), user);
    assert.match(text, /for development/);
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    const choice = /href="([^"]*\/guest)"/.exec(text)?.[1] ?? '';
    const resumed = await fetch(choice, { headers: { cookie: cookies }, redirect: 'manual' });
    const callback = locationOf(await fetch(locationOf(resumed), { headers: { cookie: cookies }, redirect: 'manual' }));
    const code = callback.searchParams.get('code') ?? '';
    const { body } = await askToken({
      client_id: 'hindsight-cli',
      grant_type: 'authorization_code',
      code,
      redirect_uri: CLI_REDIRECT,
      code_verifier: VERIFIER,
    });
    assert.deepEqual(await verify(String(body['access_token'])), {
      ok: true,
      principal: { kind: 'user', id: 'guest' },
    });
  });

  it('asks each time: a browser that signed in before is asked again', async () => {
    const before = await authorize({ login_hint: 'owner' });
    const url = new URL(`${publicUrl}/auth/dev/oauth2/v2.0/authorize`);
    url.search = new URLSearchParams({
      client_id: 'hindsight-cli',
      response_type: 'code',
      redirect_uri: CLI_REDIRECT,
      scope: SCOPE,
      code_challenge: await client.calculatePKCECodeChallenge(VERIFIER),
      code_challenge_method: 'S256',
    }).toString();
    const again = await fetch(url, { headers: { cookie: cookiesOf(before) }, redirect: 'manual' });
    assert.match(again.headers.get('location') ?? '', /\/auth\/dev\/interaction\//);
  });

  it('does not carry on a sign-in of another browser', async () => {
    const start = await authorize({});
    const response = await fetch(`${locationOf(start).href}/owner`, { redirect: 'manual' });
    assert.equal(response.status, 400);
    assert.match(await response.text(), /Start again/);
  });

  it('shows the list for an unknown hint', async () => {
    assert.match((await authorize({ login_hint: '<script>' })).headers.get('location') ?? '', /\/interaction\//);
  });

  it('lets the portal of the same address ask for tokens, and no other page', async () => {
    const form = { client_id: 'hindsight-portal', grant_type: 'refresh_token', refresh_token: 'x' };
    assert.equal((await askToken(form, { origin: publicUrl })).body['error'], 'invalid_grant');
    assert.equal((await askToken(form, { origin: 'https://evil.example' })).body['error'], 'invalid_request');
  });

  it('takes all addresses from PUBLIC_URL, whatever Host and proxies say', async () => {
    const forged = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
    const { request } = await import('node:http');
    const text = await new Promise<string>((resolve, reject) => {
      request(`${identity.issuer}/.well-known/openid-configuration`, { headers: forged }, (response) => {
        let body = '';
        response
          .setEncoding('utf8')
          .on('data', (part: string) => {
            body += part;
          })
          .on('end', () => resolve(body));
      })
        .on('error', reject)
        .end();
    });
    assert.ok(!text.includes('evil') && !text.includes('https:'), text);
    assert.equal((JSON.parse(text) as { jwks_uri: string }).jwks_uri, `${publicUrl}/auth/dev/discovery/v2.0/keys`);
  });

  it('leaves other paths to others', async () => {
    for (const path of [
      '/auth/other/oauth2/v2.0/token',
      '/auth/dev/nothing',
      '/auth/dev/oauth2/v2.0/logout',
      '/auth/dev/.well-known/openid-configuration',
    ]) {
      assert.equal(await (await fetch(publicUrl + path)).text(), 'next', path);
    }
    assert.match(await (await fetch(`${publicUrl}/auth`)).text(), /for development/);
  });

  it('keeps its key in a private file, so that tokens survive a restart', async () => {
    const { body } = await signIn('owner');
    const restarted = identityIn(dataDir);
    assert.ok((await verifierOf(restarted.jwks)(String(body['access_token']))).ok);
    assert.equal((await stat(join(dataDir, 'development-signing-key.json'))).mode & 0o777, 0o600);
  });

  it('publishes nothing of its private key, and the same over HTTP as in the process', async () => {
    const { keys } = await identity.jwks();
    assert.deepEqual(Object.keys(keys[0] ?? {}).sort(), ['alg', 'e', 'kid', 'kty', 'n', 'use']);
    const { body } = await signIn('owner');
    assert.ok((await verifierOf(createJwksFetcher(identity.issuer))(String(body['access_token']))).ok);
  });

  it('says what to do about a key file that is damaged', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hindsight-identity-'));
    const file = join(folder, 'development-signing-key.json');
    await writeFile(file, '{"kty":"RSA"}');
    await assert.rejects(identityIn(folder).jwks(), /delete it/);
    assert.equal(await readFile(file, 'utf8'), '{"kty":"RSA"}');
    await rm(folder, { recursive: true });
  });

  it('gives the first Grid its members', () => {
    assert.deepEqual(
      developmentMembers().map(({ id, kind, role }) => `${id} ${kind} ${role}`),
      [
        'owner user Owner',
        'member user Member',
        'user user User',
        'guest user Guest',
        'hindsight-automation application Member',
      ],
    );
  });

  it('printed nothing and failed at nothing in all of this', () => {
    assert.deepEqual(printed, []);
    assert.deepEqual(failures, []);
  });
});

const VERIFIER = 'v'.repeat(50);

function locationOf(response: Response): URL {
  return new URL(response.headers.get('location') ?? assert.fail(`no redirect but ${response.status}`));
}

function locationless(response: Response): boolean {
  return !(response.headers.get('location') ?? '').includes('code=');
}

function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

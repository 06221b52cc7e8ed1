import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acquireAccess, logIn } from '../../src/auth/login/login-session.js';
import { TokenCache } from '../../src/auth/login/login-token-cache.js';
import { freePort } from '../support/free-port.js';
import { locationOf, PortalBrowser } from '../support/portal-browser.js';
import { CLI_CLIENT, CLIENT, GRID, PROVIDER_SHAPES, type ProviderShape, SECRET } from '../support/provider-shapes.js';
import { ServiceProcess } from '../support/service.js';
import { ShapedProvider } from '../support/shaped-provider.js';
import { waitUntil } from '../support/wait-until.js';

interface SessionBody {
  readonly user: { readonly id: string; readonly name: string };
  readonly grids: readonly { readonly gridSecondaryId: string; readonly role: string }[];
  readonly accessToken: string;
}

for (const shape of PROVIDER_SHAPES) {
  describe(`sign-in with ${shape.name}`, function () {
    this.timeout(120_000);
    let provider: ShapedProvider;
    let service: ServiceProcess;

    before(async () => {
      const port = String(await freePort());
      provider = await ShapedProvider.start(shape, `http://127.0.0.1:${port}`);
      service = await ServiceProcess.start({ HTTP_PORT: port, ...settingsFor(shape, provider.issuer) });
    });
    after(async () => {
      await service?.dispose();
      await provider?.stop();
    });

    /** Signs in through the code flow; the provider knows the user from the hint. */
    async function signedIn(user: string): Promise<PortalBrowser> {
      const browser = new PortalBrowser(service.apiUrl);
      const query = new URLSearchParams({ return: '/portal/', user });
      const atProvider = locationOf(await browser.ask(`/portal/sign-in?${query.toString()}`));
      assert.ok(atProvider.startsWith(provider.origin), atProvider);
      const back = await fetch(atProvider, { redirect: 'manual' });
      assert.equal(back.status, 303, await back.text());
      assert.equal(locationOf(await browser.ask(locationOf(back))), '/portal/');
      return browser;
    }

    async function sessionOf(browser: PortalBrowser): Promise<SessionBody> {
      const response = await browser.session();
      const body = (await response.json()) as SessionBody;
      assert.equal(response.status, 200, JSON.stringify(body));
      return body;
    }

    const call = (token: string, path: string, method = 'GET', body?: object): Promise<Response> =>
      fetch(`${service.apiUrl}${path}?api-version=2.0`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
      });

    it('lets the portal and the API know the Owner of the first Grid', async () => {
      const { user, grids, accessToken } = await sessionOf(await signedIn('ada-0001'));
      assert.equal(user.id, shape.ownerId);
      assert.deepEqual(
        grids.map(({ gridSecondaryId, role }) => [gridSecondaryId, role]),
        [[GRID, 'Owner']],
      );
      assert.equal((await call(accessToken, `/admin/grids/${GRID}/members`)).status, 200);
    });

    it('renews the session', async () => {
      const browser = await signedIn('ada-0001');
      const { accessToken } = await sessionOf(browser);
      await waitUntil(async () => (await sessionOf(browser)).accessToken !== accessToken, 'the token is renewed');
      const renewed = await sessionOf(browser);
      assert.equal((await call(renewed.accessToken, '/admin/grids')).status, 200);
      assert.equal(renewed.user.id, shape.ownerId);
    });

    it('follows a change of the signing key, and withdraws the old one', async () => {
      const { accessToken } = await sessionOf(await signedIn('ada-0001'));
      await provider.rotateKey();
      await sessionOf(await signedIn('ada-0001'));
      assert.equal((await call(accessToken, '/admin/grids')).status, 401);
    });

    it('signs out at the provider where it offers that', async () => {
      const browser = await signedIn('ada-0001');
      const response = await browser.signOut();
      const target = response.headers.get('refresh') ?? response.headers.get('location') ?? '';
      if (!shape.hasEndSession) return assert.equal(target, '/portal/');
      const address = new URL(target.replace(/^0; url=/, ''));
      assert.equal(address.origin, provider.origin);
      assert.equal(address.searchParams.get('post_logout_redirect_uri'), `${service.apiUrl}/portal/`);
      assert.ok((address.searchParams.get('id_token_hint') ?? '').split('.').length === 3);
    });

    it('lets hindsight login sign in', async () => {
      const { cache, dispose } = await temporaryCache();
      try {
        const open = (address: URL): void => void fetch(address).catch(() => undefined);
        const tokens = await logIn(cache, service.apiUrl, { loginHint: 'ada-0001', open, now: Date.now });
        assert.equal(tokens.clientId, CLI_CLIENT);
        assert.equal(tokens.user.id, shape.ownerId);
        // Expired after two seconds, so that this renews it.
        const { token } = await acquireAccess(service.apiUrl, { kind: 'login' }, cache, () => Date.now() + 10_000);
        assert.equal((await call(token, `/admin/grids/${GRID}/members`)).status, 200);
      } finally {
        await dispose();
      }
    });

    it('lets hindsight login sign in by a code on another device', async () => {
      const { cache, dispose } = await temporaryCache();
      try {
        const confirmed: Promise<unknown>[] = [];
        const show = ({ completeAddress = '' }: { readonly completeAddress?: string | undefined }): void =>
          void confirmed.push(confirmDeviceCode(completeAddress));
        const tokens = await logIn(cache, service.apiUrl, { device: true, show, now: Date.now });
        await Promise.all(confirmed);
        assert.equal((await call(tokens.accessToken, '/admin/grids')).status, 200);
      } finally {
        await dispose();
      }
    });

    it('grants the role that a claim carries, which nobody can edit', async () => {
      const bob = await sessionOf(await signedIn('bob-0002'));
      const { accessToken: owners } = await sessionOf(await signedIn('ada-0001'));
      assert.deepEqual(
        bob.grids.map(({ role }) => role),
        ['Member'],
      );
      assert.equal((await call(bob.accessToken, `/admin/grids/${GRID}/alert-rules`)).status, 200);
      const members = await call(owners, `/admin/grids/${GRID}/members`);
      const { members: listed } = (await members.json()) as { members: { userId: string; role: string }[] };
      assert.ok(listed.some(({ userId, role }) => userId === bob.user.id && role === 'Member'));
      const path = `/admin/grids/${GRID}/members/${encodeURIComponent(bob.user.id)}`;
      assert.equal(await service.signal('SIGTERM'), 0);
      await service.start();
      for (const refused of [await call(owners, path, 'PUT', { role: 'Guest' }), await call(owners, path, 'DELETE')]) {
        assert.equal(refused.status, 409);
        const { detail } = (await refused.json()) as { detail: string };
        assert.match(detail, /follows its token \(OIDC_ROLE_CLAIM/);
      }
    });
  });
}

function settingsFor(shape: ProviderShape, issuer: string): Record<string, string> {
  const value = shape.roleClaim === 'hd' ? 'shop.example' : 'operations';
  return {
    OIDC_ISSUER: shape.writtenIssuer?.(issuer) ?? issuer,
    PORTAL_CLIENT_ID: CLIENT,
    ...shape.settings,
    CLI_CLIENT_ID: CLI_CLIENT,
    ...(shape.clientAuthentication === 'none' ? {} : { CLI_CLIENT_SECRET: SECRET }),
    OIDC_ROLE_CLAIM: shape.roleClaim,
    OIDC_ROLE_MAP: `${value}=${GRID}:Member`,
    BOOTSTRAP_GRID_ID: GRID,
    BOOTSTRAP_OWNER: shape.owner,
    PORTAL_SIGN_OUT: 'provider',
  };
}

async function temporaryCache(): Promise<{ cache: TokenCache; dispose: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'hindsight-logins-'));
  return { cache: new TokenCache(folder), dispose: () => rm(folder, { recursive: true }) };
}

/** What a user does on the other device: open the address, and confirm. */
async function confirmDeviceCode(address: string): Promise<void> {
  const cookies = new Map<string, string>();
  const ask = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return response;
  };
  const form = await (await ask(address)).text();
  const fields = new URLSearchParams();
  for (const [input] of form.matchAll(/<input[^>]*>/g)) {
    const [, name = ''] = /name="([^"]*)"/.exec(input) ?? [];
    const [, value = ''] = /value="([^"]*)"/.exec(input) ?? [];
    if (name !== '') fields.set(name, value);
  }
  fields.set('confirm', 'yes');
  let response = await ask(address.split('?')[0] ?? address, { method: 'POST', body: fields });
  for (let steps = 0; steps < 5 && response.status >= 300 && response.status < 400; steps += 1)
    response = await ask(new URL(response.headers.get('location') ?? '', address));
  assert.match(await response.text(), /confirmed/);
}

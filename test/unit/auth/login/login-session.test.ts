import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acquireAccess, logIn, logOut } from '../../../../src/auth/login/login-session.js';
import { TokenCache } from '../../../../src/auth/login/login-token-cache.js';
import { hasCode } from '../../../../src/errors.js';
import { IdentityService } from '../../../support/identity-service.js';

const LOGIN = { kind: 'login' } as const;
const HOUR_MS = 3_600_000;

describe('login', () => {
  let service: IdentityService;
  let folder: string;
  let cache: TokenCache;
  let nowMs: number;
  const now = (): number => nowMs;

  beforeEach(async () => {
    service = await IdentityService.start();
    folder = join(await mkdtemp(join(tmpdir(), 'hindsight-config-')), 'hindsight');
    cache = new TokenCache(folder);
    nowMs = Date.now();
  });
  afterEach(async () => {
    await service.dispose();
    await rm(join(folder, '..'), { recursive: true });
  });

  /** A browser that follows every redirect and shows the last page. */
  let page: Promise<Response>;
  const browser =
    (change: (address: URL) => URL = (address) => address) =>
    (address: URL): void => {
      page = visit(change(address));
    };
  async function visit(address: URL): Promise<Response> {
    const response = await fetch(address, { redirect: 'manual' });
    const location = response.headers.get('location');
    return location === null ? response : visit(new URL(location, address));
  }

  /** A browser on whose way back somebody changes the answer. */
  function meddling(change: (answer: URL) => void): (address: URL) => void {
    return (address) => {
      page = fetch(address, { redirect: 'manual' }).then((redirect) => {
        const answer = new URL(redirect.headers.get('location') ?? '', address);
        change(answer);
        return fetch(answer);
      });
    };
  }

  const loggedIn = (loginHint = 'owner') => logIn(cache, service.url, { loginHint, open: browser(), now });

  it('signs in through the browser, says so, and keeps the tokens where nobody else can read them', async () => {
    let asked: URL | undefined;
    const { user } = await logIn(cache, service.url, {
      loginHint: 'member',
      now,
      open: browser((address) => (asked = address)),
    });
    assert.deepEqual(user, { id: 'member', name: 'member' });
    const answer = await page;
    assert.equal(answer.status, 200);
    assert.match(await answer.text(), /You are logged in/);
    const parameters = asked?.searchParams;
    assert.equal(parameters?.get('code_challenge_method'), 'S256');
    for (const name of ['state', 'nonce', 'code_challenge'])
      assert.ok((parameters?.get(name) ?? '').length >= 20, name);
    assert.match(parameters?.get('redirect_uri') ?? '', /^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
    const [file, ...others] = await readdir(folder);
    assert.deepEqual(others, []);
    assert.equal((await stat(join(folder, file))).mode & 0o777, 0o600);
  });

  it('uses the kept token while it lives, and renews it in time by a refresh token that is new each time', async () => {
    await loggedIn();
    const first = await acquireAccess(service.url, LOGIN, cache, now);
    assert.deepEqual(
      { ...first.caller, expiresAt: undefined },
      { kind: 'login', user: { id: 'owner', name: 'owner' }, expiresAt: undefined },
    );
    assert.equal(service.tokenRequests, 1);
    const seen = new Set([await refreshToken()]);
    for (let hour = 1; hour <= 3; hour += 1) {
      nowMs += HOUR_MS - 30_000;
      const { token } = await acquireAccess(service.url, LOGIN, cache, now);
      assert.notEqual(token, first.token);
      assert.equal(service.tokenRequests, 1 + hour);
      seen.add(await refreshToken());
    }
    assert.equal(seen.size, 4);
  });

  async function refreshToken(): Promise<string | undefined> {
    return (await cache.read(service.url))?.refreshToken;
  }

  it('renews once however many command lines come at the same moment, and none of them loses the login', async () => {
    await loggedIn();
    nowMs += HOUR_MS;
    service.thinksMs = 50;
    const tokens = await Promise.all(
      Array.from(
        { length: 8 },
        async () => (await acquireAccess(service.url, LOGIN, new TokenCache(folder), now)).token,
      ),
    );
    assert.equal(new Set(tokens).size, 1);
    assert.equal(service.tokenRequests, 2);
    nowMs += HOUR_MS;
    await acquireAccess(service.url, LOGIN, cache, now);
  });

  it('keeps the login while the issuer cannot be asked, and ends it when the issuer says that it is over', async () => {
    await loggedIn();
    nowMs += HOUR_MS;
    service.tokenAnswer = { status: 503, body: {} };
    await assert.rejects(acquireAccess(service.url, LOGIN, cache, now));
    assert.notEqual(await cache.read(service.url), undefined);
    service.tokenAnswer = { status: 400, body: { error: 'invalid_grant' } };
    await assert.rejects(
      acquireAccess(service.url, LOGIN, cache, now),
      (error: Error) =>
        hasCode(error, 'unauthenticated') && error.message.includes(`→ hindsight login --url ${service.url}`),
    );
    assert.equal(await cache.read(service.url), undefined);
  });

  it('gives a refresh token to no issuer but its own', async () => {
    await loggedIn();
    nowMs += HOUR_MS;
    const other = await IdentityService.start();
    try {
      service.metadata = {
        resource: service.url,
        authorization_servers: [`${other.url}/auth/dev/v2.0`],
        scopes_supported: ['api://iapm-api/.default'],
      };
      await assert.rejects(acquireAccess(service.url, LOGIN, cache, now), (error) => hasCode(error, 'unauthenticated'));
      assert.equal(other.tokenRequests, 0);
    } finally {
      await other.dispose();
    }
  });

  it('refuses an answer with another state, or none, and informs the browser', async () => {
    for (const change of [
      (answer: URL) => answer.searchParams.set('state', 'somebody-elses'),
      (answer: URL) => answer.searchParams.delete('state'),
    ]) {
      await assert.rejects(
        logIn(cache, service.url, { loginHint: 'owner', now, open: meddling(change) }),
        (error: Error) => hasCode(error, 'unauthenticated') && /state/.test(error.message),
      );
      assert.equal((await page).status, 400);
    }
    assert.equal(service.tokenRequests, 0);
    assert.equal(await cache.read(service.url), undefined);
  });

  it('refuses a code that was meant for another login', async () => {
    let stolen = '';
    await assert.rejects(
      logIn(cache, service.url, {
        loginHint: 'guest',
        now,
        open: meddling((answer) => {
          stolen = answer.searchParams.get('code') ?? '';
          answer.searchParams.set('state', 'lost');
        }),
      }),
    );
    const stealing = logIn(cache, service.url, {
      loginHint: 'owner',
      now,
      open: meddling((answer) => answer.searchParams.set('code', stolen)),
    });
    await assert.rejects(stealing, (error) => hasCode(error, 'unauthenticated'));
    assert.equal(await cache.read(service.url), undefined);
  });

  it('reports the reason of an issuer that refuses', async () => {
    const refusing = meddling((answer) => {
      answer.searchParams.delete('code');
      answer.searchParams.set('error', 'access_denied');
      answer.searchParams.set('error_description', 'you may not');
    });
    await assert.rejects(
      logIn(cache, service.url, { loginHint: 'owner', now, open: refusing }),
      (error: Error) =>
        hasCode(error, 'unauthenticated') && error.message === 'the identity provider refused: you may not',
    );
  });

  it('gives up when nobody signs in', async () => {
    await assert.rejects(
      logIn(cache, service.url, { open: () => undefined, now, timeoutMs: 30 }),
      /sign-in not completed/,
    );
  });

  it('believes no service that speaks for another address, and none that says nothing', async () => {
    service.metadata = {
      resource: 'https://else.example',
      authorization_servers: ['https://idp.example'],
      scopes_supported: ['x'],
    };
    await assert.rejects(loggedIn(), /has the public URL https:\/\/else\.example/);
    for (const metadata of [
      {},
      [],
      { resource: service.url, authorization_servers: ['file:///etc/passwd'], scopes_supported: ['x'] },
    ]) {
      service.metadata = metadata;
      await assert.rejects(loggedIn(), (error) => hasCode(error, 'unavailable'));
    }
    await assert.rejects(logIn(cache, 'http://127.0.0.1:1', { open: () => undefined, now }), (error) =>
      hasCode(error, 'unavailable'),
    );
  });

  it('keeps logins to several services apart, and forgets one alone', async () => {
    const other = await IdentityService.start();
    try {
      await loggedIn('owner');
      await logIn(cache, other.url, { loginHint: 'guest', now, open: browser() });
      assert.equal((await acquireAccess(service.url, LOGIN, cache, now)).caller.user.id, 'owner');
      assert.equal((await acquireAccess(other.url, LOGIN, cache, now)).caller.user.id, 'guest');
      assert.equal(await logOut(cache, service.url), true);
      assert.equal(await logOut(cache, service.url), false);
      await assert.rejects(acquireAccess(service.url, LOGIN, cache, now), (error) => hasCode(error, 'unauthenticated'));
      assert.equal((await acquireAccess(other.url, LOGIN, cache, now)).caller.user.id, 'guest');
    } finally {
      await other.dispose();
    }
  });

  it('takes a file that cannot be understood for no login', async () => {
    await loggedIn();
    const [file] = await readdir(folder);
    const text = await readFile(join(folder, file), 'utf8');
    for (const damaged of ['', '{', text.slice(0, 40), 'null', JSON.stringify({ url: 'https://else.example' })]) {
      await writeFile(join(folder, file), damaged);
      await assert.rejects(
        acquireAccess(service.url, LOGIN, cache, now),
        (error) => hasCode(error, 'unauthenticated'),
        damaged,
      );
    }
    await loggedIn();
    await acquireAccess(service.url, LOGIN, cache, now);
  });

  it('also takes a token of somebody else, and asks as an application', async () => {
    const token = await acquireAccess(service.url, { kind: 'token', token: 'opaque' }, cache, now);
    assert.deepEqual(token, { token: 'opaque', caller: { kind: 'token', user: { id: '', name: 'unknown' } } });
    const application = await acquireAccess(
      service.url,
      { kind: 'application', clientId: 'hindsight-automation', clientSecret: 'dev-secret' },
      cache,
      now,
    );
    assert.equal(application.caller.user.id, 'hindsight-automation');
    const shown = await acquireAccess(service.url, { kind: 'token', token: application.token }, cache, now);
    assert.equal(shown.caller.user.id, 'hindsight-automation');
    const wrong = acquireAccess(
      service.url,
      { kind: 'application', clientId: 'hindsight-automation', clientSecret: 'guessed' },
      cache,
      now,
    );
    await assert.rejects(
      wrong,
      (error: Error) => hasCode(error, 'unauthenticated') && !error.message.includes('guessed'),
    );
    await assert.rejects(readdir(folder), { code: 'ENOENT' });
  });
});

import assert from 'node:assert/strict';
import { startApi, type TestApi } from '../../support/api.js';
import { GRID_A } from '../../support/fake-access.js';
import { EventStream } from '../../support/event-stream.js';
import { locationOf, PortalBrowser } from '../../support/portal-browser.js';
import { portalIdentity, type PortalIdentity } from '../../support/portal-identity.js';
import { ROUTES } from '../../../src/http/routes.js';
import { until } from '../../support/service.js';

const PUBLIC_URL = 'http://127.0.0.1:8080';
const SAME_ORIGIN = { 'Sec-Fetch-Site': 'same-origin' };

type Sent = Readonly<Record<string, string>>;

interface Answered {
  readonly user: { readonly id: string; readonly name: string };
  readonly grids: readonly { readonly gridSecondaryId: string; readonly role: string }[];
  readonly accessToken: string;
  readonly expiresAt: string;
}

describe('a session of the portal', () => {
  let portal: PortalIdentity;
  let api: TestApi;
  let at: string;
  let browser: PortalBrowser;

  beforeEach(async () => {
    portal = await portalIdentity(PUBLIC_URL);
    api = await startApi({ publicUrl: PUBLIC_URL, ...portal });
    at = `http://127.0.0.1:${api.port}`;
    browser = new PortalBrowser(at);
  });
  afterEach(async () => {
    await api.stop();
    await portal.dispose();
  });

  const sessionOf = async (who: PortalBrowser): Promise<Answered> => (await (await who.session()).json()) as Answered;
  const streamAddress = `/apm/diagnostics/${GRID_A}/stream?api-version=2.0&topics=health`;
  const openStream = (cookie: string): Promise<EventStream> => EventStream.open(at + streamAddress, { cookie, ...SAME_ORIGIN });

  it('tells who could sign in while nobody has, and nothing to pages of others', async () => {
    const answer = await browser.session();
    assert.equal(answer.status, 401);
    assert.deepEqual(((await answer.json()) as { users: string[] }).users, ['owner', 'member', 'user', 'guest', 'outsider']);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.equal((await browser.ask('/portal/session')).status, 403);
    const preflight = await browser.ask('/portal/session', { method: 'OPTIONS', headers: { origin: 'https://evil.example', 'access-control-request-headers': 'x-hindsight-portal' } });
    assert.equal(preflight.headers.get('access-control-allow-origin'), null);
  });

  it('begins with code and PKCE, leads back to the page that was asked for, and gives a token for the API', async () => {
    const address = new URL(locationOf(await browser.ask('/portal/sign-in?return=/portal/g/x/map%3Fat%3D1&user=member')));
    assert.equal(address.searchParams.get('code_challenge_method'), 'S256');
    assert.equal(address.searchParams.get('redirect_uri'), `${PUBLIC_URL}/portal/callback`);
    for (const name of ['state', 'nonce']) assert.ok((address.searchParams.get(name) ?? '').length >= 40, name);
    assert.equal(await browser.signIn('member', '/portal/g/x/map?at=1'), '/portal/g/x/map?at=1');
    const session = await sessionOf(browser);
    assert.deepEqual(session.user, { id: 'member', name: 'member' });
    assert.equal((await portal.verifyBearer(session.accessToken)).ok, true);
    assert.ok(Date.parse(session.expiresAt) > Date.now() + 3_000_000);
  });

  it('is kept out of reach of scripts and other sites, and no cookie shows a token', async () => {
    await browser.signIn('owner');
    const { accessToken } = await sessionOf(browser);
    for (const line of browser.setCookies.filter((each) => each.startsWith('hindsight_s'))) {
      assert.match(line, /; Path=\/; HttpOnly; SameSite=Lax$/);
      assert.ok(line.length <= 4096 && !line.includes(accessToken));
    }
  });

  it('over https is bound to its host', async () => {
    const secure = await portalIdentity('https://hindsight.example');
    const { cookies } = await secure.sessions.begin('/portal/', 'owner', undefined);
    assert.match(cookies[0], /^__Host-hindsight_sign_in_[0-9a-f]{12}=.*; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
    await secure.dispose();
  });

  for (const hostile of ['https://evil.example/portal/', '//evil.example/portal/', '/\\evil.example/portal/', '/portal/../admin', '/portal/%2e%2e/admin', 'javascript:alert(1)//portal/', '/portalx', '/portal/sign-in', '/portal/callback/', '/portal\\..\\x', `/portal/${'a'.repeat(3000)}`, '']) {
    it(`never leads out of the portal: ${hostile.slice(0, 40)}`, async () => {
      assert.equal(await browser.signIn('owner', hostile), '/portal/');
    });
  }

  it('is begun for the browser that asked alone: an answer that somebody else began signs nobody in', async () => {
    const foreign = await new PortalBrowser(at).begin('guest');
    await browser.signIn('owner');
    assert.equal(locationOf(await browser.ask(foreign)), '/portal/?sign-in=refused');
    assert.equal((await sessionOf(browser)).user.id, 'owner');
  });

  it('is not begun twice with one code, and several tabs may sign in at once', async () => {
    const [first, second] = [await browser.begin('owner'), await browser.begin('guest')];
    const replayed = browser.cookieHeader;
    await browser.ask(first);
    assert.equal((await sessionOf(browser)).user.id, 'owner');
    await browser.ask(second);
    assert.equal((await sessionOf(browser)).user.id, 'guest');
    const again = await fetch(new URL(new URL(first).search, `${at}/portal/callback`), { redirect: 'manual', headers: { cookie: replayed } });
    assert.equal(locationOf(again), '/portal/?sign-in=refused');
    assert.deepEqual(again.headers.getSetCookie(), []);
  });

  it('does not follow from a cookie that was changed, made elsewhere, or made for something else', async () => {
    await browser.signIn('owner');
    const name = 'hindsight_session';
    const cookie = browser.cookies.get(name) ?? '';
    const elsewhere = await portalIdentity(PUBLIC_URL, 'another secret of more than thirty-two letters');
    const started = (await elsewhere.sessions.begin('/portal/', 'owner', undefined)).cookies[0].split(/[=;]/)[1];
    await elsewhere.dispose();
    const changed = Array.from({ length: 8 }, (_, at) => flipped(cookie, 60 + Math.floor((at * (cookie.length - 60)) / 8)));
    const signIn = (await portal.sessions.begin('/portal/', 'owner', undefined)).cookies[0].split(/[=;]/)[1];
    for (const text of [...changed, cookie.slice(0, -9), started, signIn, 'x', '']) {
      browser.cookies.set(name, text);
      assert.equal((await browser.session()).status, 401);
    }
    assert.equal(changed.includes(cookie), false);
  });

  it('renews its token before the end, once for all tabs that come at the same time or late', async () => {
    await browser.signIn('owner');
    const old = await sessionOf(browser);
    portal.clock.nowMs += 3_500_000;
    const tabs = Array.from({ length: 5 }, () => new PortalBrowser(at));
    for (const tab of tabs) for (const [name, value] of browser.cookies) tab.cookies.set(name, value);
    const tokens = await Promise.all(tabs.map(async (tab) => (await sessionOf(tab)).accessToken));
    assert.equal(new Set(tokens).size, 1);
    assert.notEqual(tokens[0], old.accessToken);
    assert.equal((await sessionOf(browser)).accessToken, tokens[0]);
    assert.deepEqual(portal.grants, ['authorization_code', 'refresh_token']);
    assert.equal((await sessionOf(browser)).accessToken, tokens[0]);
  });

  it('outlives an issuer that is away while its token is good, and says that it is not over afterwards', async () => {
    await browser.signIn('owner');
    portal.away.now = true;
    portal.clock.nowMs += 3_550_000;
    assert.equal((await browser.session()).status, 200);
    portal.clock.nowMs += 60_000;
    const answer = await browser.session();
    assert.equal(answer.status, 503);
    assert.ok(browser.cookies.has('hindsight_session'));
  });

  it('is over after a week, however often it was renewed', async () => {
    await browser.signIn('owner');
    portal.clock.nowMs += 7 * 24 * 3_600_000 + 1_000;
    assert.equal((await browser.session()).status, 401);
    assert.equal(browser.cookies.has('hindsight_session'), false);
  });

  it('ends when its user signs out on a page of our own, with its token and every copy of its cookie', async () => {
    await browser.signIn('owner');
    const { accessToken } = await sessionOf(browser);
    const copy = browser.cookieHeader;
    for (const headers of [{}, { 'Sec-Fetch-Site': 'cross-site' }, { 'Sec-Fetch-Site': 'same-site' }, { Origin: 'null' }, { Origin: 'http://127.0.0.1:8081' }] as Sent[]) {
      assert.equal((await browser.signOut(headers)).status, 403);
    }
    assert.equal((await browser.session()).status, 200);
    assert.equal(locationOf(await browser.signOut({ Origin: PUBLIC_URL })), '/portal/');
    assert.equal(browser.cookies.has('hindsight_session'), false);
    const stolen = await fetch(`${at}/portal/session`, { headers: { cookie: copy, 'X-Hindsight-Portal': '1' } });
    assert.equal(stolen.status, 401);
    assert.equal((await portal.verifyBearer(accessToken)).ok, false);
    assert.equal((await browser.ask('/portal/sign-out')).status, 405);
  });

  it('lets the stream in by its cookie, until it ends or its user is no member any more', async () => {
    await browser.signIn('owner');
    const removed = await openStream(browser.cookieHeader);
    assert.equal(removed.response.statusCode, 200);
    api.access.roles.delete(`${GRID_A} owner`);
    api.tick();
    await until(() => removed.ended, 'the stream of who is no member ends');
    api.access.roles.set(`${GRID_A} owner`, 'Owner');
    const signedOut = await openStream(browser.cookieHeader);
    await browser.signOut();
    api.tick();
    await until(() => signedOut.ended, 'the stream of who signed out ends');
  });

  it('renews for a stream that comes back after its token has ended', async () => {
    await browser.signIn('owner');
    portal.clock.nowMs += 3_700_000;
    const stream = await openStream(browser.cookieHeader);
    assert.equal(stream.response.statusCode, 200);
    assert.match(String(stream.response.headers['set-cookie']), /^hindsight_session=/);
    stream.close();
  });

  it('counts for no request of another site, nor beside wrong credentials', async () => {
    await browser.signIn('owner');
    for (const headers of [{ 'Sec-Fetch-Site': 'cross-site' }, { 'Sec-Fetch-Site': 'same-site' }, { 'Sec-Fetch-Site': 'none' }, { Origin: 'https://evil.example' }, { Origin: 'null' }, { ...SAME_ORIGIN, 'api-key': 'wrong' }, { ...SAME_ORIGIN, Authorization: 'Bearer x' }] as Sent[]) {
      assert.equal((await browser.ask(streamAddress, { headers })).status, 401, JSON.stringify(headers));
    }
    assert.equal((await browser.ask(streamAddress, { method: 'HEAD', headers: SAME_ORIGIN })).status, 401);
  });

  it('counts for no operation but the stream', async () => {
    await browser.signIn('owner');
    for (const { method, path, operationId } of ROUTES) {
      if (operationId === 'streamDiagnostics') continue;
      const address = `${path.replace('{gridSecondaryId}', GRID_A).replace(/\{\w+\}/g, 'x')}?api-version=2.0`;
      assert.equal((await browser.ask(address, { method, headers: SAME_ORIGIN })).status, 401, operationId);
    }
  });

  it('leaves no token, code or cookie in the log', async () => {
    const answer = await browser.begin('owner');
    await browser.ask(answer);
    const { accessToken } = await sessionOf(browser);
    await browser.ask(answer);
    await browser.signOut();
    const log = JSON.stringify(api.log);
    for (const secret of [accessToken.slice(0, 60), new URL(answer).searchParams.get('code') ?? '', new URL(answer).searchParams.get('state') ?? '', 'hindsight_session']) assert.equal(log.includes(secret), false);
  });
});

/** The text with another character at this place. */
function flipped(text: string, at: number): string {
  return text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
}

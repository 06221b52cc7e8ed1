import assert from 'node:assert/strict';
import { decodeJwt } from 'jose';
import { HindsightError } from '../../../../src/errors.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { GRID_A } from '../../../support/fake-access.js';
import { EventStream } from '../../../support/event-stream.js';
import { locationOf, PortalBrowser } from '../../../support/portal-browser.js';
import { portalIdentity, type PortalIdentity } from '../../../support/portal-identity.js';
import type { SignInRefusal } from '../../../../src/self-telemetry/prometheus-metrics.js';
import { ROUTES } from '../../../../src/http/routes.js';
import { waitUntil } from '../../../support/wait-until.js';

const PUBLIC_URL = 'http://127.0.0.1:8080';
const SESSION_COOKIE = '8080_hindsight_session';
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
  const openStream = (cookie: string): Promise<EventStream> =>
    EventStream.open(at + streamAddress, { cookie, ...SAME_ORIGIN });

  it('reports who could sign in while nobody has, and nothing to pages of others', async () => {
    const answer = await browser.session();
    assert.equal(answer.status, 401);
    assert.deepEqual(((await answer.json()) as { users: string[] }).users, [
      'owner',
      'member',
      'user',
      'guest',
      'outsider',
    ]);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.equal((await browser.ask('/portal/session')).status, 403);
    const preflight = await browser.ask('/portal/session', {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-headers': 'x-hindsight-portal' },
    });
    assert.equal(preflight.headers.get('access-control-allow-origin'), null);
  });

  it('begins with code and PKCE, leads back to the page that was asked for, and gives a token for the API', async () => {
    const address = new URL(
      locationOf(await browser.ask('/portal/sign-in?return=/portal/g/x/map%3Fat%3D1&user=member')),
    );
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
    for (const line of browser.setCookies.filter((each) => each.startsWith('8080_hindsight_s'))) {
      assert.match(line, /; Path=\/; HttpOnly; SameSite=Lax$/);
      assert.ok(line.length <= 4096 && !line.includes(accessToken));
    }
  });

  it('over https is bound to its host', async () => {
    const secure = await portalIdentity('https://hindsight.example');
    const { cookies } = await secure.sessions.beginSignIn('/portal/', 'owner', undefined);
    assert.match(cookies[0], /^__Host-hindsight_sign_in_[0-9a-f]{12}=.*; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
    await secure.dispose();
  });

  it('is not that of another installation on the same machine, nor ends it', async () => {
    const url = 'http://127.0.0.1:8081';
    const other = await portalIdentity(url);
    const otherApi = await startApi({ publicUrl: url, ...other });
    const both = new PortalBrowser(`http://127.0.0.1:${otherApi.port}`);
    await browser.signIn('owner');
    for (const [name, value] of browser.cookies) both.cookies.set(name, value);
    assert.equal((await both.session()).status, 401);
    await both.signIn('guest');
    for (const [name, value] of both.cookies) browser.cookies.set(name, value);
    assert.equal((await sessionOf(browser)).user.id, 'owner');
    assert.equal((await sessionOf(both)).user.id, 'guest');
    await otherApi.stop();
    await other.dispose();
  });

  for (const hostile of [
    'https://evil.example/portal/',
    '//evil.example/portal/',
    '/\\evil.example/portal/',
    '/portal/../admin',
    '/portal/%2e%2e/admin',
    'javascript:alert(1)//portal/',
    '/portalx',
    '/portal/sign-in',
    '/portal/callback/',
    '/portal\\..\\x',
    `/portal/${'a'.repeat(3000)}`,
    '',
  ]) {
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

  it('leaves room among the headers, however many sign-ins are begun and where they would lead', async () => {
    for (let tab = 0; tab < 8; tab++)
      await browser.ask(`/portal/sign-in?user=owner&return=/portal/g/x/logs%3Fbody%3D${tab}${'a'.repeat(1_900)}`);
    assert.ok(browser.cookieHeader.length < 4_500, String(browser.cookieHeader.length));
    const [first, second] = [await browser.begin('owner'), await browser.begin('guest')];
    assert.equal(locationOf(await browser.ask(first)), '/portal/');
    assert.equal(locationOf(await browser.ask(second)), '/portal/');
  });

  it('is not begun twice with one code, and several tabs may sign in at once', async () => {
    const [first, second] = [await browser.begin('owner'), await browser.begin('guest')];
    const replayed = browser.cookieHeader;
    await browser.ask(first);
    assert.equal((await sessionOf(browser)).user.id, 'owner');
    await browser.ask(second);
    assert.equal((await sessionOf(browser)).user.id, 'guest');
    const again = await fetch(new URL(new URL(first).search, `${at}/portal/callback`), {
      redirect: 'manual',
      headers: { cookie: replayed },
    });
    assert.equal(locationOf(again), '/portal/?sign-in=refused');
    assert.deepEqual(again.headers.getSetCookie(), []);
  });

  it('does not follow from a cookie that was changed, made elsewhere, or made for something else', async () => {
    await browser.signIn('owner');
    const name = SESSION_COOKIE;
    const cookie = browser.cookies.get(name) ?? '';
    const elsewhere = await portalIdentity(PUBLIC_URL, 'another secret of more than thirty-two letters');
    const started = (await elsewhere.sessions.beginSignIn('/portal/', 'owner', undefined)).cookies[0].split(/[=;]/)[1];
    await elsewhere.dispose();
    const changed = Array.from({ length: 8 }, (_, at) =>
      flipped(cookie, 60 + Math.floor((at * (cookie.length - 60)) / 8)),
    );
    const signIn = (await portal.sessions.beginSignIn('/portal/', 'owner', undefined)).cookies[0].split(/[=;]/)[1];
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

  it('outlives an issuer that is unavailable while its token is good, and says that it is not over afterwards', async () => {
    await browser.signIn('owner');
    portal.away.now = true;
    portal.clock.nowMs += 3_550_000;
    assert.equal((await browser.session()).status, 200);
    portal.clock.nowMs += 60_000;
    const answer = await browser.session();
    assert.equal(answer.status, 503);
    assert.ok(browser.cookies.has(SESSION_COOKIE));
  });

  it('leads back to the page that was asked for, which says so, while the issuer cannot be asked', async () => {
    portal.away.now = true;
    assert.equal(
      locationOf(await browser.ask('/portal/sign-in?return=/portal/g/x/map%3Fat%3D1')),
      '/portal/g/x/map?at=1&sign-in=unavailable',
    );
    assert.match(JSON.stringify(api.log), /Cannot reach the identity provider/);
    portal.away.now = false;
    assert.equal(await browser.signIn('owner'), '/portal/');
  });

  it('is none where its tokens fit into no cookies, and page and log say so', async () => {
    portal.sessions.finishSignIn = () =>
      Promise.reject(new HindsightError('too-large', 'A value of 20000 characters does not fit into cookies'));
    assert.equal(locationOf(await browser.ask('/portal/callback?code=c&state=s')), '/portal/?sign-in=too-large');
    assert.match(JSON.stringify(api.log), /too large for cookies/);
  });

  it('asks the issuer of short-lived tokens once in each half of their life, not for every question', async () => {
    portal.life.seconds = 60;
    await browser.signIn('owner');
    for (let seconds = 5; seconds <= 120; seconds += 5) {
      portal.clock.nowMs += 5_000;
      assert.equal((await browser.session()).status, 200);
    }
    assert.deepEqual(portal.grants, ['authorization_code', ...Array.from({ length: 4 }, () => 'refresh_token')]);
  });

  it('is over after a week, however often it was renewed', async () => {
    await browser.signIn('owner');
    portal.clock.nowMs += 7 * 24 * 3_600_000 + 1_000;
    assert.equal((await browser.session()).status, 401);
    assert.equal(browser.cookies.has(SESSION_COOKIE), false);
  });

  it('ends when its user signs out on a page of our own, with its token and every copy of its cookie', async () => {
    await browser.signIn('owner');
    const { accessToken } = await sessionOf(browser);
    const copy = browser.cookieHeader;
    for (const headers of [
      {},
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { Origin: 'null' },
      { Origin: 'http://127.0.0.1:8081' },
    ] as Sent[]) {
      assert.equal((await browser.signOut(headers)).status, 403);
    }
    assert.equal((await browser.session()).status, 200);
    assert.equal(locationOf(await browser.signOut({ Origin: PUBLIC_URL })), '/portal/');
    assert.equal(browser.cookies.has(SESSION_COOKIE), false);
    const stolen = await fetch(`${at}/portal/session`, { headers: { cookie: copy, 'X-Hindsight-Portal': '1' } });
    assert.equal(stolen.status, 401);
    assert.equal((await portal.verifyBearer(accessToken)).ok, false);
    assert.equal((await browser.ask('/portal/sign-out')).status, 405);
  });

  it('ends at the issuer, too, by a page that needs no form to go there', async () => {
    const own = await portalIdentity(PUBLIC_URL, undefined, 'http://issuer.example/logout?a=1&b=2');
    const ownApi = await startApi({ publicUrl: PUBLIC_URL, ...own });
    const visitor = new PortalBrowser(`http://127.0.0.1:${ownApi.port}`);
    await visitor.signIn('owner');
    assert.equal((await visitor.signOut({})).status, 403);
    const answer = await visitor.signOut();
    assert.deepEqual(
      [answer.status, answer.headers.get('location'), answer.headers.get('cache-control')],
      [200, null, 'no-store'],
    );
    const [, address = ''] = /^0; url=(.+)$/.exec(answer.headers.get('refresh') ?? '') ?? [];
    const { origin, searchParams } = new URL(address);
    assert.deepEqual(
      [origin, searchParams.get('b'), searchParams.get('client_id'), searchParams.get('post_logout_redirect_uri')],
      ['http://issuer.example', '2', 'hindsight-portal', `${PUBLIC_URL}/portal/`],
    );
    assert.equal(decodeJwt(searchParams.get('id_token_hint') ?? '').sub, 'owner');
    assert.ok((await answer.text()).includes(`<a href="${address.replaceAll('&', '&amp;')}">`));
    assert.equal((await visitor.session()).status, 401);
    assert.equal(JSON.stringify(ownApi.log).includes(searchParams.get('id_token_hint')!.slice(0, 40)), false);
    await ownApi.stop();
    await own.dispose();
  });

  it('lets the stream in by its cookie, until it ends or its user is no member any more', async () => {
    await browser.signIn('owner');
    const removed = await openStream(browser.cookieHeader);
    assert.equal(removed.response.statusCode, 200);
    api.access.roles.delete(`${GRID_A} owner`);
    api.tick();
    await waitUntil(() => removed.ended, 'the stream of who is no member ends');
    api.access.roles.set(`${GRID_A} owner`, 'Owner');
    const signedOut = await openStream(browser.cookieHeader);
    await browser.signOut();
    api.tick();
    await waitUntil(() => signedOut.ended, 'the stream of who signed out ends');
  });

  it('renews for a stream that comes back after its token has ended', async () => {
    await browser.signIn('owner');
    portal.clock.nowMs += 3_700_000;
    const stream = await openStream(browser.cookieHeader);
    assert.equal(stream.response.statusCode, 200);
    assert.match(String(stream.response.headers['set-cookie']), /^8080_hindsight_session=/);
    stream.close();
  });

  it('counts for no request of another site, nor beside wrong credentials', async () => {
    await browser.signIn('owner');
    for (const headers of [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { 'Sec-Fetch-Site': 'none' },
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { ...SAME_ORIGIN, 'api-key': 'wrong' },
      { ...SAME_ORIGIN, Authorization: 'Bearer x' },
    ] as Sent[]) {
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

  it('reports why the API does not take its token, and where nobody can sign in', async () => {
    const elsewhere = await startApi({
      publicUrl: PUBLIC_URL,
      ...portal,
      verifyBearer: async () => ({
        ok: false,
        reason: 'unauthenticated',
        expired: false,
        detail: 'it is for another audience',
      }),
    });
    await browser.signIn('owner');
    const visitor = new PortalBrowser(`http://127.0.0.1:${elsewhere.port}`);
    for (const [name, value] of browser.cookies) visitor.cookies.set(name, value);
    const refusal = (await (await visitor.session()).json()) as { refused: string; canSignIn: boolean };
    assert.deepEqual([refusal.refused, refusal.canSignIn], ['it is for another audience', true]);
    assert.deepEqual(
      elsewhere.log.filter(({ level }) => level === 'warn').map(({ fields }) => fields['reason']),
      ['it is for another audience'],
    );
    await elsewhere.stop();
    const without = await startApi({ publicUrl: PUBLIC_URL });
    const nobody = await new PortalBrowser(`http://127.0.0.1:${without.port}`).session();
    assert.deepEqual([nobody.status, ((await nobody.json()) as { canSignIn: boolean }).canSignIn], [401, false]);
    await without.stop();
  });

  it('that is refused is reported to the operator: why, whose request, from where', async () => {
    const refusals: SignInRefusal[] = [];
    const notified = await startApi({
      publicUrl: PUBLIC_URL,
      ...portal,
      signInMeters: { countRefusedSignIn: (reason) => void refusals.push(reason) },
    });
    const visitor = new PortalBrowser(`http://127.0.0.1:${notified.port}`);
    const begun = new URL(locationOf(await visitor.ask('/portal/sign-in')));
    const denied = new URLSearchParams({
      state: begun.searchParams.get('state') ?? '',
      iss: portal.identity.issuer,
      error: 'access_denied',
      error_description: `Ask the administrator. ${'x'.repeat(2_000)}`,
    });
    assert.equal(locationOf(await visitor.ask(`/portal/callback?${denied.toString()}`)), '/portal/?sign-in=refused');
    for (let guess = 0; guess < 20; guess++) await visitor.ask('/portal/callback?code=made-up&state=made-up');
    const reported = notified.log.filter(({ level }) => level === 'warn');
    assert.equal(refusals.filter((reason) => reason === 'refused').length, 21);
    assert.ok(reported.length >= 1 && reported.length <= 5, `${reported.length} lines`);
    const [{ message, fields }] = reported;
    assert.equal(message, 'Portal sign-in refused');
    assert.match(String(fields['reason']), /^the identity provider refused: Ask the administrator\. x{200,270}$/);
    assert.deepEqual([fields['client'], typeof fields['requestId'], fields['leftOut']], ['127.0.0.1', 'string', 0]);
    assert.doesNotMatch(JSON.stringify(notified.log), /made-up/);
    await notified.stop();
  });

  it('leaves no token, code or cookie in the log', async () => {
    const answer = await browser.begin('owner');
    await browser.ask(answer);
    const { accessToken } = await sessionOf(browser);
    await browser.ask(answer);
    await browser.signOut();
    const log = JSON.stringify(api.log);
    for (const secret of [
      accessToken.slice(0, 60),
      new URL(answer).searchParams.get('code') ?? '',
      new URL(answer).searchParams.get('state') ?? '',
      'hindsight_session',
    ])
      assert.equal(log.includes(secret), false);
  });
});

/** The text with another character at this place. */
function flipped(text: string, at: number): string {
  return text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
}

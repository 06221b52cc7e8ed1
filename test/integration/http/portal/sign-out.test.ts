import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { EndedSessions } from '../../../../src/auth/portal/ended-sessions.js';
import { TokenMembers } from '../../../../src/auth/token-members.js';
import { createSignOutRecorder } from '../../../../src/commands/portal-sessions/sign-out-recorder.js';
import { SignOutPoller } from '../../../../src/runtime/sign-out-poller.js';
import { PORTAL_SESSIONS_STREAM } from '../../../../src/streams/stream-names.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { EventStream } from '../../../support/event-stream.js';
import { GRID_A } from '../../../support/fake-access.js';
import { PortalBrowser } from '../../../support/portal-browser.js';
import { portalIdentity, type PortalIdentity } from '../../../support/portal-identity.js';
import { waitUntil } from '../../../support/wait-until.js';
import { Scene } from '../../streams/adapters/eventstoredb/scene.js';

const PUBLIC_URL = 'http://127.0.0.1:8080';
const SESSION_COOKIE = '8080_hindsight_session';

describe('signing out of the portal, with several processes over one log', () => {
  let scene: Scene;
  let portal: PortalIdentity;
  let stops: (() => unknown)[];
  let failures: unknown[];
  /** What operators would have read of an error. */
  let complaints: string[];

  beforeEach(async () => {
    [scene, portal, stops, failures, complaints] = [await Scene.open(), await portalIdentity(PUBLIC_URL), [], [], []];
  });
  afterEach(async () => {
    for (const stop of stops.reverse()) await stop();
    await portal.dispose();
    await scene.close();
    assert.deepEqual(complaints, []);
  });

  /** A process of its own, as far as sessions go. */
  async function process(isListening = true): Promise<{ api: TestApi; verifies: (token: string) => Promise<boolean> }> {
    const log = scene.store({ storeTimeoutMs: 2_000 });
    const stopping = new AbortController();
    stops.push(() => stopping.abort());
    const review = (): void => api.live.recheckAccess();
    const ended = new EndedSessions({
      record: createSignOutRecorder({ log, newId: randomUUID }),
      onUnrecorded: (error) => void failures.push(error),
      onEnded: review,
      now: Date.now,
    });
    const sessions = portal.beside(ended);
    const api = await startApi({ publicUrl: PUBLIC_URL, ...portal, ...sessions });
    stops.push(() => api.stop());
    const logger = {
      info: () => undefined,
      warn: () => undefined,
      error: (line: string) => void complaints.push(line),
    };
    const tokenMembers = new TokenMembers({ record: async () => undefined, now: Date.now });
    const parts = { log, ended, tokenMembers, isShared: true, onSignOut: review, logger, timeoutMs: 2_000 };
    if (isListening) await new SignOutPoller(parts).start(stopping.signal);
    return { api, verifies: async (token) => (await sessions.verifyBearer(token)).ok };
  }
  const visitorOf = ({ port }: TestApi): PortalBrowser => new PortalBrowser(`http://127.0.0.1:${port}`);
  function copyOf(browser: PortalBrowser, api: TestApi): PortalBrowser {
    const copy = visitorOf(api);
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
    return copy;
  }
  const statusOf = async (browser: PortalBrowser): Promise<number> => (await browser.session()).status;
  /** The session itself is refused, whatever becomes of its token: its cookie is taken away. */
  const isOver = async (browser: PortalBrowser): Promise<boolean> =>
    (await statusOf(browser)) === 401 && !browser.cookies.has(SESSION_COOKIE);
  const written = async (): Promise<string> => JSON.stringify(await scene.store().readStream(PORTAL_SESSIONS_STREAM));

  it("ends copies of cookie and token in all of them, and in those that start later, but nobody else's", async () => {
    const [one, other] = [await process(), await process()];
    const [ada, bob] = [visitorOf(one.api), visitorOf(one.api)];
    await ada.signIn('owner');
    await bob.signIn('member');
    const { accessToken } = (await (await ada.session()).json()) as { accessToken: string };
    const [cookie, thief] = [ada.cookies.get(SESSION_COOKIE) ?? '', copyOf(ada, other.api)];
    assert.deepEqual([await statusOf(copyOf(ada, other.api)), await other.verifies(accessToken)], [200, true]);
    const [here, later] = [copyOf(ada, one.api), copyOf(ada, one.api)];
    assert.equal((await ada.signOut()).status, 303);
    assert.deepEqual([await isOver(here), await one.verifies(accessToken)], [true, false]);
    await waitUntil(() => isOver(copyOf(thief, other.api)), 'the other process hears of it');
    assert.equal(await other.verifies(accessToken), false);
    const restarted = await process();
    assert.deepEqual(
      [await isOver(copyOf(later, restarted.api)), await restarted.verifies(accessToken)],
      [true, false],
    );
    assert.deepEqual([await statusOf(copyOf(bob, other.api)), await statusOf(copyOf(bob, restarted.api))], [200, 200]);
    const text = await written();
    assert.ok(
      text.includes('PortalSessionEnded.v1') &&
        !text.includes(accessToken) &&
        !text.includes(cookie.slice(0, 60)) &&
        !text.includes('owner'),
    );
  });

  it('ends open streams at once where it was received, and elsewhere with the next poll', async () => {
    const [one, other] = [await process(), await process()];
    const ada = visitorOf(one.api);
    await ada.signIn('owner');
    const { accessToken } = (await (await ada.session()).json()) as { accessToken: string };
    // No tick passes for these streams: they end because somebody says so.
    const [here, there] = await Promise.all(
      [one, other].map(({ api }) =>
        EventStream.open(`http://127.0.0.1:${api.port}/apm/diagnostics/${GRID_A}/stream?api-version=2.0`, {
          authorization: `Bearer ${accessToken}`,
        }),
      ),
    );
    assert.deepEqual([here.response.statusCode, there.response.statusCode], [200, 200]);
    assert.equal((await ada.signOut()).status, 303);
    await waitUntil(() => here.ended, 'the stream ends');
    await waitUntil(() => there.ended, 'the stream in the other process ends');
  });

  it('is written once the log can be written again: copies are refused in the other process then, too', async () => {
    const [one, other] = [await process(), await process()];
    const browser = visitorOf(one.api);
    await browser.signIn('owner');
    const copy = copyOf(browser, other.api);
    scene.server.faults.always('append', { kind: 'not-ready' });
    assert.equal((await browser.signOut()).status, 503);
    assert.equal(await statusOf(copyOf(copy, other.api)), 200);
    scene.server.faults.always('append', undefined);
    await waitUntil(() => isOver(copyOf(copy, other.api)), 'the other process hears of it');
  });

  it('is one event, however often the cookie is shown again', async () => {
    const { api } = await process();
    const browser = visitorOf(api);
    await browser.signIn('owner');
    const copies = [copyOf(browser, api), copyOf(browser, api)];
    for (const each of [browser, ...copies]) assert.equal((await each.signOut()).status, 303);
    assert.equal((await scene.store().readStream(PORTAL_SESSIONS_STREAM)).length, 1);
  });

  it('says so where the log cannot be written, ends the cookie and refuses copies here all the same, and goes nowhere by itself', async () => {
    const { api } = await process();
    const browser = visitorOf(api);
    await browser.signIn('owner');
    const copy = copyOf(browser, api);
    await scene.server.stop();
    const answer = await browser.signOut();
    assert.deepEqual(
      [
        answer.status,
        answer.headers.get('refresh'),
        answer.headers.get('location'),
        answer.headers.get('cache-control'),
      ],
      [503, null, null, 'no-store'],
    );
    const page = await answer.text();
    assert.match(page, /signed out in this browser, but not yet everywhere/);
    assert.match(page, /<meta name="viewport" content="width=device-width/);
    const style = createHash('sha256')
      .update(/<style>(.+?)<\/style>/s.exec(page)?.[1] ?? '')
      .digest('base64');
    assert.ok(
      answer.headers.get('content-security-policy')?.includes(`default-src 'none';style-src 'sha256-${style}'`),
    );
    assert.equal(browser.cookies.has(SESSION_COOKIE), false);
    assert.equal(await isOver(copy), true);
    assert.equal(failures.length, 1);
  });

  it('counts before anybody is let in: as long as the log was not read, nobody is known, and signing out works', async () => {
    const { api: deaf } = await process(false);
    const { api } = await process();
    const browser = visitorOf(api);
    await browser.signIn('owner');
    const early = copyOf(browser, deaf);
    assert.equal(await statusOf(early), 503);
    assert.equal((await early.signOut()).status, 303);
    await waitUntil(() => isOver(copyOf(browser, api)), 'the other process hears of it');
  });
});

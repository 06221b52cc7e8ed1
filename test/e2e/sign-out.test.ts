import assert from 'node:assert/strict';
import { Engines } from '../support/cluster/engines.js';
import { freePort } from '../support/free-port.js';
import { PortalBrowser } from '../support/portal-browser.js';
import { ServiceProcess } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

/** Credentials of one of two users: copies of the cookies and of the access token. */
class Taken {
  private constructor(
    private readonly cookies: readonly (readonly [string, string])[],
    private readonly accessToken: string,
  ) {}

  static async from(browser: PortalBrowser): Promise<Taken> {
    const { accessToken } = (await (await browser.session()).json()) as { accessToken: string };
    return new Taken([...browser.cookies], accessToken);
  }

  /** Responses of a service to session and token, and whether the session cookie was kept; it is deleted if the session has ended. */
  async shownTo({ apiUrl }: ServiceProcess): Promise<readonly [session: number, isLeft: boolean, token: number]> {
    const copy = new PortalBrowser(apiUrl);
    for (const [name, value] of this.cookies) copy.cookies.set(name, value);
    const { status } = await copy.session();
    const grids = await fetch(`${apiUrl}/admin/grids?api-version=2.0`, {
      headers: { authorization: `Bearer ${this.accessToken}` },
    });
    return [status, [...copy.cookies.keys()].some((name) => name.endsWith('_hindsight_session')), grids.status];
  }
}

const GOOD = [200, true, 200] as const;
const WORTHLESS = [401, false, 401] as const;

describe('signing out of a running service', function () {
  this.timeout(120_000);
  let disposals: (() => Promise<unknown> | undefined)[];

  beforeEach(() => (disposals = []));
  afterEach(async () => {
    for (const dispose of disposals.reverse()) await dispose();
  });

  /** At a fixed address, since cookies belong to an installation. */
  async function started(environment: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
    const service = await ServiceProcess.start({ HTTP_PORT: String(await freePort()), ...environment });
    disposals.push(() => service.dispose());
    return service;
  }

  async function signedIn(
    service: ServiceProcess,
    user: string,
  ): Promise<{ readonly browser: PortalBrowser; readonly taken: Taken }> {
    const browser = new PortalBrowser(service.apiUrl);
    await browser.signIn(user);
    return { browser, taken: await Taken.from(browser) };
  }

  it('persists across a crash, for copies of the cookie and the token, and for no other user', async () => {
    const service = await started();
    const [ada, bob] = [await signedIn(service, 'owner'), await signedIn(service, 'member')];
    assert.deepEqual(await ada.taken.shownTo(service), GOOD);
    assert.equal((await ada.browser.signOut()).status, 303);
    await service.signal('SIGKILL');
    await service.start();
    assert.deepEqual(await ada.taken.shownTo(service), WORTHLESS);
    assert.equal((await bob.taken.shownTo(service))[0], 200);
  });

  it('applies in another process on the same event log', async () => {
    const engines = await Engines.start({ eventStore: 'eventstoredb', readStore: 'embedded', fanOut: 'in-process' });
    disposals.push(() => engines.dispose());
    const shared = { ...engines.environment, PORTAL_SESSION_SECRET: 'a secret of more than thirty-two characters' };
    const one = await started(shared);
    // As behind a proxy: one address, and one identity provider, which is that of the first process.
    const other = await started({ ...shared, PUBLIC_URL: one.apiUrl, AUTH_URL: `${one.apiUrl}/auth` });
    const [ada, bob] = [await signedIn(one, 'owner'), await signedIn(one, 'member')];
    await waitUntil(
      async () => (await ada.taken.shownTo(other)).every((each, at) => each === GOOD[at]),
      'the other process knows members and sessions',
    );
    assert.equal((await ada.browser.signOut()).status, 303);
    assert.deepEqual(await ada.taken.shownTo(one), WORTHLESS);
    await waitUntil(async () => (await ada.taken.shownTo(other))[0] === 401, 'the other process hears of it');
    assert.deepEqual(await ada.taken.shownTo(other), WORTHLESS);
    assert.equal((await bob.taken.shownTo(other))[0], 200);
  });
});

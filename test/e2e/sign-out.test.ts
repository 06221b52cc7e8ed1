import assert from 'node:assert/strict';
import { freePort } from '../support/free-port.js';
import { PortalBrowser } from '../support/portal-browser.js';
import { ServiceProcess } from '../support/service.js';

describe('signing out of a running service', function () {
  this.timeout(60_000);
  let service: ServiceProcess;

  before(async () => {
    // The same address after the restart: cookies are those of an installation.
    service = await ServiceProcess.start({ HTTP_PORT: String(await freePort()) });
  });
  after(() => service?.dispose());

  it('holds after a crash, for copies of the cookie and of the token, and for nobody else', async () => {
    const [ada, bob] = [new PortalBrowser(service.apiUrl), new PortalBrowser(service.apiUrl)];
    await ada.signIn('owner');
    await bob.signIn('member');
    const { accessToken } = (await (await ada.session()).json()) as { accessToken: string };
    const cookies = [...ada.cookies];
    /** The answer to a copy of the cookies, and whether that of the session is left: it is taken from whoever has none. */
    const copied = async (): Promise<readonly [status: number, isLeft: boolean]> => {
      const copy = new PortalBrowser(service.apiUrl);
      for (const [name, value] of cookies) copy.cookies.set(name, value);
      return [(await copy.session()).status, [...copy.cookies.keys()].some((name) => name.endsWith('_hindsight_session'))];
    };
    const tokened = async (): Promise<number> => (await fetch(`${service.apiUrl}/admin/grids?api-version=2.0`, { headers: { authorization: `Bearer ${accessToken}` } })).status;
    assert.deepEqual([await copied(), await tokened()], [[200, true], 200]);
    assert.equal((await ada.signOut()).status, 303);
    await service.signal('SIGKILL');
    await service.start();
    assert.deepEqual([await copied(), await tokened()], [[401, false], 401]);
    assert.equal((await bob.session()).status, 200);
  });
});

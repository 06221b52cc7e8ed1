import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser } from 'playwright-core';
import { loadPortalFiles } from '../../src/http/portal/portal-files.js';
import { startApi, type TestApi } from '../support/api.js';
import { freePort } from '../support/free-port.js';
import { portalIdentity, type PortalIdentity } from '../support/portal-identity.js';

const CHROMIUM = '/usr/bin/chromium';
const BUILT = fileURLToPath(new URL('../../web', import.meta.url));

/** The content security policy restricts form targets, and Chromium applies it to redirects as well. */
describe('the portal in a browser: signing out at the identity provider, too', function () {
  this.timeout(60_000);
  let issuer: Server;
  let asked: URL[];
  let portal: PortalIdentity;
  let api: TestApi;
  let browser: Browser;

  before(async function () {
    if (!existsSync(CHROMIUM)) {
      console.log(`skipped: a test in a browser (${CHROMIUM} is not installed)`);
      this.skip();
    }
    asked = [];
    issuer = createServer((request, response) => {
      const address = new URL(request.url ?? '/', 'http://issuer.invalid');
      if (address.pathname === '/logout') asked.push(address);
      response.writeHead(303, { location: address.searchParams.get('post_logout_redirect_uri') ?? '/' }).end();
    }).listen(0, '127.0.0.1');
    await once(issuer, 'listening');
    const port = await freePort();
    const publicUrl = `http://127.0.0.1:${port}`;
    portal = await portalIdentity(
      publicUrl,
      undefined,
      `http://localhost:${(issuer.address() as AddressInfo).port}/logout`,
    );
    api = await startApi({ publicUrl, ...portal, portal: loadPortalFiles(BUILT), port });
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--no-sandbox', '--host-resolver-rules=MAP localhost 127.0.0.1'],
    });
  });
  after(async () => {
    await (browser as Browser | undefined)?.close();
    await (api as TestApi | undefined)?.stop();
    await (portal as PortalIdentity | undefined)?.dispose();
    (issuer as Server | undefined)?.close();
  });

  it('ends the session at the identity provider, returns, and the user is signed out', async () => {
    const page = await browser.newPage();
    page.setDefaultTimeout(15_000);
    const refused: string[] = [];
    page.on(
      'console',
      (message) => void (/Content Security Policy/.test(message.text()) && refused.push(message.text())),
    );
    await page.goto(`http://127.0.0.1:${api.port}/portal/sign-in?user=owner`);
    await page.getByRole('button', { name: 'Sign out owner' }).click();
    await page.getByRole('link', { name: 'Sign in as owner' }).waitFor();
    assert.equal(page.url(), `http://127.0.0.1:${api.port}/portal/`);
    assert.deepEqual(
      [asked.length, asked[0].searchParams.get('client_id'), asked[0].searchParams.has('id_token_hint')],
      [1, 'hindsight-portal', true],
    );
    assert.deepEqual(refused, []);
    await page.close();
  });
});

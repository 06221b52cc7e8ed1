import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { freePort } from '../support/free-port.js';
import { ServiceProcess } from '../support/service.js';

const CHROMIUM = '/usr/bin/chromium';
const NAME = 'hindsight.test';

/** Over plain HTTP, browsers restrict pages of host names more than those of 127.0.0.1: they send fewer headers and disable APIs. */
describe('the portal in a browser: over plain HTTP with a host name', function () {
  this.timeout(60_000);
  let service: ServiceProcess;
  let browser: Browser;
  let url: string;

  before(async function () {
    if (!existsSync(CHROMIUM)) {
      console.log(`skipped: a test in a browser (${CHROMIUM} is not installed)`);
      this.skip();
    }
    const port = String(await freePort());
    url = `http://${NAME}:${port}`;
    service = await ServiceProcess.start({ HTTP_PORT: port, PUBLIC_URL: url });
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--no-sandbox', `--host-resolver-rules=MAP ${NAME} 127.0.0.1`],
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
    });
  });
  after(async () => {
    await (browser as Browser | undefined)?.close();
    await (service as ServiceProcess | undefined)?.dispose();
  });

  it('signs in under any host name, copies, and signs out completely', async () => {
    const page = await browser.newPage();
    page.setDefaultTimeout(15_000);
    await page.goto(`${service.apiUrl}/portal/`);
    await page.getByRole('link', { name: 'Sign in as owner' }).click();
    await page.waitForURL(`${url}/portal/g/**`);
    await page.getByRole('link', { name: 'Administration' }).click();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Copy ID' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('');
    await page.keyboard.press('Control+v');
    assert.equal(
      await page.getByLabel('Name', { exact: true }).inputValue(),
      new URL(page.url()).pathname.split('/')[3],
    );
    await page.getByRole('button', { name: 'Sign out owner' }).click();
    await page.getByRole('link', { name: 'Sign in as owner' }).waitFor();
    // The browser restores the page from its cache without loading it.
    await page.goBack({ waitUntil: 'commit' });
    await page.getByRole('link', { name: 'Sign in as owner' }).waitFor();
    assert.match(page.url(), /tab=settings/);
  });
});

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { freePort } from '../support/free-port.js';
import { ServiceProcess } from '../support/service.js';

const CHROMIUM = '/usr/bin/chromium';
const NAME = 'hindsight.test';

/** Browsers trust a name of the network without https less than 127.0.0.1: they say less of requests, and let pages do less. */
describe('the portal in a browser: over plain http, by a name of the network', function () {
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

  it('signs in by any name of the machine, copies, and signs out for good', async () => {
    const page = await browser.newPage();
    page.setDefaultTimeout(15_000);
    await page.goto(`${service.apiUrl}/portal/`);
    await page.getByRole('link', { name: 'Sign in as owner' }).click();
    await page.waitForURL(`${url}/portal/g/**`);
    await page.getByRole('link', { name: 'Administration' }).click();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Copy id' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('');
    await page.keyboard.press('Control+v');
    assert.equal(
      await page.getByLabel('Name', { exact: true }).inputValue(),
      new URL(page.url()).pathname.split('/')[3],
    );
    await page.getByRole('button', { name: 'Sign out owner' }).click();
    await page.getByRole('link', { name: 'Sign in as owner' }).waitFor();
    // The browser shows the page as it was, and loads nothing.
    await page.goBack({ waitUntil: 'commit' });
    await page.getByRole('link', { name: 'Sign in as owner' }).waitFor();
    assert.match(page.url(), /tab=settings/);
  });
});

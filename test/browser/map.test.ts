import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { waitUntil } from '../support/wait-until.js';
import { assertForEveryone } from './support/page-checks.js';
import { withPage } from './support/shared-page.js';
import type { SharedPortal } from './support/shared-portal.js';

describe('the portal in a browser: the service map', function () {
  this.timeout(120_000);
  let portal: SharedPortal;
  let page: Page;

  withPage('user', (opened) => ({ portal, page } = opened));

  const slider = (): Locator => page.getByRole('slider');
  const reported = async (): Promise<string> => (await slider().getAttribute('aria-valuetext')) ?? '';
  const saidIn = (name: string): string | null => new URL(page.url()).searchParams.get(name);
  const checkout = (): Locator =>
    page.getByRole('region', { name: 'Services and dependencies' }).getByRole('row').filter({ hasText: 'checkout' });
  /** Number of five-minute steps to a moment before the incident. */
  const slideBack = async (): Promise<void> => {
    await slider().focus();
    for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowLeft');
    await page.getByText(/^Map as of /).waitFor();
    // The URL follows after a short delay.
    await waitUntil(
      async () =>
        saidIn('moment') !== null &&
        Math.abs(Date.parse(saidIn('moment')!) - Number(await slider().inputValue())) < 1_000,
      'the address has followed',
    );
  };

  it('moves through the past with its slider, without changing the time view', async () => {
    await page.goto(portal.url('map?show=list'));
    await checkout()
      .filter({ hasText: /Degraded|Recovering/ })
      .waitFor();
    await slideBack();
    await checkout().filter({ hasText: 'Healthy' }).waitFor();
    assert.equal(saidIn('at'), null);
    const link = page.url();
    await page.getByRole('button', { name: 'Back to now' }).click();
    await checkout()
      .filter({ hasText: /Degraded|Recovering/ })
      .waitFor();
    await page.goto(link);
    await checkout().filter({ hasText: 'Healthy' }).waitFor();
  });

  it('changes the time view to the moment of its slider, and resets the slider on returning to now', async () => {
    await page.goto(portal.url('map?show=list'));
    await slideBack();
    const moment = saidIn('moment');
    await page.getByRole('button', { name: 'Go to this time' }).click();
    await page.getByText('Viewing the past').waitFor();
    assert.deepEqual([saidIn('at'), saidIn('moment')], [moment, null]);
    await slider().focus();
    await page.keyboard.press('ArrowLeft');
    await page.getByText(/^Map as of /).waitFor();
    await page.getByRole('status', { name: 'Time travel' }).getByRole('button', { name: 'Back to now' }).click();
    await page.getByText('Map: now').waitFor();
    await checkout()
      .filter({ hasText: /Degraded|Recovering/ })
      .waitFor();
  });

  it('plays from the start until paused', async () => {
    await page.goto(portal.url('map?show=list'));
    await page.getByRole('button', { name: 'Play' }).click();
    await page.getByText(/^Map as of /).waitFor();
    const first = await reported();
    await waitUntil(async () => (await reported()) !== first, 'the map goes on');
    await page.getByRole('button', { name: 'Pause' }).click();
    const paused = await reported();
    await page.waitForTimeout(1_500);
    assert.equal(await reported(), paused);
  });

  it('says if there are no services at a moment', async () => {
    await page.goto(portal.url('map?show=list'));
    await slider().focus();
    await page.keyboard.press('Home');
    await page.getByText('No services in this time range').waitFor();
  });

  it('highlights the path of a cause linked from the diagnosis', async () => {
    await page.goto(portal.url('diagnosis'));
    await page.getByRole('link', { name: 'Show path on map' }).first().click();
    await page.waitForURL(/\/map\?cause=checkout$/);
    await page.getByText('Highlighted: checkout, which does not affect other services yet').waitFor();
    await page.getByRole('link', { name: 'checkout cause' }).waitFor();
    const opacityOf = (name: string): Promise<string> =>
      page.evaluate<string>(
        `getComputedStyle([...document.querySelectorAll('.react-flow__node')].find(({ textContent }) => textContent.includes('${name}'))).opacity`,
      );
    await waitUntil(
      async () => (await opacityOf('checkout')) === '1' && (await opacityOf('catalogue')) === '0.25',
      'the path alone is lit',
    );
    await page.getByRole('button', { name: 'Clear highlight' }).click();
    await waitUntil(async () => (await opacityOf('catalogue')) === '1', 'all are alike');
    await page.goto(portal.url('map?cause=catalogue'));
    await page.getByText('catalogue is not a root cause at this time.').waitFor();
    await assertForEveryone(page, 'the map');
  });
});

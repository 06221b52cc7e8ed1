import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { until } from '../support/service.js';
import { assertForEveryone } from './support/page-checks.js';
import { withPage } from './support/shared-page.js';
import type { SharedPortal } from './support/shared-portal.js';

describe('the portal in a browser: the service map', function () {
  this.timeout(120_000);
  let portal: SharedPortal;
  let page: Page;

  withPage('user', (opened) => ({ portal, page } = opened));

  const slider = (): Locator => page.getByRole('slider');
  const told = async (): Promise<string> => (await slider().getAttribute('aria-valuetext')) ?? '';
  const saidIn = (name: string): string | null => new URL(page.url()).searchParams.get(name);
  const checkout = (): Locator =>
    page
      .getByRole('region', { name: 'Services and what they depend on' })
      .getByRole('row')
      .filter({ hasText: 'checkout' });
  /** Steps of five minutes, to a moment before the incident. */
  const slideBack = async (): Promise<void> => {
    await slider().focus();
    for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowLeft');
    await page.getByText(/^Map as of /).waitFor();
    // The address follows once the hand rests.
    await until(
      async () =>
        saidIn('moment') !== null &&
        Math.abs(Date.parse(saidIn('moment')!) - Number(await slider().inputValue())) < 1_000,
      'the address has followed',
    );
  };

  it('goes back through the hours by its slider, and leaves the other pages where they are', async () => {
    await page.goto(portal.url('map?show=list'));
    await checkout().filter({ hasText: 'Degraded' }).waitFor();
    await slideBack();
    await checkout().filter({ hasText: 'Healthy' }).waitFor();
    assert.equal(saidIn('at'), null);
    const link = page.url();
    await page.getByRole('button', { name: 'Back to now' }).click();
    await checkout().filter({ hasText: 'Degraded' }).waitFor();
    await page.goto(link);
    await checkout().filter({ hasText: 'Healthy' }).waitFor();
  });

  it('takes all pages to the moment of its slider, and none of it back to now', async () => {
    await page.goto(portal.url('map?show=list'));
    await slideBack();
    const moment = saidIn('moment');
    await page.getByRole('button', { name: 'Travel there' }).click();
    await page.getByText('You are looking at the past').waitFor();
    assert.deepEqual([saidIn('at'), saidIn('moment')], [moment, null]);
    await slider().focus();
    await page.keyboard.press('ArrowLeft');
    await page.getByText(/^Map as of /).waitFor();
    await page.getByRole('status', { name: 'Time travel' }).getByRole('button', { name: 'Back to now' }).click();
    await page.getByText('Map of now').waitFor();
    await checkout().filter({ hasText: 'Degraded' }).waitFor();
  });

  it('plays from the earliest hour on until somebody pauses', async () => {
    await page.goto(portal.url('map?show=list'));
    await page.getByRole('button', { name: 'Play' }).click();
    await page.getByText(/^Map as of /).waitFor();
    const first = await told();
    await until(async () => (await told()) !== first, 'the map goes on');
    await page.getByRole('button', { name: 'Pause' }).click();
    const paused = await told();
    await page.waitForTimeout(1_500);
    assert.equal(await told(), paused);
  });

  it('says so where a moment knows no service', async () => {
    await page.goto(portal.url('map?show=list'));
    await slider().focus();
    await page.keyboard.press('Home');
    await page.getByText('No service was seen in this time').waitFor();
  });

  it('lights the path of a cause, as the diagnosis leads to it', async () => {
    await page.goto(portal.url('diagnosis'));
    await page.getByRole('link', { name: 'Path on the map' }).first().click();
    await page.waitForURL(/\/map\?cause=checkout$/);
    await page.getByText('Lit: checkout, which harms no other service').waitFor();
    await page.getByRole('link', { name: 'checkout cause' }).waitFor();
    const opacityOf = (name: string): Promise<string> =>
      page.evaluate<string>(
        `getComputedStyle([...document.querySelectorAll('.react-flow__node')].find(({ textContent }) => textContent.includes('${name}'))).opacity`,
      );
    await until(
      async () => (await opacityOf('checkout')) === '1' && (await opacityOf('catalogue')) === '0.25',
      'the path alone is lit',
    );
    await page.getByRole('button', { name: 'Show all alike' }).click();
    await until(async () => (await opacityOf('catalogue')) === '1', 'all are alike');
    await page.goto(portal.url('map?cause=catalogue'));
    await page.getByText('catalogue is blamed for nothing at this time.').waitFor();
    await assertForEveryone(page, 'the map');
  });
});

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { withPage } from './support/shared-page.js';
import type { SharedPortal } from './support/shared-portal.js';

describe('the portal in a browser: the clock', function () {
  this.timeout(60_000);
  let portal: SharedPortal;
  let page: Page;

  withPage('user', (opened) => ({ portal, page } = opened));

  it('names its zone, shows all times in UTC when that is chosen, and keeps the choice', async () => {
    const toggle = page.getByRole('button', { name: /^Times are in / });
    await page.goto(portal.url('overview'));
    await toggle.waitFor();
    if ((await page.evaluate<string | null>("localStorage.getItem('hindsight.clock')")) !== 'utc') await toggle.click();
    await page.getByRole('button', { name: 'Times are in UTC. Switch to local time' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Times are in UTC. Switch to local time' }).waitFor();
    const time = page.getByRole('list', { name: 'Events, newest first' }).locator('time').first();
    const [shown, iso] = [await time.textContent(), await time.getAttribute('datetime')];
    assert.equal(shown, iso?.slice(11, 19));
    await toggle.click();
    await page.getByRole('button', { name: /Switch to UTC$/ }).waitFor();
  });
});

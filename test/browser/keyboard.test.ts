import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { waitUntil } from '../support/wait-until.js';
import { DESK } from './support/portal-run.js';
import { withPage } from './support/shared-page.js';
import type { SharedPortal } from './support/shared-portal.js';

describe('the portal in a browser: by keyboard', function () {
  this.timeout(120_000);
  let portal: SharedPortal;
  let page: Page;

  withPage('owner', (opened) => ({ portal, page } = opened));
  beforeEach(async () => {
    await page.goto(portal.url('overview'));
    await page.getByRole('heading', { name: 'Most likely cause' }).waitFor();
  });

  const focused = (): Promise<string> =>
    page.evaluate<string>('document.activeElement.id || document.activeElement.textContent');
  const isAt = (name: string): Promise<void> => page.waitForURL(`**${portal.path(name)}`);

  it('returns focus to the opener of a dialog, however it closes', async () => {
    for (const end of ['Escape', 'button'] as const) {
      await page.getByRole('button', { name: 'Time travel' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').getByLabel('Date and time').waitFor();
      if (end === 'Escape') await page.keyboard.press('Escape');
      else await page.getByRole('dialog').getByRole('button', { name: 'Close' }).press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await waitUntil(async () => (await focused()) === 'Time travel', `the button has focus again after ${end}`);
    }
  });

  it('ignores shortcuts while a dialog is open', async () => {
    await page.getByRole('button', { name: 'Time travel' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).focus();
    for (const key of ['g', 'm', '/', 'Control+k']) await page.keyboard.press(key);
    assert.equal(await page.getByRole('dialog').count(), 1);
    await page.keyboard.press('Escape');
    assert.ok(page.url().endsWith('/overview'), page.url());
  });

  it('opens pages at the top with focus inside, and restores the scroll position on back', async () => {
    await page.setViewportSize({ width: 1200, height: 400 });
    // Takes effect with the next frame.
    await page.evaluate(
      'window.scrollTo(0, 500); new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
    );
    const left = await page.evaluate<number>('window.scrollY');
    assert.ok(left > 300, String(left));
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await isAt('diagnosis');
    await waitUntil(async () => (await page.evaluate<number>('window.scrollY')) === 0, 'the page begins at its top');
    await waitUntil(async () => (await focused()) === 'page', 'the keyboard is in the page');
    await page.goBack();
    await isAt('overview');
    await waitUntil(
      async () => (await page.evaluate<number>('window.scrollY')) === left,
      'the overview is where it was left',
    );
    await page.setViewportSize(DESK);
  });

  it('does not scroll when the time view changes', async () => {
    await page.setViewportSize({ width: 1200, height: 400 });
    await page.evaluate('window.scrollTo(0, 300)');
    await page.getByLabel('Time range').selectOption('1h');
    await page.waitForURL('**/overview?window=1h');
    await page.getByRole('heading', { name: 'Most likely cause' }).waitFor();
    assert.ok((await page.evaluate<number>('window.scrollY')) > 200);
    await page.setViewportSize(DESK);
  });

  it('finds a service in the command palette', async () => {
    await page.keyboard.press('/');
    await page.getByPlaceholder(/Page, time range/).waitFor();
    await page.keyboard.type('catal');
    await page.getByRole('option', { name: 'catalogue' }).waitFor();
    await page.keyboard.press('Enter');
    await isAt('services/catalogue');
  });

  it('hides pages that a Guest may not open', async () => {
    const guest = await portal.run.signIn('guest', portal.path('overview'));
    await guest.page.getByRole('heading', { name: 'Most likely cause' }).waitFor();
    await guest.page.keyboard.press('Control+k');
    await guest.page.getByRole('option', { name: 'Usage and limits' }).waitFor();
    assert.equal(await guest.page.getByRole('option', { name: 'Administration' }).count(), 0);
    await guest.page.close();
  });
});

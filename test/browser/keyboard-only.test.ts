import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { waitUntil } from '../support/wait-until.js';
import { withPage } from './support/shared-page.js';
import type { SharedPortal } from './support/shared-portal.js';

/** More Tab presses than any page needs. */
const MAX_TABS = 80;

describe('the portal in a browser: keyboard only', function () {
  this.timeout(60_000);
  let portal: SharedPortal;
  let page: Page;

  withPage('user', (opened) => ({ portal, page } = opened));

  const tabTo = async (target: Locator): Promise<void> => {
    await target.waitFor();
    for (let presses = 0; presses < MAX_TABS; presses++) {
      await page.keyboard.press('Tab');
      if ((await target.and(page.locator(':focus')).count()) === 1) return;
    }
    assert.fail(`not reached by Tab: ${String(target)}`);
  };

  /** Presses a key and waits until the text that it changes has changed. */
  const changes = async (reported: Locator, key: string): Promise<void> => {
    const text = async (): Promise<string> => (await reported.allTextContents()).join('');
    const before = await text();
    await page.keyboard.press(key);
    await waitUntil(async () => (await text()) !== before, `${key} changes ${before}`);
  };

  it('leads from the overview to the cause', async () => {
    await page.goto(portal.url('overview'));
    await tabTo(page.getByRole('link', { name: 'Skip to content' }));
    await page.keyboard.press('Enter');
    await tabTo(page.getByRole('link', { name: /^Evidence/ }));
    await page.keyboard.press('Enter');
    await tabTo(
      page
        .getByRole('region', { name: 'Causes' })
        .locator('section')
        .first()
        .getByRole('link', { name: /^[0-9a-f]{16}$/ })
        .first(),
    );
    await page.keyboard.press('Enter');
    const spans = page.getByRole('list', { name: /^Spans, parents/ });
    await tabTo(spans);
    // The sample may be the order recorded by other tests, which has another first span.
    while ((await spans.getByRole('button', { name: /Error.*POST \/checkout/, pressed: true }).count()) === 0)
      await changes(spans.getByRole('button', { pressed: true }), 'ArrowDown');
    const panel = page.getByRole('complementary', { name: 'Selected span' });
    await panel.getByText('payment declined').waitFor();
    await tabTo(panel.getByRole('tab', { selected: true }));
    await page.keyboard.press('ArrowRight');
    await panel.getByRole('tab', { name: /^Events/, selected: true }).waitFor();
  });

  it('travels to a past time, steps forward, and returns to now', async () => {
    await page.goto(portal.url('diagnosis'));
    await page.getByRole('heading', { level: 2, name: /^1\. .*checkout/ }).waitFor();
    await tabTo(page.getByRole('button', { name: 'Time travel' }));
    await page.keyboard.press('Enter');
    await tabTo(page.getByRole('dialog').getByLabel('Date and time'));
    await typeMoment(portal.calmAt);
    await page.keyboard.press('Enter');
    const banner = page.getByRole('status', { name: 'Time travel' });
    await banner.waitFor();
    await page.getByText('No problems found').waitFor();
    await tabTo(banner.getByRole('button', { name: '+5 min' }));
    for (let step = 0; step < 2; step++) await changes(banner.locator('strong'), 'Enter');
    await page.getByRole('heading', { level: 2, name: /^1\. .*checkout/ }).waitFor();
    await tabTo(banner.getByRole('button', { name: 'Back to now' }));
    await page.keyboard.press('Enter');
    await banner.waitFor({ state: 'detached' });
    assert.equal(new URL(page.url()).searchParams.get('at'), null);
  });

  /** Types into the parts of the field in this browser's order: month, day, year, hour, minute, second, AM/PM. A complete part moves focus to the next. */
  async function typeMoment(then: number): Promise<void> {
    const parts = await page.evaluate<readonly string[]>(`(() => {
      const two = { month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit', year: 'numeric' };
      return new Intl.DateTimeFormat('en-US', two).formatToParts(${then}).filter(({ type }) => type !== 'literal').map(({ value }) => value);
    })()`);
    await page.keyboard.type(parts.join(''));
  }
});

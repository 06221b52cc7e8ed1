import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { waitUntil } from '../support/wait-until.js';
import { FailedOrder } from './support/failed-order.js';
import { assertForEveryone } from './support/page-checks.js';
import { withPage } from './support/shared-page.js';
import type { SharedPortal } from './support/shared-portal.js';

const { traceId, spans, logs } = FailedOrder;

describe('the portal in a browser: logs', function () {
  this.timeout(120_000);
  let portal: SharedPortal;
  let page: Page;
  let entries: Locator;

  withPage('user', (opened) => ({ portal, page } = opened));
  before(async () => {
    await FailedOrder.record(portal);
    entries = page.getByRole('list', { name: /^Log entries/ });
  });

  it('searches by words and severity, and shows the same after a reload', async () => {
    await page.goto(portal.url('logs'));
    await page.getByLabel('Search terms').fill('unfunded');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await entries.getByText(logs.warning).waitFor();
    await entries.getByText(logs.before).waitFor({ state: 'detached' });
    const severity = page.getByRole('group', { name: 'Severity' });
    await severity.getByRole('button', { name: /^Error 1$/ }).click();
    await entries.getByText(logs.warning).waitFor({ state: 'detached' });
    await entries.getByText(logs.failure).waitFor();
    await page.reload();
    await entries.getByText(logs.failure).waitFor();
    assert.equal(await page.getByLabel('Search terms').inputValue(), 'unfunded');
    await severity.getByRole('button', { name: /^Error/, pressed: true }).waitFor();
    await waitUntil(
      async () => (await entries.getByRole('button', { expanded: false }).count()) === 1,
      'one entry is found',
    );
  });

  it('expands an entry with its context, and opens its span', async () => {
    await page.goto(portal.url('logs?severity=Error&service=checkout'));
    await entries.getByRole('button', { name: logs.failure }).click();
    await entries.getByRole('table', { name: 'Attributes of the entry' }).getByText('order.id').waitFor();
    await entries.getByRole('button', { name: 'Show context' }).click();
    const around = entries.getByRole('list', { name: 'Surrounding entries' });
    await around.getByText(logs.before).waitFor();
    await around.getByText(logs.after).waitFor();
    await page.reload();
    await around.getByText(logs.before).waitFor();
    await assertForEveryone(page, 'logs, an entry unfolded');
    await entries.getByRole('link', { name: 'Open trace' }).click();
    await page.waitForURL(
      (url) => url.pathname.endsWith(`/traces/${traceId}`) && url.searchParams.get('span') === spans.checkout,
    );
    await page.getByRole('complementary', { name: 'Selected span' }).getByText(logs.failure).waitFor();
  });

  it('moves between rows and expands them by keyboard', async () => {
    await page.goto(portal.url('logs?service=checkout'));
    await entries.getByRole('button').nth(2).waitFor();
    await entries.focus();
    for (const [key, row] of [
      ['j', 1],
      ['ArrowDown', 2],
      ['j', 3],
      ['k', 2],
    ] as const) {
      await page.keyboard.press(key);
      await page.locator(`[role=listitem][aria-posinset="${row}"] :focus`).waitFor();
    }
    await page.keyboard.press('Enter');
    await entries.getByRole('region', { name: 'Body' }).waitFor();
  });

  it('suggests what to do if nothing is found', async () => {
    await page.goto(portal.url('logs?q=nonesuch'));
    await page.getByText('No entries found').waitFor();
    await assertForEveryone(page, 'logs, none found');
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await entries.getByText(logs.failure).waitFor();
  });
});

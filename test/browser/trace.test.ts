import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { FailedOrder } from './support/failed-order.js';
import { assertForEveryone } from './support/page-checks.js';
import { withPage } from './support/shared-page.js';
import type { SharedPortal } from './support/shared-portal.js';

const { traceId, spans, exception, logs } = FailedOrder;

describe('the portal in a browser: a trace', function () {
  this.timeout(120_000);
  let portal: SharedPortal;
  let page: Page;
  let rows: Locator;
  let panel: Locator;

  withPage('user', (opened) => ({ portal, page } = opened));
  before(async () => {
    await FailedOrder.record(portal);
    rows = page.getByRole('list', { name: /^Spans, parents/ }).getByRole('listitem');
    panel = page.getByRole('complementary', { name: 'Selected span' });
  });

  const open = async (query = ''): Promise<void> => {
    await page.goto(portal.url(`traces/${traceId}${query}`));
    await rows.first().waitFor();
  };

  it('shows spans below their parents, and the critical path', async () => {
    await open();
    const names = await rows.getByRole('button', { name: /^(Error )?(storefront|checkout) / }).allTextContents();
    assert.deepEqual(
      names.map((name) => name.trim()),
      ['storefront GET /buy', 'checkout POST /checkout', 'checkout SELECT baskets', 'checkout charge'],
    );
    const byService = await page
      .getByRole('list', { name: /^Services by their time/ })
      .getByRole('listitem')
      .allTextContents();
    assert.deepEqual(
      byService.map((text) => text.trim().replace(/\s+/g, ' ')),
      ['checkout180 ms, 90 %', 'storefront20 ms, 10 %'],
    );
    const bySpan = await page
      .getByRole('list', { name: /^Spans with the most self time/ })
      .getByRole('listitem')
      .first()
      .textContent();
    assert.match(bySpan ?? '', /charge.*120 ms/);
  });

  it('moves, collapses and expands by keyboard', async () => {
    await open();
    await page.getByRole('list', { name: /^Spans, parents/ }).focus();
    await page.keyboard.press('ArrowDown');
    await panel.getByRole('heading', { name: 'GET /buy' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await panel.getByRole('heading', { name: 'POST /checkout' }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await rows.nth(2).waitFor({ state: 'detached' });
    assert.equal(await rows.count(), 2);
    await page.reload();
    await rows.nth(1).waitFor();
    assert.equal(await rows.count(), 2, 'what is folded is in the address');
    await page.getByRole('list', { name: /^Spans, parents/ }).focus();
    await page.keyboard.press('ArrowRight');
    await rows.nth(3).waitFor();
  });

  it('ignores keys pressed with modifiers', async () => {
    await open(`?span=${spans.checkout}`);
    await page.getByRole('list', { name: /^Spans, parents/ }).focus();
    await page.keyboard.press('Alt+ArrowLeft');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    assert.equal(await rows.count(), 4, 'nothing is folded');
    assert.equal(new URL(page.url()).searchParams.get('span'), spans.checkout, 'no other span is chosen');
    await page.keyboard.press('Escape');
  });

  it('opens the span in the URL, with its tags, logs and exception', async () => {
    await open(`?span=${spans.checkout}`);
    await panel.getByRole('list', { name: 'Exceptions' }).getByText(exception.message).waitFor();
    await panel.getByRole('heading', { name: exception.type }).waitFor();
    await panel
      .getByRole('table', { name: 'Tags of the span' })
      .getByRole('row')
      .filter({ hasText: 'basket.tier' })
      .filter({ hasText: 'gold' })
      .waitFor();
    await panel.getByRole('tab', { name: /^Logs/ }).click();
    await panel.getByText(logs.failure).waitFor();
    await page.reload();
    await panel.getByText(logs.failure).waitFor();
  });

  it('follows the link of a span to another one', async () => {
    await open(`?span=${spans.charge}&tab=links`);
    await panel.getByRole('table', { name: 'Attributes of link 1' }).getByText('basket read before').waitFor();
    await panel.getByRole('link', { name: new RegExp(spans.query) }).click();
    await panel.getByRole('heading', { name: 'SELECT baskets' }).waitFor();
    await panel.getByRole('tab', { name: /^Links/ }).click();
    await panel.getByText('The span has no links.').waitFor();
  });

  it('links to its logs', async () => {
    await open();
    await page.getByRole('link', { name: 'Trace logs' }).click();
    await page
      .getByRole('list', { name: /^Log entries/ })
      .getByText(logs.failure)
      .waitFor();
  });

  it('is found by a tag', async () => {
    await page.goto(portal.url('traces?tag=basket.tier%3Dgold'));
    await page
      .getByRole('list', { name: /^Traces/ })
      .getByRole('link', { name: /POST \/checkout/ })
      .click();
    await page.waitForURL(`**/traces/${traceId}*`);
  });

  it('is accessible, also with a selected span, and so is the search', async () => {
    await open(`?span=${spans.checkout}`);
    await panel.getByText(exception.message).waitFor();
    await assertForEveryone(page, 'trace');
    await page.goto(portal.url('traces'));
    await page
      .getByRole('list', { name: /^Traces/ })
      .getByRole('link')
      .first()
      .waitFor();
    await assertForEveryone(page, 'traces');
  });
});

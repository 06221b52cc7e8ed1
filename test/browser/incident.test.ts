import type { Page } from 'playwright-core';
import { FailedOrder } from './support/failed-order.js';
import { assertForEveryone } from './support/page-checks.js';
import { withPage } from './support/shared-page.js';
import type { SharedPortal } from './support/shared-portal.js';

describe('the portal in a browser: an incident', function () {
  this.timeout(120_000);
  let portal: SharedPortal;
  let page: Page;

  withPage('user', (opened) => ({ portal, page } = opened));
  before(() => FailedOrder.record(portal));

  it('leads from the overview to the failing span in three clicks', async () => {
    await page.goto(portal.url('overview'));
    await page
      .getByRole('status')
      .filter({ hasText: /(degraded|recovering): .*checkout/ })
      .waitFor();
    await page.getByText(/^Recovered at \d\d:\d\d( UTC)?\.$/).waitFor();
    await page.getByRole('link', { name: /^Evidence/ }).click();
    const first = page.getByRole('region', { name: 'Causes' }).locator('section').first();
    await first.getByRole('heading', { level: 2, name: /^1\. .*checkout/ }).waitFor();
    await first.getByRole('heading', { name: 'Sample traces' }).waitFor();
    await first
      .getByRole('link', { name: /^[0-9a-f]{16}$/ })
      .first()
      .click();
    const failing = page
      .getByRole('list', { name: /^Spans, parents/ })
      .getByRole('button', { name: /Error.*checkout.*POST \/checkout/ });
    await failing.click();
    await page.getByRole('complementary', { name: 'Selected span' }).getByText('payment declined').waitFor();
  });

  it('marks the failing service on the map, which links to its page', async () => {
    await page.goto(portal.url('map'));
    const canvas = page.getByRole('application', { name: /^Service map/ });
    await canvas.getByRole('link', { name: /catalogue.*Healthy/ }).waitFor();
    await canvas.getByRole('link', { name: /checkout.*(Degraded|Recovering)/ }).click();
    await page.getByRole('heading', { level: 1, name: 'checkout' }).waitFor();
    await page.getByText(FailedOrder.exception.message).waitFor();
    await page
      .getByRole('region', { name: 'Operations, slowest first' })
      .getByRole('link', { name: 'POST /checkout' })
      .click();
    await page.waitForURL(
      (url) => url.pathname.endsWith('/traces') && url.searchParams.get('operation') === 'POST /checkout',
    );
  });

  it('shows the map as a list, the failing service first', async () => {
    await page.goto(portal.url('map'));
    await page.getByRole('button', { name: 'List' }).click();
    await page
      .getByRole('region', { name: 'Services and dependencies' })
      .getByRole('row')
      .nth(1)
      .filter({ hasText: /checkout.*(Degraded|Recovering)/ })
      .waitFor();
  });

  it('compares the time after the onset with the time before it', async () => {
    await page.goto(portal.url('diagnosis'));
    await page.getByRole('link', { name: 'Compare before and after' }).first().click();
    const worse = page.getByRole('region', { name: 'Regressions' }).getByRole('row').filter({ hasText: 'Error rate' });
    await worse.filter({ hasText: 'checkout' }).waitFor();
    await page
      .getByRole('region', { name: 'Services in both windows' })
      .getByRole('row')
      .filter({ hasText: 'checkout' })
      .filter({ hasText: 'Worse' })
      .waitFor();
  });

  for (const name of ['overview', 'diagnosis', 'map', 'map?show=list', 'services/checkout', 'compare', 'changes']) {
    it(`is accessible: ${name}`, async () => {
      await page.goto(portal.url(name));
      await assertForEveryone(page, name);
    });
  }
});

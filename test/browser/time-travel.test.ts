import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertForEveryone } from './support/page-checks.js';
import { DESK } from './support/portal-run.js';
import { withPage } from './support/shared-page.js';
import type { SharedPortal } from './support/shared-portal.js';

describe('the portal in a browser: time travel', function () {
  this.timeout(120_000);
  let portal: SharedPortal;
  let page: Page;
  let calm: string;

  withPage('user', (opened) => ({ portal, page } = opened));
  before(async () => {
    // As the value of a datetime-local input, in the browser's time zone.
    calm = await page.evaluate<string>(
      `(() => { const then = new Date(${portal.calmAt}); return new Date(then.getTime() - then.getTimezoneOffset() * 60000).toISOString().slice(0, 19); })()`,
    );
  });

  const travel = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Time travel' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Date and time').fill(calm);
    await dialog.getByRole('button', { name: 'Go to this time' }).click();
    await page.getByText('Viewing the past').waitFor();
  };

  it('shows the overview and the diagnosis as they were before the incident', async () => {
    await page.goto(portal.url('overview'));
    await page.getByRole('heading', { name: 'Most likely cause' }).waitFor();
    await travel();
    await page
      .getByRole('status')
      .filter({ hasText: /All \d+ services are healthy\./ })
      .waitFor();
    await page.getByRole('heading', { name: 'Most likely cause' }).waitFor({ state: 'detached' });
    await assertForEveryone(page, 'overview of the past');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Diagnosis' }).click();
    await page.getByText('No problems found').waitFor();
    await page.getByText('Viewing the past').waitFor();
  });

  it('fits on one line on a phone', async () => {
    await page.goto(portal.url('usage'));
    const button = page.getByRole('button', { name: 'Time travel' });
    await button.waitFor();
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 844 });
      const [live, chosen, travels] = await Promise.all(
        [page.getByText('Live', { exact: true }), page.getByLabel('Time range'), button].map((one) =>
          one.boundingBox(),
        ),
      );
      assert.ok(
        live!.y < chosen!.y + chosen!.height &&
          travels!.y < chosen!.y + chosen!.height &&
          travels!.x + travels!.width <= width,
        `${width} px: ${JSON.stringify([live, chosen, travels])}`,
      );
    }
    await page.setViewportSize(DESK);
  });

  it('steps forward, and returns to now', async () => {
    await page.goto(portal.url('diagnosis'));
    await travel();
    await page.getByText('No problems found').waitFor();
    await page.getByRole('button', { name: '+5 min' }).click();
    await page.getByRole('button', { name: '+5 min' }).click();
    await page.getByRole('heading', { level: 2, name: /^1\. .*checkout/ }).waitFor();
    await page.getByRole('button', { name: 'Back to now' }).click();
    await page.getByText('Viewing the past').waitFor({ state: 'detached' });
    assert.equal(new URL(page.url()).searchParams.get('at'), null);
  });

  it('shows the same to others through a link', async () => {
    await page.goto(portal.url('diagnosis'));
    await travel();
    await page.getByText('No problems found').waitFor();
    const { pathname, search } = new URL(page.url());
    const other = await portal.run.signIn('guest', pathname + search);
    await other.page.getByText('No problems found').waitFor();
    const banner = async (on: Page): Promise<string | null> =>
      on.getByRole('status', { name: 'Time travel' }).locator('strong').textContent();
    assert.equal(await banner(other.page), await banner(page));
    await other.page.close();
  });

  it('shows the map as it was', async () => {
    await page.goto(portal.url('map?show=list'));
    const row = page
      .getByRole('region', { name: 'Services and dependencies' })
      .getByRole('row')
      .filter({ hasText: 'checkout' });
    await row.filter({ hasText: /Degraded|Recovering/ }).waitFor();
    await travel();
    await row.filter({ hasText: 'Healthy' }).waitFor();
  });

  it('shows a banner for a fixed range, and returns to now', async () => {
    const end = Date.now() - 60_000;
    const range = new URLSearchParams({ from: new Date(end - 600_000).toISOString(), to: new Date(end).toISOString() });
    await page.goto(portal.url(`overview?${range.toString()}`));
    await page.getByRole('heading', { name: 'Most likely cause' }).waitFor();
    await page.getByRole('status', { name: 'Fixed range' }).getByText('Fixed range:').waitFor();
    await assertForEveryone(page, 'overview of a fixed range');
    await page.getByRole('button', { name: 'Back to now' }).click();
    await page.getByRole('status', { name: 'Fixed range' }).waitFor({ state: 'detached' });
    assert.equal(new URL(page.url()).search, '');
  });
});

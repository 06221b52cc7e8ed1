import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { KIND, spansOf } from '../support/otlp-requests.js';
import { waitUntil } from '../support/wait-until.js';
import { assertForEveryone } from './support/page-checks.js';
import { withPage } from './support/shared-page.js';
import type { SharedPortal } from './support/shared-portal.js';

/** Fires on the failures of the recorded shop. */
const RULE = {
  name: 'Checkout failed',
  metric: 'error_rate',
  operator: '>',
  threshold: 1,
  severity: 'critical',
  serviceName: 'checkout',
  windowMinutes: 60,
  forMinutes: 0,
  minRequests: 1,
};

/** Accessibility of pages and dialogs that other tests do not check. */
describe('the portal in a browser: accessibility', function () {
  this.timeout(60_000);
  let portal: SharedPortal;
  let page: Page;

  withPage('owner', (opened) => ({ portal, page } = opened));

  const dialog = async (name: string): Promise<void> => {
    await page.getByRole('dialog').waitFor();
    await assertForEveryone(page, name);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };

  it('lists open alerts', async () => {
    const { id } = await fires();
    await page.goto(portal.url('alerts'));
    await page.getByRole('region', { name: 'Open alerts' }).getByRole('row').filter({ hasText: RULE.name }).waitFor();
    await assertForEveryone(page, 'open alerts');
    assert.equal((await portal.owner.delete(`/admin/grids/${portal.gridId}/alert-rules/${id}`)).status, 204);
  });

  it('shows a chart of a metric', async () => {
    await page.goto(portal.url('metrics?metric=request_rate&service=checkout'));
    await page.locator('canvas').first().waitFor();
    await assertForEveryone(page, 'a metric');
  });

  it('opens the command palette and the time dialog', async () => {
    await page.goto(portal.url('overview'));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder(/Page, time range/).fill('check');
    await dialog('the palette');
    await page.getByRole('button', { name: 'Time travel' }).click();
    await dialog('the choice of a time');
  });

  it('asks for confirmation before removing a member, deleting a rule or revoking a key', async () => {
    await page.goto(portal.url('administration?tab=members'));
    await page
      .getByRole('button', { name: /^Remove/ })
      .first()
      .click();
    await dialog('the removal of a member');
    await page.goto(portal.url('administration?tab=keys'));
    await page
      .getByRole('button', { name: /^Revoke/ })
      .first()
      .click();
    await dialog('the end of a key');
    await page.goto(portal.url('alerts?tab=rules'));
    await page
      .getByRole('button', { name: /^Edit or backtest/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog('the end of a rule');
  });

  it('creates a Grid', async () => {
    await page.goto(`${portal.run.url}new-grid`);
    await assertForEveryone(page, 'a new Grid');
  });

  /** Creates the rule and sends telemetry until it fires, since rules are evaluated when telemetry arrives. */
  async function fires(): Promise<{ readonly id: string }> {
    const { status, body } = await portal.owner.post<{ id: string }>(`/admin/grids/${portal.gridId}/alert-rules`, RULE);
    assert.equal(status, 201, JSON.stringify(body));
    let sent = 0;
    await waitUntil(async () => {
      const end = BigInt(Date.now()) * 1_000_000n;
      const spanId = (0xa1e0000000000000n + BigInt(++sent)).toString(16);
      await portal.send(
        'traces',
        spansOf('catalogue', {
          traceId: spanId + spanId,
          spanId,
          name: 'GET /',
          kind: KIND.server,
          start: end - 20_000_000n,
          end,
        }),
      );
      const { body: alerts } = await portal.owner.get<{ alerts?: readonly { readonly ruleName: string }[] }>(
        `/apm/diagnostics/${portal.gridId}/alerts`,
      );
      return alerts.alerts?.some(({ ruleName }) => ruleName === RULE.name) === true;
    }, 'the rule fires');
    return body;
  }
});

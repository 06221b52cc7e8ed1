import assert from 'node:assert/strict';
import { assertForEveryone } from './support/page-checks.js';
import { sharedPortal, type SharedPortal } from './support/shared-portal.js';

describe('the portal in a browser: alert rules', function () {
  this.timeout(60_000);
  let portal: SharedPortal;

  before(async function () {
    portal = await sharedPortal(this);
  });

  it('backtests, creates, changes and deletes a rule', async () => {
    const { page, faults } = await portal.run.signIn('member', portal.path('alerts?tab=rules'));
    await assertForEveryone(page, 'the rules');
    await page.getByRole('button', { name: 'New rule' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Checkout fails');
    await page.getByLabel('Service (optional)').fill('checkout');
    await page.getByLabel('Threshold (%)').fill('20');
    await page.getByRole('button', { name: 'Backtest over this time range' }).click();
    const firings = page.getByRole('region', { name: 'When the rule would have fired' });
    await firings.getByRole('link', { name: 'checkout' }).first().waitFor();
    await page.getByRole('figure').waitFor();
    await assertForEveryone(page, 'a rule that was tried');
    await page.getByLabel('Threshold (%)').fill('25');
    await page.getByText('The rule has changed since this backtest.').waitFor();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('button', { name: 'Edit or backtest Checkout fails' }).click();
    assert.equal(await page.getByLabel('Threshold (%)').inputValue(), '25');
    await page.getByLabel('Threshold (%)').fill('30');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('row', { name: /Checkout fails.*30/ }).waitFor();
    await page.getByRole('switch', { name: 'Checkout fails enabled' }).click();
    await page.getByRole('row', { name: /Off.*Checkout fails/s }).waitFor();
    await page.getByRole('button', { name: 'Edit or backtest Checkout fails' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('region', { name: 'Alert rules' }).waitFor();
    await page.getByText('Checkout fails').first().waitFor({ state: 'detached' });
    assert.deepEqual(faults, []);
    await page.close();
  });

  it('makes a rule of an explored query, and opens it with its backtest', async () => {
    const { page, faults } = await portal.run.signIn(
      'member',
      portal.path('explore?signal=spans&by=service&select=count'),
    );
    await page.getByRole('link', { name: 'Create alert rule' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Many spans');
    await page.getByLabel('Condition', { exact: true }).fill('service = ');
    await page.getByLabel('Threshold', { exact: true }).fill('1');
    await page.getByLabel('Operator').selectOption('>=');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText(/at position \d+/).waitFor();
    await page.getByLabel('Condition', { exact: true }).fill('service = checkout');
    await page.getByRole('button', { name: 'Backtest over this time range' }).click();
    const firings = page.getByRole('region', { name: 'When the rule would have fired' });
    await firings.getByRole('link', { name: 'checkout' }).first().waitFor();
    await assertForEveryone(page, 'a rule on a query');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('row', { name: /Many spans.*count of spans where service = checkout by service/ }).waitFor();
    await page.getByRole('button', { name: 'Edit or backtest Many spans' }).click();
    await firings.getByRole('link', { name: 'checkout' }).first().waitFor();
    await page.getByText(/would have fired .*per week/).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Many spans').first().waitFor({ state: 'detached' });
    assert.deepEqual(
      faults.filter((fault) => !fault.includes('400')),
      [],
    );
    await page.close();
  });

  it('overwrites a concurrent change only after confirmation, and toggles the current version', async () => {
    const rule = { name: 'Pay is slow', metric: 'latency_p95', operator: '>', threshold: 400, severity: 'warning' };
    const { body } = await portal.owner.post<{ id: string }>(`/admin/grids/${portal.gridId}/alert-rules`, rule);
    const { page: list } = await portal.run.signIn('member', portal.path('alerts?tab=rules'));
    await list.getByRole('row', { name: /Pay is slow.*400/ }).waitFor();
    const [{ page: first }, { page: second }] = [
      await portal.run.signIn('owner', portal.path(`alerts?rule=${body.id}`)),
      await portal.run.signIn('member', portal.path(`alerts?rule=${body.id}`)),
    ];
    const save = { name: 'Save', exact: true };
    for (const [page, threshold] of [
      [first, '500'],
      [second, '600'],
    ] as const)
      await page.getByLabel('Threshold (ms)').fill(threshold);
    await first.getByRole('button', save).click();
    await first.getByRole('row', { name: /Pay is slow.*500/ }).waitFor();
    await second.getByRole('button', save).click();
    await second.getByText('Another user has changed this rule').waitFor();
    await assertForEveryone(second, 'a rule that two people changed');
    await second.getByRole('button', { name: 'Discard my changes' }).click();
    await second.getByText('Another user has changed this rule').waitFor({ state: 'detached' });
    assert.equal(await second.getByLabel('Threshold (ms)').inputValue(), '500');
    let isFirst = true;
    await list.route(`**/alert-rules/${body.id}*`, async (route) => {
      const isBetween = isFirst && route.request().method() === 'PUT';
      if (isBetween) isFirst = false;
      if (isBetween)
        await portal.owner.put(`/admin/grids/${portal.gridId}/alert-rules/${body.id}`, { ...rule, threshold: 550 });
      await route.continue();
    });
    await list.getByRole('switch', { name: 'Pay is slow enabled' }).click();
    await list.getByRole('row', { name: /Off.*Pay is slow.*550/s }).waitFor();
    await second.getByLabel('Threshold (ms)').fill('700');
    await second.getByRole('button', save).click();
    await second.getByRole('button', { name: 'Overwrite with my changes' }).click();
    await second.getByRole('row', { name: /On.*Pay is slow.*700/s }).waitFor();
    await portal.owner.delete(`/admin/grids/${portal.gridId}/alert-rules/${body.id}`);
    await Promise.all([list, first, second].map((page) => page.close()));
  });

  it('discards own changes also if a rule was changed and changed back', async () => {
    const rule = { name: 'Pay is odd', metric: 'latency_p95', operator: '>', threshold: 400, severity: 'warning' };
    const {
      body: { id },
    } = await portal.owner.post<{ id: string }>(`/admin/grids/${portal.gridId}/alert-rules`, rule);
    const path = `/admin/grids/${portal.gridId}/alert-rules/${id}`;
    const { page } = await portal.run.signIn('member', portal.path(`alerts?rule=${id}`));
    await page.getByLabel('Threshold (ms)').fill('600');
    await portal.owner.put(path, { ...rule, threshold: 500 });
    await page.route(`**${path}*`, async (route) => {
      if (route.request().method() === 'GET') await portal.owner.put(path, rule);
      await route.continue();
    });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Another user has changed this rule').waitFor();
    await page.getByRole('button', { name: 'Discard my changes' }).click();
    await page.getByText('Another user has changed this rule').waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Threshold (ms)').inputValue(), '400');
    await portal.owner.delete(path);
    await page.close();
  });

  it('deletes a concurrently changed rule only after confirmation', async () => {
    const rule = { name: 'Pay is gone', metric: 'latency_p95', operator: '>', threshold: 400, severity: 'warning' };
    const {
      body: { id },
    } = await portal.owner.post<{ id: string }>(`/admin/grids/${portal.gridId}/alert-rules`, rule);
    const path = `/admin/grids/${portal.gridId}/alert-rules/${id}`;
    const { page } = await portal.run.signIn('member', portal.path(`alerts?rule=${id}`));
    await page.getByRole('button', { name: 'Delete' }).click();
    await portal.owner.put(path, { ...rule, threshold: 500 });
    const dialog = page.getByRole('dialog', { name: 'Delete this rule?' });
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog.getByText('Another user has changed this rule').waitFor();
    assert.ok(await dialog.getByRole('button', { name: 'Delete', exact: true }).isDisabled());
    assert.equal((await portal.owner.get(path)).status, 200);
    await assertForEveryone(page, 'the end of a rule that somebody has changed');
    await dialog.getByRole('button', { name: 'Delete anyway' }).click();
    await page.getByRole('region', { name: 'Alert rules' }).waitFor();
    assert.equal((await portal.owner.get(path)).status, 404);
    await page.close();
  });

  it('shows validation errors at their fields, and asks before discarding a draft', async () => {
    const { page } = await portal.run.signIn('member', portal.path('alerts?rule=new'));
    await page.getByLabel('Name', { exact: true }).fill('Wrong');
    await page.getByLabel('Window (minutes)').fill('900');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const field = page.getByLabel('Window (minutes)');
    await page.locator('input[aria-invalid=true]').first().waitFor();
    assert.equal(await field.getAttribute('aria-invalid'), 'true');
    assert.equal(await page.locator('input[aria-invalid=true]').count(), 1);
    await page.getByRole('link', { name: 'Overview' }).last().click();
    await page
      .getByRole('dialog', { name: 'Leave without saving?' })
      .getByRole('button', { name: 'Keep editing' })
      .click();
    assert.equal(await field.inputValue(), '900');
    await page.getByRole('link', { name: 'Overview' }).last().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
    await page.waitForURL('**/overview*');
    await page.close();
  });
});

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertForEveryone } from './support/page-checks.js';
import { sharedPortal, type SharedPortal } from './support/shared-portal.js';

const MEANWHILE = 'Another user has changed this Grid';
const FIRST = { apdexHealthThreshold: 0.7, errorRateThreshold: 5, subscriptionActive: true };

describe('the portal in a browser: settings changed by two Owners', function () {
  this.timeout(60_000);
  let portal: SharedPortal;

  before(async function () {
    portal = await sharedPortal(this);
  });
  afterEach(() => set(FIRST));

  it('overwrite a concurrent change only after confirmation, and only in the changed fields', async () => {
    const page = await open();
    const [apdex, errors] = [page.getByLabel('Degraded below Apdex'), page.getByLabel('Degraded from error rate')];
    await apdex.fill('0.8');
    await set({ apdexHealthThreshold: 0.6, errorRateThreshold: 7 });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(MEANWHILE).waitFor();
    await assertForEveryone(page, 'settings that two Owners changed');
    assert.equal((await settings())['apdexHealthThreshold'], 0.6);
    await page.getByRole('button', { name: 'Discard my changes' }).click();
    await page.getByText(MEANWHILE).waitFor({ state: 'detached' });
    assert.deepEqual([await apdex.inputValue(), await errors.inputValue()], ['0.6', '7']);
    await apdex.fill('0.9');
    await set({ errorRateThreshold: 8 });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Overwrite with my changes' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    const { apdexHealthThreshold, errorRateThreshold } = await settings();
    assert.deepEqual([apdexHealthThreshold, errorRateThreshold], [0.9, 8]);
    assert.equal(await errors.inputValue(), '8');
    await page.close();
  });

  it('still conflict after a concurrent change was seen elsewhere on the page', async () => {
    const page = await open();
    const apdex = page.getByLabel('Degraded below Apdex');
    await apdex.fill('0.8');
    await set({ apdexHealthThreshold: 0.6 });
    await page.getByRole('button', { name: 'Deactivate …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Deactivate', exact: true }).click();
    await dialog.getByRole('button', { name: 'Deactivate anyway' }).click();
    await page.getByRole('button', { name: 'Switch on', exact: true }).click();
    await page.getByText('Active', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(MEANWHILE).waitFor();
    assert.deepEqual([(await settings())['apdexHealthThreshold'], await apdex.inputValue()], [0.6, '0.8']);
    await page.getByRole('button', { name: 'Discard my changes' }).click();
    await page.getByText(MEANWHILE).waitFor({ state: 'detached' });
    assert.equal(await apdex.inputValue(), '0.6');
    await page.close();
  });

  it('are saved without a conflict after switching the Grid off', async () => {
    const page = await open();
    await page.getByLabel('Degraded below Apdex').fill('0.8');
    await page.getByRole('button', { name: 'Deactivate …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate', exact: true }).click();
    await page.getByText('Inactive', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).or(page.getByText(MEANWHILE)).waitFor();
    assert.equal((await settings())['apdexHealthThreshold'], 0.8);
    await page.close();
  });

  it('conflict when switching off a Grid that was changed concurrently', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Deactivate …' }).click();
    await set({ errorRateThreshold: 9 });
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Deactivate', exact: true }).click();
    await dialog.getByText(MEANWHILE).waitFor();
    assert.equal((await settings())['subscriptionActive'], true);
    await dialog.getByRole('button', { name: 'Deactivate anyway' }).click();
    await page.getByText('Inactive', { exact: true }).waitFor();
    await set({ errorRateThreshold: 10 });
    await page.getByRole('button', { name: 'Switch on', exact: true }).click();
    await page.getByText(MEANWHILE).waitFor();
    await page.getByRole('button', { name: 'Switch on anyway' }).click();
    await page.getByText('Active', { exact: true }).waitFor();
    await page.close();
  });

  async function open(): Promise<Page> {
    const { page } = await portal.run.signIn('owner', portal.path('administration?tab=settings'));
    await page.getByLabel('Degraded below Apdex').waitFor();
    return page;
  }

  async function set(changes: Partial<typeof FIRST>): Promise<void> {
    const { status, body } = await portal.owner.patch(`/admin/grids/${portal.gridId}`, changes);
    assert.equal(status, 200, JSON.stringify(body));
  }

  const settings = async (): Promise<Record<string, unknown>> =>
    (await portal.owner.get(`/admin/grids/${portal.gridId}`)).body;
});

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertForEveryone } from './support/page-checks.js';
import { sharedPortal, type SharedPortal } from './support/shared-portal.js';

const MEANWHILE = 'Somebody has changed this Grid';
const FIRST = { apdexHealthThreshold: 0.7, errorRateThreshold: 5, subscriptionActive: true };

describe('the portal in a browser: settings that two Owners change', function () {
  this.timeout(60_000);
  let portal: SharedPortal;

  before(async function () {
    portal = await sharedPortal(this);
  });
  afterEach(() => set(FIRST));

  it('are saved over what somebody else has saved only by who knows of it, and leave the rest as it is', async () => {
    const page = await open();
    const [apdex, errors] = [page.getByLabel('Apdex below which'), page.getByLabel('Error rate from')];
    await apdex.fill('0.8');
    await set({ apdexHealthThreshold: 0.6, errorRateThreshold: 7 });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(MEANWHILE).waitFor();
    await assertForEveryone(page, 'settings that two Owners changed');
    assert.equal((await settings())['apdexHealthThreshold'], 0.6);
    await page.getByRole('button', { name: 'Take theirs, lose mine' }).click();
    await page.getByText(MEANWHILE).waitFor({ state: 'detached' });
    assert.deepEqual([await apdex.inputValue(), await errors.inputValue()], ['0.6', '7']);
    await apdex.fill('0.9');
    await set({ errorRateThreshold: 8 });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Save mine over theirs' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    const { apdexHealthThreshold, errorRateThreshold } = await settings();
    assert.deepEqual([apdexHealthThreshold, errorRateThreshold], [0.9, 8]);
    assert.equal(await errors.inputValue(), '8');
    await page.close();
  });

  it('are not put over what somebody else has saved by who learned of it elsewhere on the page', async () => {
    const page = await open();
    const apdex = page.getByLabel('Apdex below which');
    await apdex.fill('0.8');
    await set({ apdexHealthThreshold: 0.6 });
    await page.getByRole('button', { name: 'Switch off …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Switch off', exact: true }).click();
    await dialog.getByRole('button', { name: 'Switch off all the same' }).click();
    await page.getByRole('button', { name: 'Switch on', exact: true }).click();
    await page.getByText('Active', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(MEANWHILE).waitFor();
    assert.deepEqual([(await settings())['apdexHealthThreshold'], await apdex.inputValue()], [0.6, '0.8']);
    await page.getByRole('button', { name: 'Take theirs, lose mine' }).click();
    await page.getByText(MEANWHILE).waitFor({ state: 'detached' });
    assert.equal(await apdex.inputValue(), '0.6');
    await page.close();
  });

  it('are saved unasked after one has switched the Grid off oneself', async () => {
    const page = await open();
    await page.getByLabel('Apdex below which').fill('0.8');
    await page.getByRole('button', { name: 'Switch off …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Switch off', exact: true }).click();
    await page.getByText('Inactive', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).or(page.getByText(MEANWHILE)).waitFor();
    assert.equal((await settings())['apdexHealthThreshold'], 0.8);
    await page.close();
  });

  it('are those of the Grid that one switches off, or one knows that they have changed', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Switch off …' }).click();
    await set({ errorRateThreshold: 9 });
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Switch off', exact: true }).click();
    await dialog.getByText(MEANWHILE).waitFor();
    assert.equal((await settings())['subscriptionActive'], true);
    await dialog.getByRole('button', { name: 'Switch off all the same' }).click();
    await page.getByText('Inactive', { exact: true }).waitFor();
    await set({ errorRateThreshold: 10 });
    await page.getByRole('button', { name: 'Switch on', exact: true }).click();
    await page.getByText(MEANWHILE).waitFor();
    await page.getByRole('button', { name: 'Switch on all the same' }).click();
    await page.getByText('Active', { exact: true }).waitFor();
    await page.close();
  });

  async function open(): Promise<Page> {
    const { page } = await portal.run.signIn('owner', portal.path('administration?tab=settings'));
    await page.getByLabel('Apdex below which').waitFor();
    return page;
  }

  async function set(changes: Partial<typeof FIRST>): Promise<void> {
    const { status, body } = await portal.owner.patch(`/admin/grids/${portal.gridId}`, changes);
    assert.equal(status, 200, JSON.stringify(body));
  }

  const settings = async (): Promise<Record<string, unknown>> =>
    (await portal.owner.get(`/admin/grids/${portal.gridId}`)).body;
});

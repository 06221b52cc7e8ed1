import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { waitUntil } from '../support/wait-until.js';
import { signIn } from '../support/sign-in.js';
import { assertForEveryone } from './support/page-checks.js';
import { sharedPortal, type SharedPortal } from './support/shared-portal.js';

describe('the portal in a browser: a new Grid', function () {
  this.timeout(60_000);
  let portal: SharedPortal;
  let page: Page;
  let faults: string[];

  before(async function () {
    portal = await sharedPortal(this);
    ({ page, faults } = await portal.run.signIn('outsider'));
    page.on('response', (response) => {
      if ([400, 403, 409].includes(response.status())) refused += 1;
    });
  });
  after(() => (page as Page | undefined)?.close());
  let refused = 0;

  const open = async (tab: string): Promise<void> => {
    await page.getByRole('tab', { name: tab }).click();
    await page.getByRole('tab', { name: tab, selected: true }).waitFor();
  };
  const isIn = (name: string): Promise<void> =>
    page
      .getByRole('combobox', { name: 'Grid' })
      .locator('option:checked', { hasText: name })
      .waitFor({ state: 'attached' });
  const fill = async (values: Readonly<Record<string, string>>): Promise<void> => {
    for (const [label, value] of Object.entries(values)) await page.getByLabel(label).fill(value);
  };

  it('is created by a user without Grids, and waits for its first span', async () => {
    await page.getByRole('heading', { level: 1, name: 'You are not a member of any Grid' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await assertForEveryone(page, 'without a Grid');
    await page.getByRole('link', { name: 'Create a Grid' }).click();
    await page.getByRole('heading', { level: 1, name: 'New Grid' }).waitFor();
    await assertForEveryone(page, 'a new Grid');
    await fill({ Name: 'x'.repeat(201) });
    await page.getByRole('button', { name: 'Create Grid' }).click();
    await page.getByText('Must be a string of 1 to 200 characters').waitFor();
    await fill({ Name: 'workshop' });
    await page.getByRole('button', { name: 'Create Grid' }).click();
    await page.waitForURL('**/administration?tab=instrument');
    await isIn('workshop');
    await page.getByText('Choose a key first.').waitFor();
  });

  it('shows errors of settings at their fields, and saves valid ones', async () => {
    await open('Settings');
    await fill({
      'Apdex threshold (ms)': '-5',
      'Degraded below Apdex': '1.5',
      'Degraded from error rate': '250',
      'Retention (days)': '99999',
    });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    for (const reported of [
      'Must be a whole number from 1 to 3600000',
      'Must be a number from 0 to 1',
      'Must be a number from 0 to 100',
      'Must be a whole number from 0 to 3650',
    ])
      await page.getByRole('alert').getByText(reported, { exact: true }).waitFor();
    await fill({
      Name: 'atelier',
      'Apdex threshold (ms)': '250',
      'Degraded below Apdex': '0.85',
      'Degraded from error rate': '2.5',
      'Retention (days)': '3',
    });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await isIn('atelier');
    await page.reload();
    assert.equal(await page.getByLabel('Degraded from error rate').inputValue(), '2.5');
  });

  it('that is inactive says so on each page until an Owner reactivates it', async () => {
    await page.getByRole('button', { name: 'Deactivate …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    await page.getByText('Inactive').waitFor();
    for (const name of ['Overview', 'Assistant']) {
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();
      await page.getByRole('heading', { level: 1, name: 'The subscription of this Grid is inactive' }).waitFor();
    }
    await assertForEveryone(page, 'a Grid that is switched off');
    await page.getByRole('link', { name: 'Open settings' }).click();
    await page.getByRole('button', { name: 'Switch on' }).click();
    await page.getByText('Active', { exact: true }).waitFor();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Overview' }).click();
    await page.getByText('No data yet').waitFor();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Administration' }).click();
  });

  it('notices on an open page that it was deactivated elsewhere', async () => {
    const owner = await signIn(portal.run.service.apiUrl, 'outsider');
    const address = `/admin/grids/${new URL(page.url()).pathname.split('/')[3]}`;
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Usage and limits' }).click();
    await page.getByRole('button', { name: 'Save limits' }).waitFor();
    await owner.patch(address, { subscriptionActive: false });
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Traces' }).click();
    await page.getByRole('heading', { level: 1, name: 'The subscription of this Grid is inactive' }).waitFor();
    await owner.patch(address, { subscriptionActive: true });
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Traces' }).waitFor();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Administration' }).click();
  });

  it('rejects removing its last Owner', async () => {
    await open('Members');
    const role = page.getByRole('combobox', { name: 'Role of outsider' });
    await role.selectOption('Guest');
    await page.getByText('A Grid must have at least one Owner.').waitFor();
    await waitUntil(async () => (await role.inputValue()) === 'Owner', 'the role is shown that it has kept');
    await page.getByRole('button', { name: 'Remove outsider' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByText('Make another member an Owner first.').waitFor();
    await page.keyboard.press('Escape');
  });

  it('shows errors of limits, saves valid ones, and records who changed what', async () => {
    await page.getByRole('link', { name: 'Usage and limits' }).click();
    await fill({ 'Prompts per user and day': '-1', 'Speech minutes per month': '2000000' });
    await page.getByRole('button', { name: 'Save limits' }).click();
    const reported = page.getByRole('alert').getByText('Must be a whole number from 0 to 1000000');
    await reported.nth(1).waitFor();
    await fill({ 'Prompts per user and day': '5', 'Speech minutes per month': '7' });
    await page.getByRole('button', { name: 'Save limits' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await reported.first().waitFor({ state: 'detached' });
    await page.getByText('of 5 prompts').waitFor();
    await page.getByRole('link', { name: 'Administration' }).click();
    await open('Audit log');
    for (const sentence of [
      'outsider changed the limits',
      'outsider changed the settings of the Grid',
      'outsider created the Grid',
    ])
      await page.getByText(sentence).first().waitFor();
    assert.equal(faults.length, refused, faults.join('\n'));
  });
});

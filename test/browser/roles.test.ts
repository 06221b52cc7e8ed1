import assert from 'node:assert/strict';
import type { PortalUser } from './support/portal-run.js';
import { assertForEveryone } from './support/page-checks.js';
import { sharedPortal, type SharedPortal } from './support/shared-portal.js';

const SETS_UP: Readonly<Record<Exclude<PortalUser, 'outsider'>, readonly string[]>> = {
  guest: [],
  user: [],
  member: ['Instrument', 'API keys'],
  owner: ['Instrument', 'API keys', 'Members', 'Settings', 'Audit log'],
};

describe('the portal in a browser: roles', function () {
  this.timeout(60_000);
  let portal: SharedPortal;

  before(async function () {
    portal = await sharedPortal(this);
  });

  it('shows each role what it may do, and explains why a URL is not available', async () => {
    for (const [user, tabs] of Object.entries(SETS_UP) as [PortalUser, readonly string[]][]) {
      const { page, faults } = await portal.run.signIn(user, portal.path('administration?tab=members'));
      await page.getByRole('heading', { level: 1, name: 'Administration' }).waitFor();
      const mayChange = tabs.length > 0;
      assert.equal(
        await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Administration' }).count(),
        mayChange ? 1 : 0,
        user,
      );
      if (!mayChange) await page.getByText('Administration is for Members and Owners').waitFor();
      else
        assert.deepEqual(
          await page.getByRole('tablist', { name: 'Administration' }).getByRole('tab').allInnerTexts(),
          tabs,
        );
      if (user === 'member') await page.getByText('Members, settings and the audit log are for Owners.').waitFor();
      await page.goto(portal.url('alerts?tab=rules'));
      await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
      assert.equal(await page.getByRole('tab', { name: 'Rules' }).count(), mayChange ? 1 : 0, user);
      await page.goto(portal.url('dashboards'));
      await page.getByRole('heading', { level: 1, name: 'Dashboards' }).waitFor();
      assert.equal(await page.getByRole('button', { name: 'New dashboard' }).count(), mayChange ? 1 : 0, user);
      await page.goto(portal.url('usage'));
      await page.getByRole('heading', { name: 'Your usage today' }).waitFor();
      const isOwner = user === 'owner';
      if (isOwner) await page.getByRole('button', { name: 'Save limits' }).waitFor();
      assert.equal(await page.getByRole('button', { name: 'Save limits' }).count(), isOwner ? 1 : 0, user);
      assert.deepEqual(faults, [], user);
      await page.close();
    }
  });

  it('lets an Owner add a member, change the role and remove the member', async () => {
    const { page, faults } = await portal.run.signIn('owner', portal.path('administration?tab=members'));
    await page.getByLabel('User ID').fill('ada');
    await page.getByRole('button', { name: 'Add member' }).click();
    const role = page.getByRole('combobox', { name: 'Role of ada' });
    await role.waitFor();
    await role.selectOption('Member');
    await page.locator('select[aria-label="Role of ada"]:enabled').waitFor();
    await page.reload();
    await role.waitFor();
    assert.equal(await role.inputValue(), 'Member');
    await assertForEveryone(page, 'members');
    await page.getByRole('button', { name: 'Remove ada' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await role.waitFor({ state: 'detached' });
    assert.deepEqual(faults, []);
    await page.close();
  });

  it('shows a key once, regenerates and revokes it, and audits all of it', async () => {
    const { page, faults } = await portal.run.signIn('owner', portal.path('administration?tab=keys'));
    await page.getByLabel('Name of the new key').fill('till');
    await page.getByRole('button', { name: 'Issue key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Key till' });
    const first = await dialog.getByRole('code').innerText();
    await assertForEveryone(page, 'a key that was issued');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.ok(!(await page.content()).includes(first));
    await page.getByRole('button', { name: 'Regenerate till' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Regenerate' }).click();
    await dialog.getByText('Copy the key now.').waitFor();
    assert.notEqual(await dialog.getByRole('code').innerText(), first);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Revoke till' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke till' }).waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Deactivate …' }).waitFor();
    await assertForEveryone(page, 'settings');
    await page.getByRole('tab', { name: 'Audit log' }).click();
    const audit = page.getByRole('region', { name: 'Audit log' });
    for (const reported of ['issued', 'regenerated', 'revoked'])
      await audit.getByText(`owner ${reported} the API key till`).waitFor();
    await assertForEveryone(page, 'the audit');
    assert.deepEqual(faults, []);
    await page.close();
  });
});

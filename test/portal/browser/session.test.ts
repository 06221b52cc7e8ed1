import assert from 'node:assert/strict';
import { until } from '../../support/service.js';
import { PortalRun, type PortalUser } from '../support/portal-run.js';

const PAGES = ['overview', 'diagnosis', 'map', 'traces', 'logs', 'metrics', 'dashboards', 'alerts', 'changes', 'compare', 'assistant', 'usage', 'administration'];

describe('the portal in a browser: sessions', function () {
  this.timeout(120_000);
  let run: PortalRun;
  let grid: string;

  before(async function () {
    run = await PortalRun.start(this);
    grid = (await run.service.bootstrap()).gridId;
  });
  // Undefined where the suite was skipped.
  after(() => (run as PortalRun | undefined)?.stop());

  it('lets each user in with one click, and out again', async () => {
    for (const user of ['owner', 'member', 'user', 'guest'] satisfies PortalUser[]) {
      const { page, faults } = await run.visitor();
      await page.goto(run.url);
      await page.getByRole('link', { name: `Sign in as ${user}` }).click();
      await page.waitForURL(`**/portal/g/${grid}/overview*`);
      await page.getByRole('button', { name: `Sign out ${user}` }).click();
      await page.getByRole('link', { name: 'Sign in as owner' }).waitFor();
      assert.deepEqual(faults, []);
      await page.context().close();
    }
  });

  it('shows nothing of a Grid to somebody who belongs to none', async () => {
    const { page } = await run.signIn('outsider');
    // A function to wait for would need what the content policy forbids.
    await until(() => page.evaluate<boolean>("document.querySelector('#root').textContent.length > 20"), 'the page is there');
    assert.ok(!(await page.content()).includes(grid));
    await page.context().close();
  });

  it('leads back to the page that a link names, and survives a reload', async () => {
    const link = `/portal/g/${grid}/traces`;
    const { page } = await run.visitor();
    await page.goto(run.service.apiUrl + link);
    await page.getByRole('link', { name: 'Sign in as member' }).click();
    await page.waitForURL(`**${link}*`);
    await page.reload();
    await page.getByRole('button', { name: 'Sign out member' }).waitFor();
    await page.context().close();
  });

  it('asks to sign in again where the session is over', async () => {
    const { page } = await run.signIn('owner');
    await page.getByRole('button', { name: 'Sign out owner' }).waitFor();
    await page.context().clearCookies();
    await page.reload();
    await page.getByRole('link', { name: 'Sign in as owner' }).waitFor();
    await page.context().close();
  });

  it('keeps no token where scripts of later visits find one', async () => {
    const { page } = await run.signIn('owner');
    await page.getByRole('button', { name: 'Sign out owner' }).waitFor();
    const kept = await page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])');
    assert.doesNotMatch(kept, /eyJ|token|hindsight_session/);
    await page.context().close();
  });

  it('breaks neither its content policy nor a script on any page, nor with the palette open', async () => {
    const { page, faults } = await run.signIn('owner');
    for (const name of PAGES) {
      await page.goto(`${run.service.apiUrl}/portal/g/${grid}/${name}`);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder(/A page, a time/).waitFor();
      await page.keyboard.press('Escape');
      assert.deepEqual(faults, [], name);
    }
    await page.context().close();
  });
});

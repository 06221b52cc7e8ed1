import assert from 'node:assert/strict';
import { until } from '../support/service.js';
import type { PortalRun, PortalUser } from './support/portal-run.js';
import { sharedPortal, type SharedPortal } from './support/shared-portal.js';

const PAGES = [
  'overview',
  'diagnosis',
  'map',
  'traces',
  'logs',
  'metrics',
  'dashboards',
  'alerts',
  'changes',
  'compare',
  'assistant',
  'usage',
  'administration',
];

describe('the portal in a browser: sessions', function () {
  this.timeout(60_000);
  let portal: SharedPortal;
  let run: PortalRun;
  let grid: string;

  before(async function () {
    portal = await sharedPortal(this);
    run = portal.run;
    grid = portal.gridId;
  });

  it('lets each user in with one click, and out again', async () => {
    for (const user of ['owner', 'member', 'user', 'guest'] satisfies PortalUser[]) {
      const { page, faults } = await run.visitor();
      await page.goto(run.url);
      await page.getByRole('link', { name: `Sign in as ${user}` }).click();
      await page.waitForURL('**/portal/g/*/overview*');
      await page.getByRole('button', { name: `Sign out ${user}` }).click();
      await page.getByRole('link', { name: 'Sign in as owner' }).waitFor();
      assert.deepEqual(faults, []);
      await page.context().close();
    }
  });

  it('shows nothing of a Grid to somebody who belongs to none', async () => {
    const { page } = await run.visitor();
    await run.enter(page, 'outsider');
    // A function to wait for would need what the content policy forbids.
    await until(
      () => page.evaluate<boolean>("document.querySelector('#root').textContent.length > 20"),
      'the page is there',
    );
    assert.ok(!(await page.content()).includes(grid));
    await page.context().close();
  });

  it('leads back to the page that a link names, and survives a reload', async () => {
    const link = portal.path('traces');
    const { page } = await run.visitor();
    await page.goto(run.service.apiUrl + link);
    await page.getByRole('link', { name: 'Sign in as member' }).click();
    await page.waitForURL(`**${link}*`);
    await page.reload();
    await page.getByRole('button', { name: 'Sign out member' }).waitFor();
    await page.context().close();
  });

  it('asks to sign in again where the session is over', async () => {
    const { page } = await run.visitor();
    await run.enter(page, 'owner');
    await page.getByRole('button', { name: 'Sign out owner' }).waitFor();
    await page.context().clearCookies();
    await page.reload();
    await page.getByRole('link', { name: 'Sign in as owner' }).waitFor();
    await page.context().close();
  });

  it('says why nobody is signed in: no provider, one that is away, or a token that does not count', async () => {
    const { page } = await run.visitor();
    let answer: object = { canSignIn: false, users: [] };
    await page.route('**/portal/session', (route) =>
      route.fulfill({ status: 401, contentType: 'application/problem+json', json: answer }),
    );
    await page.goto(run.url);
    await page.getByText('This service has no identity provider').waitFor();
    assert.equal(await page.getByRole('link').count(), 0);
    answer = { canSignIn: true, users: [], refused: 'it is for another audience' };
    await page.goto(`${run.url}g/x/map?at=1&sign-in=unavailable`);
    for (const told of [/does not take the token: it is for another audience/, /The identity provider does not answer/])
      await page.getByText(told).waitFor();
    assert.match(
      (await page.getByRole('link', { name: 'Sign in' }).getAttribute('href')) ?? '',
      /return=%2Fportal%2Fg%2Fx%2Fmap%3Fat%3D1$/,
    );
    await page.context().close();
  });

  it('keeps no token where scripts of later visits find one', async () => {
    const { page } = await run.visitor();
    await run.enter(page, 'owner');
    await page.getByRole('button', { name: 'Sign out owner' }).waitFor();
    const kept = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])',
    );
    assert.doesNotMatch(kept, /eyJ|token|hindsight_session/);
    await page.context().close();
  });

  it('breaks neither its content policy nor a script on any page, nor with the palette open', async () => {
    const { page, faults } = await run.signIn('owner');
    for (const name of PAGES) {
      await page.goto(portal.url(name));
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder(/A page, a time/).waitFor();
      await page.keyboard.press('Escape');
      assert.deepEqual(faults, [], name);
    }
    await page.close();
  });
});

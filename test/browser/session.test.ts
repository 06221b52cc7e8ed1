import assert from 'node:assert/strict';
import { waitUntil } from '../support/wait-until.js';
import type { PortalRun, PortalUser } from './support/portal-run.js';
import { sharedPortal, type SharedPortal } from './support/shared-portal.js';

const PAGES = [
  'overview',
  'incidents',
  'diagnosis',
  'map',
  'explore',
  'traces',
  'logs',
  'errors',
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

  it('signs each user in with one click, and out again', async () => {
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

  it('shows no Grid to a user who is not a member of any', async () => {
    const { page } = await run.visitor();
    await run.enter(page, 'outsider');
    // waitForFunction would need eval, which the content security policy forbids.
    await waitUntil(
      () => page.evaluate<boolean>("document.querySelector('#root').textContent.length > 20"),
      'the page is there',
    );
    assert.ok(!(await page.content()).includes(grid));
    await page.context().close();
  });

  it('returns to the linked page after sign-in, and survives a reload', async () => {
    const link = portal.path('traces');
    const { page } = await run.visitor();
    await page.goto(run.service.apiUrl + link);
    await page.getByRole('link', { name: 'Sign in as member' }).click();
    await page.waitForURL(`**${link}*`);
    await page.reload();
    await page.getByRole('button', { name: 'Sign out member' }).waitFor();
    await page.context().close();
  });

  it('asks to sign in again after the session has ended', async () => {
    const { page } = await run.visitor();
    await run.enter(page, 'owner');
    await page.getByRole('button', { name: 'Sign out owner' }).waitFor();
    await page.context().clearCookies();
    await page.reload();
    await page.getByRole('link', { name: 'Sign in as owner' }).waitFor();
    await page.context().close();
  });

  it('explains why sign-in failed: no identity provider, an unavailable one, or a rejected token', async () => {
    const { page } = await run.visitor();
    let answer: object = { canSignIn: false, users: [] };
    await page.route('**/portal/session', (route) =>
      route.fulfill({ status: 401, contentType: 'application/problem+json', json: answer }),
    );
    await page.goto(run.url);
    await page.getByText('Sign-in is not available because no identity provider is configured').waitFor();
    assert.equal(await page.getByRole('link').count(), 0);
    answer = { canSignIn: true, users: [], refused: 'it is for another audience' };
    await page.goto(`${run.url}g/x/map?at=1&sign-in=unavailable`);
    for (const reported of [
      /rejected your token: it is for another audience/,
      /The identity provider does not respond/,
    ])
      await page.getByText(reported).waitFor();
    assert.match(
      (await page.getByRole('link', { name: 'Sign in' }).getAttribute('href')) ?? '',
      /return=%2Fportal%2Fg%2Fx%2Fmap%3Fat%3D1$/,
    );
    await page.context().close();
  });

  it('does not store tokens', async () => {
    const { page } = await run.visitor();
    await run.enter(page, 'owner');
    await page.getByRole('button', { name: 'Sign out owner' }).waitFor();
    const kept = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])',
    );
    assert.doesNotMatch(kept, /eyJ|token|hindsight_session/);
    await page.context().close();
  });

  it('has no content policy violations or script errors on any page or in the command palette', async () => {
    const { page, faults } = await run.signIn('owner');
    for (const name of PAGES) {
      await page.goto(portal.url(name));
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder(/Page, time range/).waitFor();
      await page.keyboard.press('Escape');
      assert.deepEqual(faults, [], name);
    }
    await page.close();
  });
});

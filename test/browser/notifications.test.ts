import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { FlakyReceiver } from '../support/faults/flaky-receiver.js';
import { sendRequests } from '../support/faults/notified-grid.js';
import { Random } from '../support/generator/random.js';
import { signIn } from '../support/sign-in.js';
import { waitUntil } from '../support/wait-until.js';
import { assertForEveryone } from './support/page-checks.js';
import { PortalRun } from './support/portal-run.js';

/** Set to a folder, it receives pictures of the pages. */
const PICTURES = process.env.NOTIFICATION_PICTURES;
const RULE = {
  name: 'Busy',
  metric: 'request_rate',
  operator: '>',
  threshold: 0,
  severity: 'warning',
  serviceName: 'checkout',
  minRequests: 1,
};

describe('the portal in a browser: notifications', function () {
  this.timeout(120_000);
  const receiver = new FlakyReceiver(new Random(1), 0);
  let run: PortalRun;
  let grid: string;
  let page: Page;
  let faults: string[];

  before(async function () {
    run = await PortalRun.start(this, { NOTIFY_PRIVATE_ADDRESSES: 'allow', RATE_LIMIT_USER_PER_MINUTE: '0' });
    await receiver.start();
    const { gridId, apiKey } = await run.service.bootstrap();
    grid = gridId;
    await sendRequests(run.service.otlpHttpUrl, apiKey, ['checkout', 'cart', 'search']);
    ({ page, faults } = await run.signIn('member', path('notifications')));
  });
  after(async () => {
    await run?.stop();
    await receiver.stop();
  });
  // The browser reports what the service finds invalid, which the forms show.
  afterEach(() =>
    assert.deepEqual(
      faults.filter((fault) => !fault.includes('status of 400')),
      [],
    ),
  );

  const path = (name: string): string => `/portal/g/${grid}/${name}`;
  const dialog = () => page.getByRole('dialog');
  const row = (region: string, text: string) =>
    page.getByRole('region', { name: region }).getByRole('row').filter({ hasText: text });

  async function picture(name: string): Promise<void> {
    if (PICTURES !== undefined) await page.screenshot({ path: `${PICTURES}/${name}.png` });
  }

  it('creates a channel, and shows what the receiver answers to a test', async () => {
    await page.getByText('No channels yet').waitFor();
    await assertForEveryone(page, 'no channels');
    await page.getByRole('button', { name: 'New channel' }).click();
    await dialog().getByRole('button', { name: 'Create' }).click();
    await dialog().getByRole('alert').first().waitFor();
    await dialog().getByLabel('Name').fill('On call');
    await dialog().getByLabel('Address').fill(`${receiver.url}/secret-part`);
    await dialog().getByLabel('Token').fill('very-secret');
    await assertForEveryone(page, 'a new channel');
    await picture('channel');
    await dialog().getByRole('button', { name: 'Create' }).click();
    await row('Channels', 'On call').waitFor();
    assert.ok(!(await page.content()).includes('secret'), 'address and token are not shown again');
    await page.getByRole('button', { name: 'Send a test to On call' }).click();
    await dialog().getByText('Delivered').waitFor();
    await dialog().getByText('200 as drawn').waitFor();
    await assertForEveryone(page, 'the answer to a test');
    await picture('test');
    await dialog().getByRole('button', { name: 'Done' }).click();
    assert.equal(receiver.taken[0].reason, 'test');
  });

  it('changes a channel and keeps what is not entered again', async () => {
    await page.getByRole('button', { name: 'Edit On call' }).click();
    assert.equal(await dialog().getByLabel('Address').inputValue(), '');
    await dialog().getByLabel('Name').fill('First line');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await row('Channels', 'First line').waitFor();
    await page.getByRole('button', { name: 'Send a test to First line' }).click();
    await dialog().getByText('Delivered').waitFor();
    await page.keyboard.press('Escape');
    await assertForEveryone(page, 'channels');
    await picture('channels');
  });

  it('creates a route by the keyboard', async () => {
    await page.getByRole('tab', { name: 'Channels' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByText('No routes yet').waitFor();
    await page.getByRole('button', { name: 'New route' }).focus();
    await page.keyboard.press('Enter');
    await dialog().getByLabel('Name', { exact: true }).focus();
    await page.keyboard.type('Everything');
    await dialog().getByRole('checkbox', { name: 'First line' }).focus();
    await page.keyboard.press('Space');
    await dialog().getByLabel('Wait for more alerts (seconds)').fill('soon');
    await page.keyboard.press('Enter');
    await dialog()
      .getByRole('alert')
      .getByText(/whole number/)
      .waitFor();
    await assertForEveryone(page, 'a new route');
    await picture('route');
    await dialog().getByLabel('Wait for more alerts (seconds)').fill('0');
    await page.keyboard.press('Enter');
    await row('Routes', 'Everything').waitFor();
    await assertForEveryone(page, 'routes');
    await picture('routes');
  });

  it('sends an alert, which is acknowledged and silenced where it is listed', async () => {
    const owner = await signIn(run.service.apiUrl, 'owner');
    assert.equal((await owner.post(`/admin/grids/${grid}/alert-rules`, RULE)).status, 201);
    await waitUntil(() => receiver.taken.some(({ reason }) => reason === 'firing'), 'the alert is sent');
    await page.goto(run.service.apiUrl + path('alerts'));
    await page.getByRole('button', { name: 'Acknowledge Busy of checkout' }).click();
    await page.getByText('Acknowledged by member').waitFor();
    await page.getByRole('button', { name: 'Silence Busy of checkout' }).click();
    assert.equal(await dialog().getByLabel('Value of matcher 1').inputValue(), 'Busy');
    assert.equal(await dialog().getByLabel('Value of matcher 2').inputValue(), 'checkout');
    await dialog().getByLabel('Reason').fill('Load test');
    await assertForEveryone(page, 'a new silence');
    await picture('silence');
    await dialog().getByRole('button', { name: 'Create' }).click();
    await dialog().waitFor({ state: 'detached' });
    await assertForEveryone(page, 'an acknowledged alert');
    await picture('alerts');
  });

  it('opens a silence with what the link of a message names, and acknowledges on a page for everyone', async () => {
    await page.goto(run.service.apiUrl + path('notifications?tab=silences&alertname=Busy&service=checkout'));
    assert.equal(await dialog().getByLabel('Value of matcher 1').inputValue(), 'Busy');
    assert.equal(await dialog().getByLabel('Value of matcher 2').inputValue(), 'checkout');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await page.waitForURL((url) => !url.search.includes('alertname'));
    const { text } = receiver.taken.find(({ reason }) => reason === 'firing')!;
    const [, token] = /acknowledge\?token=([\w.-]+)/.exec(text)!;
    await page.goto(`${run.service.apiUrl}/portal/acknowledge?token=${token}`);
    await page.getByRole('heading', { name: 'Nothing is left to acknowledge' }).waitFor();
    await assertForEveryone(page, 'the page of the link');
  });

  it('ends the silence, and lists the deliveries', async () => {
    await page.goto(run.service.apiUrl + path('notifications?tab=silences'));
    await row('Silences', 'Load test').getByText('Active').waitFor();
    await assertForEveryone(page, 'silences');
    await picture('silences');
    await page.getByRole('button', { name: 'End now Load test' }).click();
    await dialog().getByRole('button', { name: 'End now' }).click();
    await page.getByText('No silences').waitFor();
    await page.getByRole('tab', { name: 'Deliveries' }).click();
    await row('Deliveries', 'Busy: checkout').getByText('Delivered').waitFor();
    await assertForEveryone(page, 'deliveries');
    await picture('deliveries');
  });

  it('lets a User acknowledge and not silence, and a Guest do neither', async () => {
    // Alerts of checkout belong to an incident that a member takes care of, so they are acknowledged soon after they fire.
    for (const [user, serviceName, mayAcknowledge] of [
      ['user', 'cart', true],
      ['guest', 'search', false],
    ] as const) {
      const owner = await signIn(run.service.apiUrl, 'owner');
      const name = `Busy for ${user}`;
      assert.equal((await owner.post(`/admin/grids/${grid}/alert-rules`, { ...RULE, name, serviceName })).status, 201);
      const visit = await run.signIn(user, path('alerts'));
      await visit.page.getByRole('region', { name: 'Open alerts' }).getByText(name).waitFor();
      const acknowledge = visit.page.getByRole('button', { name: `Acknowledge ${name} of ${serviceName}` });
      if (mayAcknowledge) await acknowledge.waitFor();
      else assert.equal(await acknowledge.count(), 0);
      assert.equal(await visit.page.getByRole('button', { name: /^Silence/ }).count(), 0);
      await visit.page.goto(run.service.apiUrl + path('notifications'));
      await visit.page.getByText('Notifications are for Members and Owners').waitFor();
      assert.deepEqual(visit.faults, []);
      await visit.page.close();
    }
  });
});

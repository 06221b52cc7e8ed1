import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { sendRequests } from '../support/faults/notified-grid.js';
import { signIn } from '../support/sign-in.js';
import { waitUntil } from '../support/wait-until.js';
import { assertForEveryone } from './support/page-checks.js';
import { PortalRun } from './support/portal-run.js';

/** Set to a folder, it receives pictures of the pages. */
const PICTURES = process.env.INCIDENT_PICTURES;
const RULE = { name: 'Busy', metric: 'request_rate', operator: '>', threshold: 0, severity: 'warning', minRequests: 1 };
/** An incident without a known cause is titled with the condition. */
const TITLE = /checkout: Request rate above 0/;

describe('the portal in a browser: incidents', function () {
  this.timeout(120_000);
  let run: PortalRun;
  let grid: string;
  let apiKey: string;
  let page: Page;
  let faults: string[];

  before(async function () {
    run = await PortalRun.start(this, { RATE_LIMIT_USER_PER_MINUTE: '0' });
    ({ gridId: grid, apiKey } = await run.service.bootstrap());
    await sendRequests(run.service.otlpHttpUrl, apiKey, ['checkout']);
    ({ page, faults } = await run.signIn('member', path('incidents')));
  });
  after(() => run?.stop());
  afterEach(() => assert.deepEqual(faults, []));

  const path = (name: string): string => `/portal/g/${grid}/${name}`;
  const open = (name: string): Promise<unknown> => page.goto(run.service.apiUrl + path(name));
  async function picture(name: string): Promise<void> {
    if (PICTURES !== undefined) await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
  }

  it('says that there are none', async () => {
    await page.getByText('No incidents').waitFor();
    await assertForEveryone(page, 'no incidents');
  });

  it('lists one where the overview leads with it, and opens it', async () => {
    const owner = await signIn(run.service.apiUrl, 'owner');
    const rule = { ...RULE, serviceName: 'checkout' };
    assert.equal((await owner.post(`/admin/grids/${grid}/alert-rules`, rule)).status, 201);
    const isOpen = async (): Promise<boolean> => {
      const { body } = await owner.get<{ totalCount: number }>(`/apm/incidents/${grid}`);
      return body.totalCount === 1;
    };
    await waitUntil(isOpen, 'an incident is open', 30_000);
    await open('overview');
    await page.getByRole('heading', { name: 'Open incidents' }).waitFor();
    await assertForEveryone(page, 'an overview with an incident');
    await picture('overview');
    await open('incidents');
    await page.getByRole('region', { name: 'Incidents' }).getByRole('row').filter({ hasText: 'Open' }).waitFor();
    await assertForEveryone(page, 'incidents');
    await picture('incidents');
    await page.getByRole('link', { name: TITLE }).click();
    await page.getByRole('heading', { level: 1, name: TITLE }).waitFor();
    await page.getByText('No cause is known').waitFor();
    await assertForEveryone(page, 'an incident');
  });

  it('is acknowledged, led, noted and resolved there, by the keyboard too', async () => {
    await page.getByRole('button', { name: 'Acknowledge' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('acknowledged by member', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Take command' }).click();
    await page.getByText('member leads').waitFor();
    await page.getByLabel('Note').fill('Restarted the pods; <b>no</b> change');
    await page.getByRole('button', { name: 'Add note' }).click();
    const timeline = page.getByRole('list', { name: 'What happened, newest first' });
    await timeline.getByText('Restarted the pods; <b>no</b> change').waitFor();
    await picture('incident');
    await page.getByLabel('Note').fill('It was a load test');
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText(/resolved by member/).waitFor();
    await timeline.getByText('Resolved by member. It was a load test').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Resolve' }).count(), 0);
    await assertForEveryone(page, 'a resolved incident');
  });

  it('gives the draft of a review', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    assert.match(download.suggestedFilename(), /^incident-.*\.md$/);
  });

  it('shows what was known at an earlier time, and that an unknown one does not exist', async () => {
    const timeline = page.getByRole('list', { name: 'What happened, newest first' });
    // The earlier one: the acknowledgement of its alert follows that of the incident.
    await timeline.getByRole('listitem').filter({ hasText: 'Acknowledged' }).getByRole('link').last().click();
    await page.waitForURL(/at=/);
    await timeline.getByText('Resolved by member').waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Note').count(), 0, 'a past view changes nothing');
    assert.deepEqual(faults, []);
    const reported = page.waitForEvent('console', (message) => message.text().includes('404'));
    await open('incidents/unknown');
    await page.getByText('No such incident at this time').waitFor();
    await reported;
    faults.length = 0;
  });

  it('takes another one in, and gives alerts away, by the keyboard', async () => {
    const owner = await signIn(run.service.apiUrl, 'owner');
    await sendRequests(run.service.otlpHttpUrl, apiKey, ['cart']);
    for (const name of ['Busy cart', 'Very busy cart'])
      await owner.post(`/admin/grids/${grid}/alert-rules`, { ...RULE, name, serviceName: 'cart' });
    type Listed = { readonly incidents: readonly { readonly id: string; readonly firingCount: number }[] };
    const find = async (): Promise<string | undefined> => {
      const { body } = await owner.get<Listed>(`/apm/incidents/${grid}?status=open`);
      return body.incidents.find(({ firingCount }) => firingCount === 2)?.id;
    };
    await waitUntil(async () => (await find()) !== undefined, 'both alerts have one incident', 60_000);
    const id = await find();
    await open(`incidents/${id}`);
    await press('Merge…');
    await page.getByLabel('Incident', { exact: true }).focus();
    await page.keyboard.type('checkout');
    await assertForEveryone(page, 'a dialog that merges incidents');
    await press('Merge');
    await page.getByText('Another incident was merged into this one by member.').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await press('Split…');
    await page.getByRole('checkbox', { name: /Very busy cart/ }).focus();
    await page.keyboard.press('Space');
    await assertForEveryone(page, 'a dialog that splits incidents');
    await press('Split');
    await page.getByText('Split from another incident: cart: Request rate above 0 requests/s').waitFor();
    assert.ok(!page.url().includes(id!), 'the page of the new incident follows');
    await page.getByRole('heading', { name: 'Alerts (1 of 1 fire)' }).waitFor();
  });

  async function press(name: string): Promise<void> {
    await page.getByRole('button', { name, exact: true }).focus();
    await page.keyboard.press('Enter');
  }
});

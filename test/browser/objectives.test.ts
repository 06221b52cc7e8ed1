import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { KIND, spanId, spansOf, STATUS, traceId } from '../support/otlp-requests.js';
import { waitUntil } from '../support/wait-until.js';
import { assertForEveryone, hasArrived } from './support/page-checks.js';
import { PortalRun } from './support/portal-run.js';

/** Set to a folder, it receives pictures of the pages. */
const PICTURES = process.env.OBJECTIVE_PICTURES;
const HOUR_MS = 3_600_000;
const HOURS = 72;
const PER_HOUR = 40;
/** Hours ago in which requests failed, and how many. */
const FAILURES: Readonly<Record<number, number>> = { 50: 2, 26: 10, 3: 2 };

let spans = 0;

/** Requests of an hour. */
function hourOf(service: string, ago: number): object {
  const endMs = Date.now() - ago * HOUR_MS - 1_000;
  return spansOf(
    service,
    ...Array.from({ length: PER_HOUR }, (_, i) => ({
      traceId: traceId(++spans),
      spanId: spanId(spans),
      name: 'POST /pay',
      kind: KIND.server,
      start: BigInt(endMs - 20) * 1_000_000n,
      end: BigInt(endMs) * 1_000_000n,
      ...(i < (FAILURES[ago] ?? 0) && { status: { code: STATUS.error } }),
    })),
  );
}

describe('the portal in a browser: objectives', function () {
  this.timeout(180_000);
  let run: PortalRun;
  let grid: string;
  let page: Page;
  let faults: string[];

  before(async function () {
    run = await PortalRun.start(this, { RATE_LIMIT_USER_PER_MINUTE: '0' });
    const { gridId, apiKey } = await run.service.bootstrap();
    grid = gridId;
    for (let ago = HOURS; ago >= 0; ago--) await send(apiKey, hourOf('checkout', ago));
    ({ page, faults } = await run.signIn('member', path('objectives')));
  });
  after(() => run?.stop());
  // The browser reports what the service finds invalid, which the forms show.
  afterEach(() =>
    assert.deepEqual(
      faults.filter((fault) => !fault.includes('status of 400')),
      [],
    ),
  );

  async function send(apiKey: string, request: object): Promise<void> {
    const headers = { 'content-type': 'application/json', 'api-key': apiKey };
    const body = JSON.stringify(request);
    const post = () => fetch(`${run.service.otlpHttpUrl}/v1/traces`, { method: 'POST', headers, body });
    await waitUntil(async () => (await post()).status === 200, 'the acknowledgement', 60_000);
  }

  const path = (name: string): string => `/portal/g/${grid}/${name}`;
  const dialog = () => page.getByRole('dialog');
  const table = (label: string) => page.getByRole('region', { name: label });

  async function picture(name: string): Promise<void> {
    if (PICTURES !== undefined) await page.screenshot({ path: `${PICTURES}/${name}.png` });
  }

  it('creates an objective from a proposal', async () => {
    await page.getByText('No objectives yet').waitFor();
    await assertForEveryone(page, 'no objectives');
    await page.getByRole('button', { name: 'New objective' }).click();
    await dialog().getByRole('button', { name: 'Create' }).click();
    await dialog().getByRole('alert').first().waitFor();
    await dialog().getByLabel('Name').fill('Checkout is available');
    await dialog().getByLabel('Service').fill('checkout');
    await dialog().getByRole('button', { name: 'Compare with the last 28 days' }).click();
    await dialog().getByText('Proposed: 99.5 %.').waitFor();
    await assertForEveryone(page, 'a new objective');
    await picture('new-objective');
    await dialog().getByRole('button', { name: '99.5 %', exact: true }).click();
    assert.equal(await dialog().getByLabel('Objective (%)').inputValue(), '99.5');
    await dialog().getByRole('button', { name: 'Create' }).click();
    await table('Objectives').getByText('Checkout is available').waitFor();
    await assertForEveryone(page, 'the list of objectives');
    await picture('objectives');
  });

  it('shows the error budget of an objective over time', async () => {
    await table('Objectives').getByRole('link', { name: 'Checkout is available' }).click();
    await page.getByRole('img', { name: 'Error budget of Checkout is available over its window' }).waitFor();
    await hasArrived(page, 'an objective');
    const bad = Object.values(FAILURES).reduce((sum, each) => sum + each, 0);
    const total = (HOURS + 1) * PER_HOUR;
    await page
      .getByText(`${(total - bad).toLocaleString('en-US')} of ${total.toLocaleString('en-US')} events`)
      .waitFor();
    await assertForEveryone(page, 'an objective');
    await picture('objective');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Markdown' }).click();
    assert.match((await saved).suggestedFilename(), /^objective-20\d\d-\d\d\.md$/);
    const drawn = page.waitForEvent('download');
    await page.getByRole('button', { name: 'PNG' }).click();
    assert.match((await drawn).suggestedFilename(), /\.png$/);
    if (PICTURES !== undefined) await (await drawn).saveAs(`${PICTURES}/report.png`);
  });

  it('shows the others when one cannot be counted, and why it cannot', async () => {
    const failed = { id: '3d2f6c3a-4d52-4e8b-8f0a-7c6d5e4f3a21', name: 'Old query' };
    const failure = { code: 'conflict', message: 'The stored condition of the objective cannot be read' };
    await page.route(/\/apm\/slos\/[^/]+$/, async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { slos: object[] };
      await route.fulfill({ response, json: { ...body, uncounted: [{ ...body.slos[0], ...failed, failure }] } });
    });
    await page.goto(`${run.service.apiUrl}${path('objectives')}`);
    await page.getByText(failure.message).waitFor();
    await page.getByRole('button', { name: 'Delete Old query' }).waitFor();
    await table('Objectives').getByRole('link', { name: 'Checkout is available' }).waitFor();
    await assertForEveryone(page, 'an objective that is not counted');
    await picture('uncounted');
    await page.unroute(/\/apm\/slos\/[^/]+$/);
    await page.goto(`${run.service.apiUrl}${path('objectives')}`);
    await table('Objectives').getByRole('link', { name: 'Checkout is available' }).click();
  });

  it('puts the error budgets on a dashboard', async () => {
    await page.goto(`${run.service.apiUrl}${path('objectives')}`);
    await page.getByRole('button', { name: 'Add to dashboard' }).click();
    await dialog().getByLabel('Title of the chart').fill('Error budgets');
    await dialog().getByRole('button', { name: 'Add chart' }).click();
    const chart = page.getByRole('region', { name: 'Error budgets' }).first();
    await chart.getByRole('columnheader', { name: 'budget left' }).waitFor();
    await chart.getByRole('row').filter({ hasText: 'Checkout is available' }).waitFor();
    await assertForEveryone(page, 'error budgets on a dashboard');
    await page.goto(`${run.service.apiUrl}${path('objectives')}`);
    await table('Objectives').getByRole('link', { name: 'Checkout is available' }).click();
  });

  it('changes and deletes an objective', async () => {
    await page.getByRole('button', { name: 'Edit' }).click();
    assert.equal(await dialog().getByLabel('Service').inputValue(), 'checkout');
    await dialog().getByLabel('Objective (%)').fill('101');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().getByText('Must be a percentage above 0 and below 100').waitFor();
    await dialog().getByLabel('Objective (%)').fill('99.9');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await page.getByText('Missed').waitFor();
    await page.getByRole('button', { name: 'Delete Checkout is available' }).click();
    await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No objectives yet').waitFor();
  });

  it('lets guests read but not change', async () => {
    const visit = await run.signIn('guest', path('objectives'));
    await visit.page.getByText('No objectives yet').waitFor();
    assert.equal(await visit.page.getByRole('button', { name: 'New objective' }).count(), 0);
    await visit.page.close();
  });
});

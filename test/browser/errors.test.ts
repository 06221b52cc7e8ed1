import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { KIND, spanId, spansOf, STATUS, traceId } from '../support/otlp-requests.js';
import { waitUntil } from '../support/wait-until.js';
import { assertForEveryone } from './support/page-checks.js';
import { PortalRun } from './support/portal-run.js';

/** Set to a folder, it receives pictures of the pages. */
const PICTURES = process.env.ERROR_PICTURES;
const STACK = 'Error: no funds\n    at charge (/app/src/pay.js:10:5)';

/** A failed request of checkout `secondsAgo`, with an exception. */
function failed(id: number, secondsAgo: number, version: string, type: string, message: string): object {
  const start = BigInt(Date.now() - secondsAgo * 1_000) * 1_000_000n;
  const attributes = [
    ['exception.type', type],
    ['exception.message', message],
    ['exception.stacktrace', STACK],
  ] as const;
  return spansOf(
    [
      ['service.name', 'checkout'],
      ['service.version', version],
    ],
    {
      traceId: traceId(id),
      spanId: spanId(id),
      name: 'POST /orders',
      kind: KIND.server,
      start,
      end: start + 5_000_000n,
      events: [{ name: 'exception', time: start, attributes }],
      status: { code: STATUS.error, message },
    },
  );
}

describe('the portal in a browser: errors', function () {
  this.timeout(120_000);
  let run: PortalRun;
  let grid: string;
  let page: Page;
  let faults: string[];

  before(async function () {
    run = await PortalRun.start(this, { RATE_LIMIT_USER_PER_MINUTE: '0' });
    const { gridId, apiKey } = await run.service.bootstrap();
    grid = gridId;
    ({ page, faults } = await run.signIn('guest', path('errors')));
    await page.getByText('No exceptions in this time range').waitFor();
    await assertForEveryone(page, 'no errors');
    for (const body of [
      failed(1, 300, '1.0', 'Timeout', 'slow'),
      failed(2, 200, '1.1', 'CardDeclined', 'no funds on card 17'),
      failed(3, 100, '1.1', 'CardDeclined', 'no funds on card 18'),
      failed(4, 50, '1.2', 'CardDeclined', 'no <b>funds</b> on card 19'),
    ]) {
      const response = await fetch(`${run.service.otlpHttpUrl}/v1/traces`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'api-key': apiKey },
        body: JSON.stringify(body),
      });
      assert.equal(response.status, 200);
    }
  });
  after(() => run?.stop());
  afterEach(() => assert.deepEqual(faults, []));

  const path = (name: string): string => `/portal/g/${grid}/${name}`;
  const open = (name: string): Promise<unknown> => page.goto(run.service.apiUrl + path(name));
  async function picture(name: string): Promise<void> {
    if (PICTURES !== undefined) await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
  }
  const rows = () => page.getByRole('region', { name: 'Errors' }).locator('tbody tr');
  const inView = (text: string): Promise<void> => page.getByText(text).first().waitFor();

  it('lists the groups that a service page leads to, most frequent or latest first', async () => {
    await open('services/checkout');
    await page.getByRole('link', { name: 'All errors' }).click();
    await inView('no funds on card *');
    await waitUntil(async () => (await rows().count()) === 3, 'all groups are listed', 30_000);
    assert.match(await rows().first().innerText(), /CardDeclined[\s\S]*New in 1\.1[\s\S]*no funds on card \*/);
    await inView('3 groups, 4 exceptions');
    await assertForEveryone(page, 'errors');
    await picture('errors');
    await page.getByRole('button', { name: 'Latest first' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/order=lastSeen/);
    await rows().first().getByText('no <b>funds</b> on card *').waitFor();
    await page.getByRole('button', { name: 'Only checkout: show every service' }).click();
    await page.waitForURL((url) => !url.searchParams.has('service'));
    assert.equal(await rows().count(), 3);
  });

  it('opens a group by the keyboard: versions over time, sample traces and a stack trace', async () => {
    await rows().filter({ hasText: 'no funds on card *' }).getByRole('link', { name: 'CardDeclined' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'CardDeclined' }).waitFor();
    await page.getByRole('img', { name: 'Exceptions of 1.1 over time' }).waitFor();
    const stack = page.getByRole('region', { name: 'Stack trace' });
    assert.equal(await stack.innerText(), STACK);
    await inView('no funds on card 18');
    await assertForEveryone(page, 'an error');
    await picture('error');
    await page
      .getByRole('link', { name: traceId(3).slice(0, 16) })
      .first()
      .click();
    await page.waitForURL(/\/traces\//);
    await page.goBack();
  });

  it('offers guests no change, and members to resolve and to reopen, which the list can be filtered by', async () => {
    assert.equal(await page.getByRole('button', { name: 'Resolve' }).count(), 0);
    const address = page.url();
    const member = await run.signIn('member', new URL(address).pathname);
    const { page: own } = member;
    await own.getByLabel('Fixed in version').fill('1.2');
    await own.getByRole('button', { name: 'Resolve' }).press('Enter');
    await own.getByText(/by member, fixed in 1\.2/).waitFor();
    await own.getByRole('button', { name: 'Reopen' }).waitFor();
    await assertForEveryone(own, 'a resolved error');
    if (PICTURES !== undefined) await own.screenshot({ path: `${PICTURES}/error-resolved.png`, fullPage: true });
    await own.goto(`${run.service.apiUrl}${path('errors')}?status=resolved`);
    const listed = own.getByRole('region', { name: 'Errors' }).locator('tbody tr');
    await listed.first().waitFor();
    assert.equal(await listed.count(), 1);
    assert.match(await listed.first().innerText(), /no funds on card \*[\s\S]*Resolved/);
    await own.getByRole('button', { name: 'Reopened' }).click();
    await own.getByText('No reopened errors in this time range').waitFor();
    await own.getByRole('button', { name: 'Resolved' }).click();
    await listed.first().getByRole('link', { name: 'CardDeclined' }).click();
    await own.getByRole('button', { name: 'Reopen' }).click();
    await own.getByText(/reopened \S+/).waitFor();
    await own.getByRole('button', { name: 'Resolve' }).waitFor();
    assert.deepEqual(member.faults, []);
  });

  it('says that a range has none of a group', async () => {
    faults.length = 0;
    await open(`errors/${'0'.repeat(32)}`);
    await page.getByText('No exceptions of this group in this time range').waitFor();
    faults.length = 0; // the browser reports the 404
  });
});

import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { KIND, logsOf, spansOf } from '../support/otlp-requests.js';
import { assertForEveryone } from './support/page-checks.js';
import { withPage } from './support/shared-page.js';
import type { SharedPortal } from './support/shared-portal.js';

const MINUTE_MS = 60_000;
const TIERS = { gold: 20, basic: 200 } as const;
const SLOWEST = 'e0'.repeat(16);
const LOGGED = 'e1'.repeat(16);

/** What newcomers do on the Explore page, as the least role. */
describe('the portal in a browser: exploring', function () {
  this.timeout(120_000);
  let portal: SharedPortal;
  let page: Page;
  let condition: Locator;

  withPage('guest', (opened) => ({ portal, page } = opened));
  before(async () => {
    await recordTill(portal);
    condition = page.getByLabel('Condition', { exact: true });
  });

  const open = async (path = 'explore'): Promise<void> => {
    await page.goto(portal.url(path));
    await condition.waitFor();
  };
  const groups = (): Locator => page.getByRole('region', { name: 'Groups' });
  const records = (): Locator => page.getByRole('region', { name: 'Records' });

  it('groups latency by customer tier, completed by the keyboard, and lists the records behind a figure', async () => {
    await open();
    await condition.pressSequentially('serv');
    const suggestions = page.getByRole('listbox', { name: 'Suggestions' });
    await suggestions.getByRole('option', { name: /^service / }).waitFor();
    for (const key of ['ArrowDown', 'Enter', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    assert.equal(await condition.inputValue(), 'service = ');
    await page.keyboard.type('til');
    await suggestions.getByRole('option', { name: 'till 40 records' }).waitFor();
    for (const key of ['ArrowDown', 'Enter', 'Enter']) await page.keyboard.press(key);
    await page.waitForURL((url) => url.searchParams.get('where') === 'service = till');
    await page.getByRole('button', { name: 'service Remove' }).click();
    await page.getByLabel('Field to group by').fill('customer.tier');
    await page.keyboard.press('Enter');
    await page.getByLabel('Function', { exact: true }).selectOption('p99');
    await page.getByLabel('Field of the function').fill('duration');
    await page.keyboard.press('Enter');
    const row = groups().getByRole('row').filter({ hasText: 'basic' });
    await row.getByText('p99').or(row).first().waitFor();
    await groups().getByRole('columnheader', { name: 'p99(duration)' }).waitFor();
    await row
      .getByText(/^(19\d|20\d) ms$/)
      .last()
      .waitFor();
    await assertForEveryone(page, 'groups');
    await row
      .getByTitle(/^Records of customer.tier = basic/)
      .first()
      .click();
    await records().getByRole('row').nth(1).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('where'), 'service = till and customer.tier = basic');
    await page.getByText('20 spans').waitFor();
    await page.reload();
    await page.getByText('20 spans').waitFor();
  });

  it('draws error logs with "timeout" but not "upstream" by service over time, then opens one of their traces', async () => {
    await open();
    await page.getByRole('button', { name: 'Logs', exact: true }).click();
    await condition.fill('severity = Error timeout not upstream');
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Over time' }).click();
    await page.getByRole('img', { name: /^count over time, 1 series/ }).waitFor();
    await assertForEveryone(page, 'series');
    await page.getByRole('list', { name: 'Groups of the chart' }).getByRole('button', { name: 'till' }).click();
    await page.getByRole('tab', { name: 'Records' }).click();
    const row = records().getByRole('row').filter({ hasText: 'timeout of the card reader' });
    await row.waitFor();
    assert.equal(await records().getByText('upstream').count(), 0);
    await row.getByRole('button', { name: /^Details/ }).click();
    await assertForEveryone(page, 'a record');
    await page.getByRole('link', { name: 'Open its trace' }).click();
    await page.waitForURL((url) => url.pathname.endsWith(`/traces/${LOGGED}`));
  });

  it('keeps both of two changes that follow each other faster than the page is drawn', async () => {
    await open();
    // The router changes the URL in microtasks; React draws in a later task.
    await page.evaluate(`(async () => {
      const click = (selector, name) => [...document.querySelectorAll(selector)].find((each) => each.innerText === name).click();
      click('button', 'Logs');
      while (!location.search.includes('signal=logs')) await Promise.resolve();
      click('[role=tab]', 'Records');
    })()`);
    await page.waitForURL((url) => url.searchParams.get('show') === 'records');
    assert.equal(new URL(page.url()).searchParams.get('signal'), 'logs');
  });

  it('finds the slowest trace of the last hour', async () => {
    await open('explore?window=1h');
    await condition.fill('service = till');
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Records' }).click();
    await page.getByRole('button', { name: 'duration', exact: true }).click();
    await page.getByRole('columnheader', { name: 'duration' }).and(page.locator('[aria-sort=descending]')).waitFor();
    await records()
      .getByRole('link', { name: SLOWEST.slice(0, 8) })
      .first()
      .click();
    await page.waitForURL((url) => url.pathname.endsWith(`/traces/${SLOWEST}`));
  });

  it('tells what differs in slow requests of a dragged rectangle, and by keyboard', async () => {
    await open('explore?signal=spans&where=service%20%3D%20till&show=heatmap');
    const heatmap = page.getByRole('img', { name: /^Durations of 40 spans/ });
    const box = (await heatmap.boundingBox())!;
    // The upper half: from 63 ms on at most, while fast requests take 20 ms.
    await page.mouse.move(box.x + 2, box.y + 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2, { steps: 4 });
    await page.mouse.up();
    const first = page
      .getByRole('list', { name: /^What differs/ })
      .getByRole('listitem')
      .first();
    await first.getByRole('heading', { name: 'customer.tier' }).waitFor();
    assert.match(await first.getByRole('row').nth(1).innerText(), /basic\s+100 %\s+0 %/);
    await assertForEveryone(page, 'a heatmap');
    await page.reload();
    await first.getByRole('heading', { name: 'customer.tier' }).waitFor();
    await first.getByRole('button', { name: 'basic' }).click();
    await page.getByRole('img', { name: /^Durations of 20 spans/ }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Close' }).click();
    await first.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'What differs?' }).press('Enter');
    await first.getByRole('heading', { name: 'customer.tier' }).waitFor();
  });

  it('says what is wrong with a condition, and where', async () => {
    await open();
    await condition.fill('service = and');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The condition is wrong at position 11: expected a value').waitFor();
    await assertForEveryone(page, 'a faulty query');
    await condition.fill('');
    await page.keyboard.press('Enter');
    await groups().waitFor();
  });

  it('exports what is shown as CSV and JSON', async () => {
    await open('explore?signal=spans&where=service%20%3D%20till&by=customer.tier&select=count');
    await groups().waitFor();
    const save = async (name: string): Promise<string> => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
      const chunks: Buffer[] = [];
      for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString();
    };
    assert.equal(await save('CSV'), 'customer.tier,count\r\nbasic,20\r\ngold,20\r\n');
    const answer = JSON.parse(await save('JSON')) as { rows: unknown };
    assert.deepEqual(answer.rows, [
      ['basic', 20],
      ['gold', 20],
    ]);
  });

  it('answers as of an earlier moment', async () => {
    const at = new Date(Date.now() - 50 * MINUTE_MS).toISOString();
    await open(`explore?signal=spans&where=service%20%3D%20till&by=customer.tier&select=count&at=${at}`);
    await page.getByText('No spans match in this time range.').waitFor();
  });

  it('lets Members save a view, and everybody open it', async () => {
    const { page: members, faults } = await portal.run.signIn(
      'member',
      portal.path('explore?signal=spans&where=service%20%3D%20till&by=customer.tier&select=p99(duration)'),
    );
    await members.getByRole('button', { name: 'Views' }).click();
    const dialog = members.getByRole('dialog', { name: 'Saved views' });
    await dialog.getByLabel('Name').fill('Latency by tier');
    await assertForEveryone(members, 'saving a view');
    await dialog.getByRole('button', { name: 'Save view' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.deepEqual(faults, []);
    await open();
    await page.getByRole('button', { name: 'Views' }).click();
    assert.equal(await page.getByRole('button', { name: 'Save view' }).count(), 0);
    await page.getByRole('button', { name: /^Latency by tier/ }).click();
    await page.waitForURL((url) => url.searchParams.get('select') === 'p99(duration)');
    await groups().getByText('gold').waitFor();
    await members.reload();
    await members.getByRole('button', { name: 'Views' }).click();
    await members.getByRole('button', { name: 'Delete Latency by tier' }).click();
    await members.getByRole('button', { name: 'Delete Latency by tier for all members' }).click();
    await members.getByText('No saved views yet.').waitFor();
    await members.close();
  });

  it('lets Members put a query on a dashboard, where it is drawn', async () => {
    assert.equal(await page.getByRole('button', { name: 'Add to dashboard' }).count(), 0);
    const { page: members, faults } = await portal.run.signIn(
      'member',
      portal.path('explore?signal=spans&where=service%20%3D%20till&by=customer.tier&select=count&show=series'),
    );
    await members.getByRole('button', { name: 'Add to dashboard' }).click();
    const dialog = members.getByRole('dialog', { name: 'Add to a dashboard' });
    await dialog.getByLabel('Title of the chart').fill('Payments by tier');
    await assertForEveryone(members, 'adding a chart');
    await dialog.getByRole('button', { name: 'Add chart' }).click();
    await members.getByRole('heading', { level: 1, name: 'Payments by tier' }).waitFor();
    const chart = members.getByRole('region', { name: 'Payments by tier' });
    await chart.locator('canvas').waitFor();
    await chart.getByRole('button', { name: 'Show Payments by tier as table' }).click();
    for (const tier of ['gold', 'basic']) await chart.getByRole('columnheader', { name: tier }).waitFor();
    await chart.getByRole('link', { name: 'Explore Payments by tier' }).click();
    await members.getByRole('img', { name: /^count over time, 2 series/ }).waitFor();
    assert.deepEqual(faults, []);
    await members.close();
    const { body } = await portal.owner.get<{ charts: { id: string; title: string; query?: object }[] }>(
      `/apm/charts/${portal.gridId}/charts`,
    );
    const saved = body.charts.find(({ title }) => title === 'Payments by tier')!;
    assert.deepEqual(saved.query, {
      signal: 'spans',
      where: 'service = till',
      groupBy: ['customer.tier'],
      select: [{ fn: 'count' }],
    });
    const image = await portal.owner.bytes('GET', `/apm/charts/${portal.gridId}/charts/${saved.id}/render`);
    assert.equal(image.headers.get('content-type'), 'image/png');
  });

  it('lets Members put a heatmap on a dashboard', async () => {
    const path = portal.path('explore?signal=spans&where=service%20%3D%20till&show=heatmap');
    const { page: members, faults } = await portal.run.signIn('member', path);
    await members.getByRole('button', { name: 'Add to dashboard' }).click();
    const dialog = members.getByRole('dialog', { name: 'Add to a dashboard' });
    await dialog.getByLabel('Title of the chart').fill('Durations of till');
    assert.equal(await dialog.getByLabel('Chart type').inputValue(), 'heatmap');
    await dialog.getByRole('button', { name: 'Add chart' }).click();
    const chart = members.getByRole('region', { name: 'Durations of till' });
    await chart.getByRole('img', { name: /^Durations of [\d,]+ spans over time/ }).waitFor();
    assert.deepEqual(faults, []);
    await members.close();
  });

  it('shows metrics and a top list', async () => {
    await open('explore?signal=spans&by=service&select=count&show=top');
    await page.getByRole('list', { name: 'Groups by count' }).getByRole('button', { name: /^till/ }).waitFor();
    await assertForEveryone(page, 'a top list');
    await page.getByRole('button', { name: 'Metrics', exact: true }).click();
    await page
      .getByText(/No metrics match|group/)
      .first()
      .waitFor();
  });
});

/** Twenty fast requests of gold customers, twenty slow ones of basic customers, and some errors. */
async function recordTill(portal: SharedPortal): Promise<void> {
  const now = Date.now();
  const spans = Object.entries(TIERS).flatMap(([tier, durationMs], kind) =>
    Array.from({ length: 20 }, (_, at) => {
      const id = `e${kind}${String(at).padStart(14, '0')}`;
      const isSlowest = tier === 'basic' && at === 7;
      const start = BigInt(now - (6 + (at % 5)) * MINUTE_MS) * 1_000_000n;
      return {
        traceId: isSlowest ? SLOWEST : `${id}${id}`,
        spanId: id,
        name: 'POST /pay',
        kind: KIND.server,
        start,
        end: start + BigInt(durationMs + (isSlowest ? 5 : 0)) * 1_000_000n,
        attributes: [['customer.tier', tier]] as const,
      };
    }),
  );
  await portal.send('traces', spansOf('till', ...spans));
  const log = (body: string, severityNumber: number) => ({
    time: BigInt(now - 7 * MINUTE_MS) * 1_000_000n,
    severityNumber,
    body,
    traceId: LOGGED,
    spanId: 'e1'.repeat(8),
  });
  await portal.send(
    'traces',
    spansOf('till', {
      ...spans[0],
      traceId: LOGGED,
      spanId: 'e1'.repeat(8),
      name: 'read card',
      kind: KIND.internal,
      attributes: [['customer.tier', 'gold']],
      start: BigInt(now - 25 * MINUTE_MS) * 1_000_000n,
      end: BigInt(now - 25 * MINUTE_MS) * 1_000_000n + 1_000_000n,
    }),
  );
  await portal.send(
    'logs',
    logsOf(
      'till',
      log('timeout of the card reader', 17),
      log('timeout of the upstream bank', 17),
      log('timeout is set to 5 s', 9),
    ),
  );
  await portal.settled();
}

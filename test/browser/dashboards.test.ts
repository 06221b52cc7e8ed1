import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { assertForEveryone } from './support/page-checks.js';
import { sharedPortal, type SharedPortal } from './support/shared-portal.js';

const CHART = { title: 'Requests of checkout', chartType: 'line', metric: 'request_rate', serviceName: 'checkout' };
const BY_SERVICE = {
  title: 'Spans by service',
  chartType: 'line',
  metric: 'query',
  query: { signal: 'spans', groupBy: ['service'], select: [{ fn: 'count' }] },
};
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

describe('the portal in a browser: dashboards', function () {
  this.timeout(60_000);
  let portal: SharedPortal;

  before(async function () {
    portal = await sharedPortal(this);
    const { status, body } = await portal.owner.post(`/admin/grids/${portal.gridId}/charts`, CHART);
    assert.equal(status, 201, JSON.stringify(body));
  });

  it('shows the built-in dashboard of a service, which cannot be edited', async () => {
    const { page, faults } = await portal.run.signIn('member', portal.path('dashboards'));
    await page.getByRole('link', { name: 'checkout' }).waitFor();
    await assertForEveryone(page, 'all dashboards');
    await page.getByRole('link', { name: 'checkout' }).click();
    await page.locator('canvas').first().waitFor();
    assert.equal(await page.getByRole('button', { name: 'Edit' }).count(), 0);
    await assertForEveryone(page, 'the dashboard of a service');
    assert.deepEqual(faults, []);
    await page.close();
  });

  it('creates a dashboard, arranges it by keyboard, and shows it after a reload', async () => {
    const { page, faults } = await portal.run.signIn('member', portal.path('dashboards'));
    await page.getByRole('button', { name: 'New dashboard' }).click();
    await page.getByLabel('Title').fill('Till');
    await page.getByRole('button', { name: 'Create and edit' }).click();
    await page.getByRole('button', { name: `Add ${CHART.title}` }).click();
    const placed = page.getByRole('region', { name: CHART.title });
    await placed.getByText('Row 1, column 1').waitFor();
    for (const step of ['Move right', 'Taller']) {
      await placed.getByRole('button', { name: `${step}: ${CHART.title}` }).focus();
      await page.keyboard.press('Enter');
    }
    const place = await placed.getByText(/^Row 1, column 2/).innerText();
    await assertForEveryone(page, 'a dashboard while it is arranged');
    await page.getByRole('link', { name: 'Overview' }).last().click();
    await page
      .getByRole('dialog', { name: 'Leave without saving?' })
      .getByRole('button', { name: 'Keep editing' })
      .click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.reload();
    await placed.getByText(place).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: CHART.title }).waitFor();
    assert.deepEqual(faults, []);
    await page.close();
  });

  it('exports a dashboard as PNG', async () => {
    const { page, faults } = await portal.run.signIn('guest', portal.path('dashboards'));
    await page.getByRole('link', { name: 'Till', exact: true }).click();
    await page.getByRole('button', { name: 'Till as PNG' }).click();
    const picture = page.getByRole('img', { name: 'Image of Till' });
    await picture.waitFor();
    assert.ok(
      (await page.evaluate<number>(
        "document.querySelector('dialog img').decode().then(() => document.querySelector('dialog img').naturalWidth)",
      )) > 100,
    );
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Save' }).click(),
    ]);
    assert.deepEqual((await readFile(await download.path())).subarray(0, PNG.length), PNG);
    await assertForEveryone(page, 'a picture');
    assert.deepEqual(faults, []);
    await page.close();
  });

  it('narrows all charts by the values of variables, which the address keeps', async () => {
    const charts: string[] = [];
    for (const chart of [CHART, BY_SERVICE]) {
      const { body } = await portal.owner.post<{ id: string }>(`/admin/grids/${portal.gridId}/charts`, chart);
      charts.push(body.id);
    }
    const places = charts.map((chartId, at) => ({ chartId, position: { row: 0, col: 6 * at, width: 6, height: 4 } }));
    const board = { title: 'By service', charts: places };
    const made = await portal.owner.post<{ id: string }>(`/admin/grids/${portal.gridId}/dashboards`, board);
    const { page, faults } = await portal.run.signIn('member', portal.path(`dashboards/${made.body.id}`));
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Variables').fill('service, customer.tier');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    const choice = page.getByRole('group', { name: 'Variables' }).getByLabel('service');
    await choice.getByRole('option', { name: 'catalogue', exact: true }).waitFor({ state: 'attached' });
    await choice.selectOption('catalogue');
    await page.getByText('This chart shows checkout only.').waitFor();
    await assertForEveryone(page, 'a dashboard with variables');
    await page.reload();
    assert.equal(await choice.inputValue(), 'catalogue');
    const bars = page.getByRole('region', { name: BY_SERVICE.title });
    await bars.getByRole('button', { name: `Show ${BY_SERVICE.title} as table` }).click();
    await bars.getByRole('columnheader', { name: 'catalogue' }).waitFor();
    assert.equal(await bars.getByRole('columnheader').count(), 2);
    await choice.selectOption('');
    await bars.getByRole('columnheader', { name: 'checkout' }).waitFor();
    assert.deepEqual(faults, []);
    await page.close();
  });

  it('shows single values, top lists, tables and heatmaps', async () => {
    const spans = { signal: 'spans', where: 'kind = server' };
    const charts = [
      { title: 'How slow', chartType: 'value', metric: 'latency' },
      { title: 'Busiest', chartType: 'top_list', metric: 'request_rate', groupBy: 'service' },
      {
        ...{ title: 'By service', chartType: 'table', metric: 'query' },
        query: { ...spans, groupBy: ['service'], select: [{ fn: 'count' }, { fn: 'p99', field: 'duration' }] },
      },
      {
        ...{ title: 'Durations', chartType: 'heatmap', metric: 'query' },
        query: { ...spans, groupBy: ['durationBucket'], select: [{ fn: 'count' }] },
      },
    ];
    const places = [];
    for (const [at, chart] of charts.entries()) {
      const { status, body } = await portal.owner.post<{ id: string }>(`/admin/grids/${portal.gridId}/charts`, chart);
      assert.equal(status, 201, JSON.stringify(body));
      places.push({ chartId: body.id, position: { row: 0, col: 3 * at, width: 3, height: 4 } });
    }
    const board = { title: 'Figures', charts: places };
    const made = await portal.owner.post<{ id: string }>(`/admin/grids/${portal.gridId}/dashboards`, board);
    const { page, faults } = await portal.run.signIn('guest', portal.path(`dashboards/${made.body.id}`));
    const [value, top, table, heatmap] = charts.map(({ title }) => page.getByRole('region', { name: title }).first());
    await value.getByText('p99', { exact: true }).waitFor();
    await top.getByRole('listitem').filter({ hasText: 'checkout' }).waitFor();
    await table.getByRole('columnheader', { name: 'p99(duration)' }).waitFor();
    await table.getByRole('row').filter({ hasText: 'checkout' }).waitFor();
    await heatmap.getByRole('img', { name: /^Durations of [\d,]+ spans over time/ }).waitFor();
    await assertForEveryone(page, 'a dashboard of figures');
    await heatmap.getByRole('link', { name: 'Explore Durations' }).click();
    await page.getByText('Drag a rectangle over the spans of interest', { exact: false }).waitFor();
    assert.deepEqual(faults, []);
    await page.close();
  });
});

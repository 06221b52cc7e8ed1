import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { assertForEveryone } from './support/page-checks.js';
import { sharedPortal, type SharedPortal } from './support/shared-portal.js';

const CHART = { title: 'Failures of checkout', chartType: 'line', metric: 'error_rate', serviceName: 'checkout' };
const BOARD = 'Night watch';

describe('the portal in a browser: charts', function () {
  this.timeout(60_000);
  let portal: SharedPortal;
  let boardId: string;

  before(async function () {
    portal = await sharedPortal(this);
    const chart = await portal.owner.post(`/admin/grids/${portal.gridId}/charts`, CHART);
    assert.equal(chart.status, 201, JSON.stringify(chart.body));
    const charts = [{ chartId: (chart.body as { id: string }).id, position: { row: 0, col: 0, width: 6, height: 4 } }];
    const board = await portal.owner.post(`/admin/grids/${portal.gridId}/dashboards`, { title: BOARD, charts });
    assert.equal(board.status, 201, JSON.stringify(board.body));
    boardId = (board.body as { id: string }).id;
  });

  it('can be edited from a dashboard', async () => {
    const { page, faults } = await portal.run.signIn('member', portal.path(`dashboards/${boardId}`));
    await page.getByRole('link', { name: `Edit ${CHART.title}` }).click();
    const card = page.locator('section', { has: page.getByRole('heading', { name: 'Edit chart' }) });
    const title = card.getByLabel('Title');
    await title.waitFor();
    await assertForEveryone(page, 'a chart while it is changed');
    await title.fill('');
    await card.getByRole('button', { name: 'Save for all members' }).click();
    await card.locator('input[aria-invalid=true]').waitFor();
    faults.splice(0);
    await title.fill('Checkout, failing');
    await card.getByLabel('Chart type').selectOption('bar');
    await card.getByRole('button', { name: 'Save for all members' }).click();
    await page.getByRole('heading', { name: /^Checkout, failing/ }).waitFor();
    await card.waitFor({ state: 'detached' });
    await page.goto(portal.url(`dashboards/${boardId}`));
    await page.getByRole('heading', { name: /^Checkout, failing/ }).waitFor();
    assert.deepEqual(faults, []);
    await page.close();
  });

  it('overwrite a concurrent change only after confirmation', async () => {
    const opened = async (user: 'owner' | 'member'): Promise<{ readonly page: Page; readonly card: Locator }> => {
      const { page } = await portal.run.signIn(user, portal.path(`dashboards/${boardId}`));
      await page.getByRole('link', { name: 'Edit Checkout, failing' }).click();
      const card = page.locator('section', { has: page.getByRole('heading', { name: 'Edit chart' }) });
      await card.getByLabel('Title').waitFor();
      return { page, card };
    };
    const save = (card: Locator): Promise<void> => card.getByRole('button', { name: 'Save for all members' }).click();
    const [first, second, third] = [await opened('owner'), await opened('member'), await opened('member')];
    await first.card.getByLabel('Title').fill('Failing, says the first');
    await save(first.card);
    await first.card.waitFor({ state: 'detached' });
    await second.card.getByLabel('Title').fill('Failing, says the second');
    await save(second.card);
    await second.card.getByText('Another user has changed this chart').waitFor();
    await assertForEveryone(second.page, 'a chart that two people changed');
    await second.card.getByRole('button', { name: 'Discard my changes' }).click();
    await second.card.getByText('Another user has changed this chart').waitFor({ state: 'detached' });
    assert.equal(await second.card.getByLabel('Title').inputValue(), 'Failing, says the first');
    await third.card.getByLabel('Title').fill('Checkout, failing');
    await save(third.card);
    await third.card.getByRole('button', { name: 'Overwrite with my changes' }).click();
    await third.page.getByRole('heading', { name: /^Checkout, failing/ }).waitFor();
    await Promise.all([first, second, third].map(({ page }) => page.close()));
  });

  it('can be edited by Members only', async () => {
    const { page } = await portal.run.signIn('user', portal.path(`dashboards/${boardId}`));
    await page.locator('canvas').waitFor();
    assert.equal(await page.getByRole('link', { name: /^Edit / }).count(), 0);
    await page.close();
  });

  it('can be dragged and resized under the content security policy', async () => {
    const { page, faults } = await portal.run.signIn('member', portal.path(`dashboards/${boardId}?edit=1`));
    const placed = page.getByRole('region', { name: 'Checkout, failing', exact: true });
    await placed.getByText('Row 1, column 1, 6 wide, 4 tall').waitFor();
    const drag = async (what: Locator, right: number, down: number): Promise<void> => {
      // Visible and at rest: dragged charts are animated.
      await what.hover();
      const { x, y } = (await what.boundingBox())!;
      await page.mouse.move(x + 8, y + 8);
      await page.mouse.down();
      await page.mouse.move(x + 8 + right, y + 8 + down, { steps: 8 });
      await page.mouse.up();
    };
    await drag(placed.getByRole('heading'), 400, 0);
    await placed.getByText(/^Row 1, column [3-7], 6 wide, 4 tall/).waitFor();
    await drag(page.locator('.react-resizable-handle'), -200, -80);
    const place = await placed.getByText(/^Row 1, column [3-7], [2-5] wide, [23] tall/).innerText();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.reload();
    await placed.getByText(place).waitFor();
    assert.deepEqual(faults, []);
    await page.close();
  });

  it('keep a concurrent layout change unless it is overwritten', async () => {
    const [{ page: first }, { page: second }] = [
      await portal.run.signIn('owner', portal.path(`dashboards/${boardId}?edit=1`)),
      await portal.run.signIn('member', portal.path(`dashboards/${boardId}?edit=1`)),
    ];
    for (const [page, purpose] of [
      [first, 'by the first'],
      [second, 'by the second'],
    ] as const)
      await page.getByLabel('Description').fill(purpose);
    const save = { name: 'Save', exact: true };
    await first.getByRole('button', save).click();
    await first.getByText('Saved', { exact: true }).waitFor();
    await second.getByRole('button', save).click();
    await second.getByText('Another user has changed this dashboard').waitFor();
    await assertForEveryone(second, 'a dashboard that two people changed');
    await second.getByRole('button', { name: 'Discard my changes' }).click();
    await second.getByText('Another user has changed this dashboard').waitFor({ state: 'detached' });
    assert.equal(await second.getByLabel('Description').inputValue(), 'by the first');
    await second.getByLabel('Description').fill('by the second, knowing of the first');
    await second.getByRole('button', save).click();
    await second.getByText('Saved', { exact: true }).waitFor();
    await first.getByLabel('Description').fill('by the first, once more');
    await first.getByRole('button', save).click();
    await first.getByRole('button', { name: 'Overwrite with my changes' }).click();
    await first.getByText('Saved', { exact: true }).waitFor();
    await Promise.all([first.close(), second.close()]);
  });

  it('are deleted, like dashboards, only in the version that was shown or after confirmation', async () => {
    const { page } = await portal.run.signIn('member', portal.path(`dashboards/${boardId}`));
    const board = `/admin/grids/${portal.gridId}/dashboards/${boardId}`;
    const {
      title,
      charts: [{ chartId, position }],
    } = (await portal.owner.get<{ title: string; charts: [{ chartId: string; position: object }] }>(board)).body;
    await deleteMeanwhile(page, 'Delete', 'dashboard', () =>
      portal.owner.put(board, { title, description: 'changed meanwhile', charts: [{ chartId, position }] }),
    );
    await page.waitForURL((url) => url.pathname.endsWith('/dashboards'));
    assert.equal((await portal.owner.get(board)).status, 404);
    const chart = `/admin/grids/${portal.gridId}/charts/${chartId}`;
    await page.goto(portal.url(`metrics?metric=error_rate&chart=${chartId}`));
    await deleteMeanwhile(page, 'Delete chart', 'chart', () =>
      portal.owner.put(chart, { ...CHART, title: 'Changed meanwhile' }),
    );
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal((await portal.owner.get(chart)).status, 404);
    await page.close();
  });

  /** Deletes it after a conflict with a concurrent change and a confirmation. */
  async function deleteMeanwhile(
    page: Page,
    asked: string,
    thing: string,
    change: () => Promise<{ readonly status: number }>,
  ): Promise<void> {
    await page.getByRole('button', { name: asked, exact: true }).click();
    const dialog = page.getByRole('dialog', { name: `Delete this ${thing}?` });
    await dialog.locator('button:enabled', { hasText: /^Delete$/ }).waitFor();
    assert.equal((await change()).status, 200);
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog.getByText(`Another user has changed this ${thing}`).waitFor();
    await dialog.getByRole('button', { name: 'Delete anyway' }).click();
  }
});

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { KIND, type SpanFields, spanId, spansOf, STATUS, traceId } from '../support/otlp-requests.js';
import { assertForEveryone } from './support/page-checks.js';
import { PortalRun } from './support/portal-run.js';

/** Set to a folder, it receives pictures of the pages. */
const PICTURES = process.env.TRACE_PICTURES;
const TRACE = traceId(7);
/** A trace of nested calls. */
const DEEP_TRACE = traceId(8);
const DEPTH = 2_000;

interface Step {
  readonly id: number;
  readonly parent?: number;
  readonly service: string;
  readonly name: string;
  /** ms since the start of the trace. */
  readonly from: number;
  readonly to: number;
  readonly tier?: string;
  readonly hasFailed?: boolean;
}

/** A request that reads three prices one after the other, fails to charge, and books. */
const STEPS: readonly Step[] = [
  { id: 1, service: 'storefront', name: 'GET /buy', from: 0, to: 400 },
  { id: 2, parent: 1, service: 'checkout', name: 'POST /checkout', from: 20, to: 380, tier: 'gold' },
  ...[0, 1, 2].map((index) => ({
    ...{ id: 3 + index, parent: 2, service: 'prices', name: 'read price', from: 40 + 50 * index, to: 80 + 50 * index },
  })),
  { id: 6, parent: 2, service: 'payment', name: 'charge', from: 200, to: 360, hasFailed: true },
  { id: 7, parent: 6, service: 'payment', name: 'call bank', from: 210, to: 350, hasFailed: true },
  // Its clock lags.
  { id: 8, parent: 2, service: 'ledger', name: 'book', from: -5_000, to: -4_950, tier: 'silver' },
];

describe('the portal in a browser: search and flame graph of a trace', function () {
  this.timeout(120_000);
  let run: PortalRun;
  let address: string;
  let page: Page;
  let faults: string[];

  before(async function () {
    run = await PortalRun.start(this, { RATE_LIMIT_USER_PER_MINUTE: '0' });
    const { gridId, apiKey } = await run.service.bootstrap();
    const startMs = Date.now() - 120_000;
    const at = (ms: number): bigint => BigInt(startMs + ms) * 1_000_000n;
    const send = async (service: string, ...spans: readonly SpanFields[]): Promise<void> => {
      const response = await fetch(`${run.service.otlpHttpUrl}/v1/traces`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'api-key': apiKey },
        body: JSON.stringify(spansOf(service, ...spans)),
      });
      assert.equal(response.status, 200);
    };
    for (const { id, parent, service, name, from, to, tier, hasFailed = false } of STEPS)
      await send(service, {
        ...{ traceId: TRACE, spanId: spanId(id), name, kind: KIND.server, start: at(from), end: at(to) },
        ...(parent !== undefined && { parentSpanId: spanId(parent) }),
        ...(tier !== undefined && { attributes: [['basket.tier', tier]] as const }),
        ...(hasFailed && { status: { code: STATUS.error, message: 'declined' } }),
      });
    await send(
      'nested',
      ...Array.from({ length: DEPTH }, (_, level) => ({
        ...{ traceId: DEEP_TRACE, spanId: spanId(1_000 + level), name: `call ${level}`, kind: KIND.internal },
        ...{ start: at(0) + BigInt(level), end: at(1_000) - BigInt(level) },
        ...(level > 0 && { parentSpanId: spanId(999 + level) }),
      })),
    );
    address = `/portal/g/${gridId}/traces/${TRACE}`;
    ({ page, faults } = await run.signIn('guest', address));
    await rows()
      .nth(STEPS.length - 1)
      .waitFor();
  });
  after(() => run?.stop());
  afterEach(() => assert.deepEqual(faults, []));

  const rows = () => page.getByRole('list', { name: /^Spans, parents/ }).getByRole('listitem');
  const panel = () => page.getByRole('complementary', { name: 'Selected span' });
  const bar = () => page.getByRole('search', { name: 'Search in the trace' });
  const field = () => bar().getByRole('searchbox', { name: 'Find spans' });
  const says = (text: RegExp): Promise<void> => bar().getByRole('status').filter({ hasText: text }).waitFor();
  const open = async (query = ''): Promise<void> => {
    await page.goto(run.service.apiUrl + address + query);
    await page.getByRole('heading', { name: 'GET /buy' }).first().waitFor();
  };
  /** Wide and narrow, light and dark. */
  async function pictures(name: string): Promise<void> {
    if (PICTURES === undefined) return;
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1440, 390]) {
        await page.emulateMedia({ colorScheme });
        await page.reload();
        await page.getByRole('heading', { name: 'GET /buy' }).first().waitFor();
        await page.setViewportSize({ width, height: 900 });
        await page.screenshot({ path: `${PICTURES}/${name}-${width}-${colorScheme}.png`, fullPage: true });
      }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1440, height: 900 });
  }

  it('finds spans by name and service as one types, and moves between them by keyboard', async () => {
    await field().fill('PRICE');
    await says(/^3 spans match$/);
    assert.deepEqual(await page.locator('mark').allTextContents(), ['read price', 'read price', 'read price']);
    await field().press('Enter');
    await says(/^1 of 3 spans match$/);
    await panel().getByRole('heading', { name: 'read price' }).waitFor();
    await field().press('Shift+Enter');
    await says(/^3 of 3/);
    await page.getByRole('list', { name: /^Spans, parents/ }).focus();
    await page.keyboard.press('n');
    await says(/^1 of 3/);
    await assertForEveryone(page, 'a trace that was searched');
    await pictures('trace-search');
  });

  it('finds spans by a condition on attributes, and says what is wrong with one', async () => {
    await field().fill('basket.tier = gold');
    await says(/^Enter searches$/);
    await field().press('Enter');
    await says(/^1 span matches$/);
    assert.deepEqual(await page.locator('mark').allTextContents(), ['POST /checkout']);
    await page.reload();
    await says(/^1 span matches$/);
    await field().fill('basket.tier = silver');
    await field().press('Enter');
    await page.locator('mark').filter({ hasText: 'book' }).waitFor();
    await says(/^1 span matches$/);
    await field().fill('basket.tier = gold) or (service = payment');
    await field().press('Enter');
    await says(/^No span matches\. As a condition, the text is wrong at position 19: /);
    await field().fill('duration >');
    await field().press('Enter');
    await says(/^No span matches\. As a condition, the text is wrong at position 11: expected a value$/);
    await field().fill('duration > 5kb');
    await field().press('Enter');
    await says(/^The condition is wrong at position 12: expected a unit/);
    await says(/^The condition is wrong at position 12: /);
    faults.length = 0; // the browser reports the 400
    await field().press('Escape');
    await page.waitForURL((url) => !url.searchParams.has('find'));
    assert.equal(await field().inputValue(), '');
  });

  it('finds the spans with errors from their number, also in parts that are collapsed', async () => {
    await open(`?folded=${spanId(1)}`);
    await rows().first().waitFor();
    assert.equal(await rows().count(), 1);
    await page.getByTitle('Find the spans with errors').click();
    await says(/^2 spans match$/);
    await bar().getByRole('button', { name: 'Next match' }).click();
    await panel().getByRole('heading', { name: 'charge' }).waitFor();
    await rows()
      .nth(STEPS.length - 1)
      .waitFor();
  });

  it('draws a flame graph, walked and zoomed by keyboard, and the same as a table', async () => {
    await open();
    await page.getByRole('button', { name: 'Flame graph' }).click();
    const tree = page.getByRole('tree', { name: /^Flame graph/ });
    const frame = (name: RegExp) => tree.getByRole('treeitem', { name });
    await frame(/^GET \/buy storefront: 1 span, 430 ms of work, 40 ms of its own$/).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    assert.match(
      (await page.locator(':focus').getAttribute('aria-label')) ?? '',
      /^read price prices: 3 spans, 120 ms/,
    );
    assert.equal(await tree.getByRole('treeitem').count(), 6);
    await field().fill('price');
    await assertForEveryone(page, 'a flame graph');
    await pictures('flame');
    await frame(/^read price prices/).focus();
    await page.keyboard.press('Enter');
    await frame(/payment/)
      .first()
      .waitFor({ state: 'detached' });
    assert.equal(await tree.getByRole('treeitem').count(), 3);
    await page.keyboard.press('Escape');
    await frame(/^charge payment: 1 span, 160 ms of work, 20 ms of its own, 1 with errors/).waitFor();
    await page.getByText('As a table').click();
    const table = page.getByRole('region', { name: 'Frames of the flame graph' }).locator('tbody tr');
    assert.equal(await table.count(), 6);
    assert.match((await table.nth(2).innerText()).replace(/\s+/g, ' '), /call bank|charge/);
    await frame(/^read price prices/).click();
    await page.getByRole('button', { name: 'Show in waterfall' }).click();
    await panel().getByRole('heading', { name: 'read price' }).waitFor();
  });

  it('draws only the levels in view of a deep trace, and keeps one frame that takes the focus', async () => {
    await page.goto(`${run.service.apiUrl}${address.replace(TRACE, DEEP_TRACE)}?show=flame`);
    const tree = page.getByRole('tree', { name: /^Flame graph/ });
    const items = tree.getByRole('treeitem');
    await tree.getByRole('treeitem', { name: /^call 0 nested: 1 span, 1 s of work/ }).focus();
    assert.ok((await items.count()) < 100, `${await items.count()} frames`);
    await tree.evaluate((element) => element.parentElement!.scrollTo(0, element.clientHeight));
    await tree.getByRole('treeitem', { name: new RegExp(`^call ${DEPTH - 1} `) }).dblclick();
    assert.equal(await tree.locator('[tabindex="0"]').count(), 1);
    await page.keyboard.press('Escape');
    await tree.evaluate((element) => element.parentElement!.scrollTo(0, 0));
    await tree.getByRole('treeitem', { name: /^call 0 / }).waitFor();
    await page.keyboard.press('ArrowUp');
    assert.match((await page.locator(':focus').getAttribute('aria-label')) ?? '', new RegExp(`^call ${DEPTH - 2} `));
    assert.ok((await items.count()) < 100, `${await items.count()} frames`);
  });
});

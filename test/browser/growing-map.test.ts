import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { waitUntil } from '../support/wait-until.js';
import { withPage } from './support/shared-page.js';
import type { SharedPortal } from './support/shared-portal.js';

const FEW = ['frontend', 'checkout', 'inventory'];
const MANY = [...FEW, ...Array.from({ length: 12 }, (_, index) => `backend-${index}`)];

describe('the portal in a browser: a growing service map', function () {
  this.timeout(60_000);
  let portal: SharedPortal;
  let page: Page;

  withPage('user', (opened) => ({ portal, page } = opened));
  before(async () => {
    await page.route('**/stream?*', (route) =>
      route.fulfill({ contentType: 'text/event-stream', body: 'retry: 60000\n\n' }),
    );
    await page.route(/\/apm\/diagnostics\/[^/]+\/services(\?|$)/, (route) =>
      route.fulfill({ json: mapOf(new URL(route.request().url()).searchParams.has('asOf') ? MANY : FEW) }),
    );
    await page.route(/\/apm\/diagnostics\/[^/]+\/health(\?|$)/, (route) =>
      route.fulfill({
        json: { overallStatus: 'healthy', recentStatus: 'unknown', timestamp: new Date().toISOString(), services: [] },
      }),
    );
  });
  beforeEach(async () => {
    await page.goto(portal.url('map?show=map'));
    await drawn(FEW);
    await page.mouse.move(0, 0);
  });

  const drawn = (names: readonly string[]): Promise<void> =>
    waitUntil(async () => (await page.locator('.react-flow__node').count()) === names.length, 'all are drawn');
  const areAllInSight = (): Promise<boolean> =>
    page.evaluate<boolean>(`(() => {
    const { top, bottom, left, right } = document.querySelector('.react-flow').getBoundingClientRect();
    return [...document.querySelectorAll('.react-flow__node')].every((node) => { const at = node.getBoundingClientRect(); return at.top >= top && at.bottom <= bottom && at.left >= left && at.right <= right; });
  })()`);
  /** At another moment there are more nodes. */
  const grow = async (): Promise<void> => {
    await page.getByRole('slider').focus();
    await page.keyboard.press('ArrowLeft');
    await drawn(MANY);
  };

  it('refits when nodes appear', async () => {
    await waitUntil(areAllInSight, 'the first are in sight');
    await grow();
    await waitUntil(areAllInSight, 'those that came are in sight, too');
  });

  it('keeps a manual zoom until it is refitted', async () => {
    await page.getByRole('button', { name: 'Zoom In' }).click();
    await page.getByRole('button', { name: 'Zoom In' }).click();
    await page.mouse.move(0, 0);
    const scale = (): Promise<string> =>
      page.evaluate<string>("document.querySelector('.react-flow__viewport').style.transform");
    const zoomed = await settled(scale);
    await grow();
    assert.equal(await settled(scale), zoomed);
    await page.getByRole('button', { name: 'Fit View' }).click();
    await waitUntil(areAllInSight, 'all are in sight again');
  });

  it('shows call labels only while they are legible', async () => {
    const labels = page.getByText('/s · 5 ms');
    await waitUntil(async () => (await labels.count()) === FEW.length - 1, 'calls have figures');
    await grow();
    await waitUntil(areAllInSight, 'all are in sight');
    // Edges and their labels are rendered together.
    await waitUntil(
      async () => (await page.locator('.react-flow__edge').count()) === MANY.length - 1,
      'all calls are drawn',
    );
    assert.equal(await labels.count(), 0);
  });
});

/** A value after it has stayed the same for two frames. */
async function settled(read: () => Promise<string>): Promise<string> {
  let last = await read();
  await waitUntil(async () => {
    const before = last;
    return (last = await read()) === before;
  }, 'the map rests');
  return last;
}

const mapOf = (names: readonly string[]): object => ({
  services: names.map((name) => ({
    name,
    type: 'SERVER',
    status: 'healthy',
    recentStatus: 'healthy',
    requestCount: 100,
    errorRate: 0,
  })),
  edges: names
    .slice(1)
    .map((target) => ({ source: names[0], target, requestCount: 100, errorRate: 0, avgLatencyMs: 5 })),
});

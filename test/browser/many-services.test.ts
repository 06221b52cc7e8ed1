import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { waitUntil } from '../support/wait-until.js';
import { hasArrived } from './support/page-checks.js';
import { withPage } from './support/shared-page.js';
import type { SharedPortal } from './support/shared-portal.js';

const COUNT = 70;
/** Number of nodes that the map draws of large graphs. */
const DRAWN = 60;
const NAMES = Array.from(
  { length: COUNT },
  (_, index) => `payments-settlement-reconciliation-worker-${String(index).padStart(3, '0')}`,
);

describe('the portal in a browser: a Grid with many services of long names', function () {
  this.timeout(60_000);
  let portal: SharedPortal;
  let page: Page;

  withPage('user', (opened) => ({ portal, page } = opened));
  before(async () => {
    await page.route('**/stream?*', (route) =>
      route.fulfill({ contentType: 'text/event-stream', body: 'retry: 60000\n\n' }),
    );
    await page.route(/\/apm\/diagnostics\/[^/]+\/services(\?|$)/, (route) =>
      route.fulfill({ json: mapOf(new URL(route.request().url())) }),
    );
    await page.route(/\/apm\/diagnostics\/[^/]+\/health(\?|$)/, (route) => route.fulfill({ json: HEALTH }));
  });

  const drawn = async (): Promise<readonly string[]> =>
    (
      await page.evaluate<string[]>(
        "[...document.querySelectorAll('.react-flow__node')].map(({ dataset }) => dataset.id)",
      )
    ).sort();
  const draws = (names: readonly string[], what: string): Promise<void> =>
    waitUntil(async () => JSON.stringify(await drawn()) === JSON.stringify(names), what);

  it('draws the busiest services of each time, and all of them on request', async () => {
    await page.goto(portal.url('map?show=map'));
    await draws(NAMES.slice(-DRAWN), 'the busiest of now are drawn');
    await page.getByRole('slider').focus();
    await page.keyboard.press('ArrowLeft');
    await page.getByText(/^Map as of /).waitFor();
    await draws(NAMES.slice(0, DRAWN), 'the busiest of then are drawn');
    await page.getByRole('button', { name: 'Back to now' }).click();
    await draws(NAMES.slice(-DRAWN), 'the busiest of now are drawn again');
    await page
      .getByText(`${DRAWN} of ${COUNT} services: root causes and degraded services first, then the busiest.`)
      .waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await draws(NAMES, 'all are drawn');
    assert.equal(await page.getByText(`${DRAWN} of ${COUNT}`).count(), 0);
  });

  it('shows all columns of the overview, also if all services are degraded', async () => {
    await page.route(/\/apm\/diagnostics\/[^/]+\/health(\?|$)/, (route) =>
      route.fulfill({
        json: {
          ...HEALTH,
          services: HEALTH.services.map((service) => ({ ...service, status: 'degraded', recentStatus: 'degraded' })),
        },
      }),
    );
    await page.goto(portal.url('overview'));
    await hasArrived(page, 'the overview');
    const table = page.getByRole('region', { name: 'Services' });
    assert.ok(await table.getByRole('columnheader', { name: 'Apdex' }).isVisible());
    assert.equal(
      await table.evaluate<number, { readonly scrollWidth: number; readonly clientWidth: number }>(
        ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
      ),
      0,
    );
    assert.equal(await table.getByRole('link').first().getAttribute('title'), NAMES[0]);
  });
});

const HEALTH = {
  overallStatus: 'healthy',
  recentStatus: 'healthy',
  timestamp: new Date().toISOString(),
  services: NAMES.map((serviceName) => ({
    serviceName,
    status: 'healthy',
    recentStatus: 'healthy',
    errorRate: 0,
    apdex: 1,
    requestCount: 123_456,
    avgLatencyMs: 123,
  })),
};

/** Rates grow with the name now and fall with it in the past, by less than a factor of two. */
function mapOf({ searchParams }: URL): object {
  const rankOf = (index: number): number => (searchParams.has('asOf') ? COUNT - index : index);
  return {
    services: NAMES.map((name, index) => ({
      name,
      type: 'SERVER',
      requestCount: 1_000 + rankOf(index),
      errorRate: 0,
      recentStatus: 'healthy',
    })),
    edges: [],
  };
}

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { waitUntil } from '../support/wait-until.js';
import { FailedOrder } from './support/failed-order.js';
import { layoutShifts, recordLayoutShifts } from './support/layout-shifts.js';
import { hasArrived } from './support/page-checks.js';
import { DESK } from './support/portal-run.js';
import { withPage } from './support/shared-page.js';
import type { SharedPortal } from './support/shared-portal.js';

/** Cumulative layout shift; up to 0.1 counts as good (https://web.dev/articles/cls). */
const MAX_SHIFTED = 0.002;
/** Responses are delayed at random by up to this (ms), so that they arrive in another order. */
const SPREAD_MS = 400;
const PRESSED = {
  type: 'cpu',
  serviceName: 'catalogue',
  resource: 'till-pool',
  utilization: 99,
  capacity: 100,
  queueDepth: 0,
  severity: 'critical',
  detectedAt: new Date().toISOString(),
};
const CAUSE = {
  cause: 'The till fails',
  confidence: 0.9,
  severity: 'critical',
  affectedServices: ['catalogue'],
  evidence: ['one in two requests fails'],
  firstDetected: PRESSED.detectedAt,
  impactedTraceCount: 7,
  serviceName: 'catalogue',
  kind: 'errors',
  sampleTraceIds: [],
};
const ALERT = {
  id: 'till',
  ruleName: 'The till',
  severity: 'critical',
  serviceName: 'catalogue',
  condition: 'error_rate > 5%',
  currentValue: 50,
  triggeredAt: PRESSED.detectedAt,
  status: 'firing',
};
const EVENT = {
  timestamp: PRESSED.detectedAt,
  type: 'alert',
  description: 'The till fires',
  serviceName: 'catalogue',
  severity: 'critical',
};
const PHONE = { width: 390, height: 844 };
const PAGES = [
  'overview',
  'diagnosis',
  'map',
  'map?show=list',
  'services/checkout',
  'explore',
  'explore?signal=spans&by=service&select=count&show=series',
  'explore?signal=spans&show=heatmap',
  'traces',
  'traces?service=checkout&status=ERROR',
  `traces/${FailedOrder.traceId}`,
  `traces/${FailedOrder.traceId}?span=${FailedOrder.spans.checkout}`,
  'logs',
  'logs?service=checkout&severity=Error',
  'errors',
  'metrics',
  'metrics?metric=error_rate&service=checkout',
  'dashboards',
  'changes',
  'compare',
  'alerts',
  'incidents',
  'alerts?tab=rules',
  'objectives',
  ...['channels', 'routes', 'silences', 'deliveries'].map((tab) => `notifications?tab=${tab}`),
  'assistant',
  'usage',
  ...['instrument', 'keys', 'members', 'settings', 'audit'].map((tab) => `administration?tab=${tab}`),
];

/** Content must not move under the pointer while the user is about to click. */
describe('the portal in a browser: layout stability', function () {
  this.timeout(60_000);
  let portal: SharedPortal;
  let page: Page;

  withPage('owner', (opened) => ({ portal, page } = opened));
  before(async () => {
    await FailedOrder.record(portal);
    await recordLayoutShifts(page);
  });
  afterEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }));

  for (const name of PAGES) {
    it(`while loading: ${name}`, () => assertStays(name));
  }

  for (const name of ['overview', 'diagnosis', 'services/checkout', 'traces', 'logs']) {
    it(`while loading on a phone: ${name}`, async () => {
      await page.setViewportSize(PHONE);
      await assertStays(name);
      await page.setViewportSize(DESK);
    });
  }

  it('of an operation that is clicked while the charts above it load', async () => {
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/apm/charts/**', async (route) => {
      await answered;
      await route.continue();
    });
    await page.goto(portal.url('services/checkout'));
    const operation = page
      .getByRole('region', { name: 'Operations, slowest first' })
      .getByRole('link', { name: 'POST /checkout' });
    await operation.hover();
    const before = await operation.boundingBox();
    await page.mouse.down();
    answer();
    await page.locator('canvas').nth(2).waitFor();
    await hasArrived(page, 'the service');
    assert.deepEqual(await operation.boundingBox(), before);
    await page.mouse.up();
    await page.waitForURL(
      (url) => url.pathname.endsWith('/traces') && url.searchParams.get('operation') === 'POST /checkout',
    );
  });

  it('of a hovered service while others get worse', async () => {
    const { body: health } = await portal.owner.get<{ services: readonly { readonly serviceName: string }[] }>(
      `/apm/diagnostics/${portal.gridId}/health`,
    );
    const other = {
      ...health,
      services: health.services.map((one) => ({
        ...one,
        status: one.serviceName === 'catalogue' ? 'degraded' : 'healthy',
        recentStatus: one.serviceName === 'catalogue' ? 'degraded' : 'healthy',
      })),
    };
    const report = await streams({ health: other });
    await page.goto(portal.url('overview'));
    await hasArrived(page, 'the overview');
    const rows = page.getByRole('region', { name: 'Services' }).getByRole('row');
    const link = rows.nth(1).getByRole('link', { name: 'checkout' });
    await link.hover();
    const before = await link.boundingBox();
    report();
    await rows.filter({ hasText: 'catalogue' }).getByText('Degraded').waitFor();
    assert.deepEqual(await link.boundingBox(), before);
    await page.mouse.move(0, 0);
    await rows.nth(1).getByRole('link', { name: 'catalogue' }).waitFor();
  });

  for (const [where, window] of [
    ['a desk', DESK],
    ['a phone', PHONE],
  ] as const) {
    it(`of a hovered service on ${where} while a cause, an alert and pressure appear, which are announced`, async () => {
      await page.setViewportSize(window);
      const comeUp = await calmAtFirst();
      const link = page.getByRole('region', { name: 'Services' }).getByRole('link', { name: 'checkout' });
      await link.hover();
      const [before, shifts] = [await link.boundingBox(), await layoutShifts(page)];
      comeUp();
      const news = page.getByRole('button', { name: 'Show 1 new cause, 1 new alert, 1 new resource under pressure' });
      await news.waitFor();
      assert.deepEqual(await link.boundingBox(), before);
      assert.deepEqual(await layoutShifts(page), shifts);
      await news.click();
      for (const heading of ['Most likely cause', 'Open alerts', 'Resource pressure'])
        await page.getByRole('heading', { name: heading }).waitFor();
      await news.waitFor({ state: 'detached' });
      await page.setViewportSize(DESK);
    });
  }

  it('is not enforced without hovering: new findings appear by themselves', async () => {
    const comeUp = await calmAtFirst();
    await page.mouse.move(0, 0);
    comeUp();
    await page.getByRole('heading', { name: 'Most likely cause' }).waitFor();
    assert.equal(await page.getByRole('button', { name: /^Show \d+ new/ }).count(), 0);
  });

  it('of tabs and links beside the selected one', async () => {
    await page.setViewportSize(PHONE);
    await page.goto(portal.url('alerts'));
    await hasArrived(page, 'alerts');
    const widths = (): Promise<readonly number[]> =>
      page.evaluate<number[]>(
        "[...document.querySelectorAll('nav a, [role=tab]')].map((each) => each.getBoundingClientRect().width)",
      );
    const before = await widths();
    await page.getByRole('tab', { name: 'Rules' }).click();
    await page.getByRole('tab', { name: 'Rules', selected: true }).waitFor();
    assert.deepEqual(await widths(), before);
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
    assert.deepEqual(await widths(), before.slice(0, -2));
    await page.setViewportSize(DESK);
  });

  it('of a hovered cause while it ends, unless the time view changes', async () => {
    const report = await streams({ diagnosis: { diagnoses: [] }, pressure: { pressurePoints: [PRESSED] } });
    await page.goto(portal.url('diagnosis'));
    const evidence = page
      .getByRole('region', { name: 'Causes' })
      .getByRole('link', { name: 'Compare before and after' })
      .first();
    await evidence.hover();
    report();
    await page.getByText(PRESSED.resource).waitFor();
    assert.ok(await evidence.isVisible());
    await page.mouse.move(0, 0);
    await page.getByText('No problems found').waitFor();
    await page.unrouteAll();
    await page.reload();
    await evidence.hover();
    await page.route('**/diagnosis?*', (route) => route.fulfill({ json: { diagnoses: [] } }));
    await page.getByLabel('Time range').selectOption('1h');
    await page.getByText('No problems found').waitFor();
  });

  /** Opens the overview of a healthy Grid; the returned function makes findings appear. */
  async function calmAtFirst(): Promise<() => void> {
    await page.route(/\/apm\/diagnostics\/[^/]+\/(diagnosis|alerts|pressure|timeline)(\?|$)/, (route) =>
      route.fulfill({ json: { diagnoses: [], alerts: [], pressurePoints: [], events: [] } }),
    );
    const report = await streams({
      diagnosis: { diagnoses: [CAUSE] },
      alerts: { alerts: [ALERT] },
      pressure: { pressurePoints: [PRESSED] },
      timeline: { events: [EVENT] },
    });
    await page.goto(portal.url('overview'));
    await hasArrived(page, 'the overview');
    assert.equal(await page.getByRole('heading', { name: 'Most likely cause' }).count(), 0);
    return report;
  }

  /** Makes the stream send updates of topics and end when the returned function is called; later requests get the same data. */
  async function streams(news: Readonly<Record<string, object>>): Promise<() => void> {
    const events = Object.entries(news).map(([topic, data]) => `event: ${topic}\ndata: ${JSON.stringify(data)}\n\n`);
    let [isReported, say] = [false, (): void => undefined];
    const reported = new Promise<void>((resolve) => {
      say = resolve;
    });
    for (const [topic, data] of Object.entries(news))
      await page.route(
        (url) => url.pathname.endsWith(`/${topic}`),
        (route) => (isReported ? route.fulfill({ json: data }) : route.fallback()),
      );
    await page.route('**/stream?*', async (route) => {
      await reported;
      await route.fulfill({ contentType: 'text/event-stream', body: `retry: 60000\n${events.join('')}` });
    });
    return () => {
      isReported = true;
      say();
    };
  }

  async function assertStays(name: string): Promise<void> {
    const isAnswered = await answersOutOfOrder();
    await page.goto(portal.url(name));
    await waitUntil(isAnswered, `${name} has all answers`);
    await hasArrived(page, name);
    const shifts = await layoutShifts(page);
    assert.ok(shifts.reduce((sum, { value }) => sum + value, 0) < MAX_SHIFTED, JSON.stringify(shifts, null, 2));
  }

  /** Whether all requests so far have been answered. */
  async function answersOutOfOrder(): Promise<() => boolean> {
    let [asked, answered] = [0, 0];
    await page.route(/\/(apm|admin|assistant)\/(?!.*stream)/, async (route) => {
      const lateMs = ((asked++ * 0.618) % 1) * SPREAD_MS;
      const response = await route.fetch();
      await new Promise((resolve) => setTimeout(resolve, lateMs));
      await route.fulfill({ response });
      answered++;
    });
    return () => asked > 0 && answered === asked;
  }
});

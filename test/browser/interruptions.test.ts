import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { waitUntil } from '../support/wait-until.js';
import { PortalRun } from './support/portal-run.js';

const STREAM = '**/apm/diagnostics/*/stream?*';

describe('the portal in a browser: interruptions', function () {
  this.timeout(120_000);
  let run: PortalRun;
  let grid: string;

  before(async function () {
    run = await PortalRun.start(this);
    grid = (await run.service.bootstrap()).gridId;
  });
  // Undefined if the suite was skipped.
  after(() => (run as PortalRun | undefined)?.stop());

  const pulse = (page: Page, word: string): Locator =>
    page.getByRole('banner').getByRole('status').filter({ hasText: word });
  /** Uses a separate browser context, since the test changes its session. */
  const enter = async (page: Page, name: string): Promise<void> => {
    const query = new URLSearchParams({ user: 'owner', return: `/portal/g/${grid}/${name}` });
    await page.goto(`${run.url}sign-in?${query.toString()}`);
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  };
  const visit = async (name: string): Promise<Page> => {
    const { page } = await run.visitor();
    await enter(page, name);
    return page;
  };

  it('shows no health for an empty Grid', async () => {
    const page = await visit('diagnosis');
    await page.getByRole('heading', { name: 'No data to diagnose' }).waitFor();
    await page.goto(`${run.url}g/${grid}/compare`);
    await page.getByText('No requests in either time range.').nth(1).waitFor();
    await page.context().close();
  });

  it('reopens a rejected stream', async () => {
    const { page } = await run.visitor();
    let [isRefused, refused] = [true, 0];
    await page.route(STREAM, async (route) => {
      if (!isRefused) return route.continue();
      refused++;
      await route.fulfill({ status: 503 });
    });
    await enter(page, 'overview');
    await waitUntil(() => refused > 0, 'a stream is refused');
    await pulse(page, 'Connecting').waitFor();
    isRefused = false;
    await pulse(page, 'Live').waitFor();
    await page.context().close();
  });

  for (const [name, title] of [
    ['overview', 'Overview'],
    ['administration?tab=settings', 'Administration'],
  ] as const) {
    it(`shows since when the service is unreachable, keeps the data, and recovers: ${name}`, () =>
      goesSilent(name, title));
  }

  /** Also on pages that do not poll. */
  async function goesSilent(name: string, title: string): Promise<void> {
    const page = await visit(name);
    await pulse(page, 'Live').waitFor();
    const heading = page.getByRole('heading', { level: 1, name: title });
    await heading.waitFor();
    const before = await heading.boundingBox();
    const port = new URL(run.service.apiUrl).port;
    await run.service.signal('SIGTERM');
    await page.getByRole('alert').filter({ hasText: 'has not responded since' }).waitFor({ timeout: 30_000 });
    await pulse(page, 'Offline').waitFor();
    assert.ok(await heading.isVisible());
    assert.deepEqual(await heading.boundingBox(), before);
    await run.service.start({ HTTP_PORT: port });
    await pulse(page, 'Live').waitFor({ timeout: 30_000 });
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.context().close();
  }

  it('asks to sign in again when the session ends on an open page', async () => {
    const page = await visit('overview');
    await page.context().clearCookies();
    // The token has expired with it.
    await page.route('**/apm/**', (route) =>
      route.fulfill({
        status: 401,
        contentType: 'application/problem+json',
        body: '{"status":401,"title":"Unauthorized"}',
      }),
    );
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Metrics' }).click();
    await page.getByRole('link', { name: 'Sign in as owner' }).waitFor();
    await page.unroute('**/apm/**');
    await page.getByRole('link', { name: 'Sign in as owner' }).click();
    await page.waitForURL(`**/portal/g/${grid}/metrics*`);
    await page.context().close();
  });

  it('fetches a new token after one was rejected', async () => {
    const page = await visit('overview');
    let refused = 0;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.route(/\/apm\/dashboards\//, async (route) => {
      if (refused > 0) return route.continue();
      refused++;
      await route.fulfill({
        status: 401,
        contentType: 'application/problem+json',
        body: '{"status":401,"title":"Unauthorized"}',
      });
    });
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Dashboards' }).click();
    await waitUntil(() => asked.includes('/portal/session'), 'the session is asked again');
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'New dashboard' }).first().waitFor();
    await page.context().close();
  });
});

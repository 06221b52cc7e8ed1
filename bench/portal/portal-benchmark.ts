import assert from 'node:assert/strict';
import { PortalRun } from '../../test/browser/support/portal-run.js';
import type { Measurement } from '../measurement-table.js';
import { measureFirstView } from './first-view.js';
import { measureScroll } from './scroll-frames.js';
import { recordFixture, ROWS, TRACE_ID } from './portal-fixture.js';

/** A page with only rows, all in the DOM: the limit of this browser on this machine. */
const PLAIN = `<div role="list" style="height: 62vh; overflow: auto">${Array.from({ length: ROWS }, (_, row) => `<div role="listitem" aria-setsize="${ROWS}" style="height: 30px">storefront step ${row}</div>`).join('')}</div>`;

/** Performance of the portal in Chromium: its first view, and its frames while 10,000 rows are scrolled. */
export async function run(): Promise<Measurement[]> {
  const noBrowser = { skip: (): never => assert.fail('needs /usr/bin/chromium') };
  const portal = await PortalRun.start(noBrowser, { RATE_LIMIT_USER_PER_MINUTE: '0', RATE_LIMIT_GRID_PER_MINUTE: '0' });
  try {
    const pages = `/portal/g/${await recordFixture(portal.service)}`;
    return [
      ...(await measureFirstView(portal, `${pages}/overview`)),
      await measurePlainList(portal),
      ...(await measureTracePage(portal, `${pages}/traces/${TRACE_ID}`)),
      ...(await measureLogsPage(portal, `${pages}/logs`)),
    ];
  } finally {
    await portal.stop();
  }
}

async function measurePlainList(portal: PortalRun): Promise<Measurement> {
  const { page } = await portal.visitor();
  await page.setContent(PLAIN);
  const row = await measureScroll(page, page.getByRole('list'), 'down', `limit: ${ROWS} plain rows`);
  await page.context().close();
  return row;
}

async function measureTracePage(portal: PortalRun, path: string): Promise<Measurement[]> {
  const { page } = await portal.signIn('owner', path);
  const list = page.getByRole('list', { name: /^Spans, a parent/ });
  await list.locator(`[aria-setsize="${ROWS}"]`).first().waitFor();
  const rows = [
    await measureScroll(page, list, 'down', `trace of ${ROWS} spans, down`),
    await measureScroll(page, list, 'up', '… up'),
  ];
  await page.close();
  return rows;
}

/** Scrolling down loads pages of a hundred rows; scrolling up finds all of them loaded. */
async function measureLogsPage(portal: PortalRun, path: string): Promise<Measurement[]> {
  const { page } = await portal.signIn('owner', path);
  const list = page.getByRole('list', { name: /^Log entries/ });
  await list.getByRole('listitem').first().waitFor();
  const rows = [
    await measureScroll(page, list, 'down', `${ROWS} log entries, down as they are fetched`),
    await measureScroll(page, list, 'up', '… up'),
  ];
  await page.close();
  return rows;
}

import type { Page } from 'playwright-core';
import { sharedPortal, type SharedPortal } from './support/shared-portal.js';

/** The number of connections that browsers open per host over HTTP/1.1. */
const TABS = 6;
/** Headless Chromium reports all of its pages as visible. */
const visibility = (isHidden: boolean): string =>
  `Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} }); document.dispatchEvent(new Event('visibilitychange'))`;

describe('the portal in a browser: many tabs', function () {
  this.timeout(60_000);
  let portal: SharedPortal;

  before(async function () {
    portal = await sharedPortal(this);
  });

  it('keeps a connection for the visible tab, and resumes when a tab becomes visible again', async () => {
    const { page: first } = await portal.run.visitor();
    await portal.run.enter(first, 'user', portal.path('usage'));
    const tabs = [first];
    for (let tab = 1; tab < TABS; tab++) {
      await hide(tabs.at(-1)!);
      tabs.push(await first.context().newPage());
      await tabs.at(-1)!.goto(portal.url('usage'));
    }
    await hide(tabs.at(-1)!);
    const last = await first.context().newPage();
    await last.goto(portal.url('overview'));
    await isLive(last);
    await first.evaluate(visibility(false));
    await isLive(first);
    await first.context().close();
  });

  async function hide(page: Page): Promise<void> {
    await isLive(page);
    await page.evaluate(visibility(true));
    await page.getByRole('banner').getByText('Connecting', { exact: true }).waitFor();
  }

  const isLive = (page: Page): Promise<void> => page.getByRole('banner').getByText('Live', { exact: true }).waitFor();
});

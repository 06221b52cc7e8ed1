import type { Page } from 'playwright-core';
import { PortalRun } from './portal-run.js';

/** What is printed of each page (characters), and how long is waited for it (ms). */
const MAX_CHARACTERS = 3_000;
const TEXT_MS = 5_000;

/** Mocha's root hooks: after a failed test the pages that are open are printed, since nobody saw them. */
export const mochaHooks = {
  async afterEach(this: Mocha.Context): Promise<void> {
    if (this.currentTest?.state !== 'failed') return;
    for (const { pages } of PortalRun.open) for (const page of pages) await printPage(page);
  },
};

async function printPage(page: Page): Promise<void> {
  // A hook that fails ends all suites, so a page that cannot be read is said instead.
  const text = await page
    .locator('body')
    .innerText({ timeout: TEXT_MS })
    .catch((error: unknown) => `nothing: ${String(error)}`);
  console.log(`${page.url()} showed:\n${text.slice(0, MAX_CHARACTERS)}`);
}

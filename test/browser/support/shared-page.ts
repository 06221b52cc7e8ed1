import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { PortalUser } from './portal-run.js';
import { sharedPortal, type SharedPortal } from './shared-portal.js';

/** A user's page, in the recorded shop. */
export interface SharedPage {
  readonly portal: SharedPortal;
  readonly page: Page;
}

/**
 * For a suite whose tests look at one page after the other: it is opened before them, told to `tell`, and closed after them.
 * Each test fails by what the console of the browser called an error meanwhile.
 */
export function withPage(user: PortalUser, tell: (opened: SharedPage) => void): void {
  let page: Page | undefined;
  let faults: string[] = [];
  before(async function () {
    const portal = await sharedPortal(this);
    ({ page, faults } = await portal.run.signIn(user, portal.path('usage')));
    tell({ portal, page });
  });
  // Undefined where the suite was skipped.
  after(() => page?.close());
  afterEach(() => assert.deepEqual(faults.splice(0), []));
}

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { PortalUser } from './portal-run.js';
import { sharedPortal, type SharedPortal } from './shared-portal.js';

/** A user's page with the recorded shop. */
export interface SharedPage {
  readonly portal: SharedPortal;
  readonly page: Page;
}

/** Opens a page before the tests of a suite, passes it to `onOpened`, and closes it after them.
 * A test fails if the browser console reported errors.
 */
export function withPage(user: PortalUser, onOpened: (opened: SharedPage) => void): void {
  let page: Page | undefined;
  let faults: string[] = [];
  before(async function () {
    const portal = await sharedPortal(this);
    ({ page, faults } = await portal.run.signIn(user, portal.path('usage')));
    onOpened({ portal, page });
  });
  // Undefined if the suite was skipped.
  after(() => page?.close());
  afterEach(() => assert.deepEqual(faults.splice(0), []));
}

import { build } from './build.mjs';
import { bundle } from './bundle.mjs';
import { dependenciesMatch, installDependencies } from './dependencies.mjs';
import { requireNode } from './node-version.mjs';
import { buildPortal } from './portal.mjs';

/**
 * Makes a checkout ready to run: installs what the lock file says where it is not installed, and builds what has changed.
 * Ends the process with one line where that fails.
 */
export async function prepareCheckout({ forTests = false } = {}) {
  requireNode(forTests);
  if (!dependenciesMatch()) await installDependencies();
  await build();
  await bundle();
  await buildPortal();
}

/**
 * Makes a checkout ready to run: installs what the lock file says where it is not installed, and builds.
 * Runs before start, test and every check, so it must be fast when there is nothing to do, and needs only Node and npm.
 * `--tests`: asks for the Node that the tests need.
 */
import { installDependencies, dependenciesMatch } from './prepare/dependencies.mjs';
import { build } from './prepare/build.mjs';
import { buildPortal } from './prepare/portal.mjs';
import { requireNode } from './prepare/node-version.mjs';

requireNode(process.argv.includes('--tests'));
if (!dependenciesMatch()) installDependencies();
build();
buildPortal();

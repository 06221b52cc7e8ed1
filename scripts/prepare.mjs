/**
 * Makes a checkout ready to run: installs what the lock file says where it is not installed, and builds.
 * Runs before start, test and every check, so it must be fast when there is nothing to do, and needs only Node and npm.
 */
import { installDependencies, dependenciesMatch } from './prepare/dependencies.mjs';
import { build } from './prepare/build.mjs';

if (!dependenciesMatch()) installDependencies();
build();

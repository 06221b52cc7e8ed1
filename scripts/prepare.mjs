/**
 * Makes a checkout ready to run. Runs before every check, so it must be fast when there is nothing to do, and needs only Node and npm.
 * `--tests`: asks for the Node that the tests need.
 */
import { prepareCheckout } from './prepare/checkout.mjs';

await prepareCheckout({ forTests: process.argv.includes('--tests') });

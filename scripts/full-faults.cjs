'use strict';
// `npm run test:faults`: the fault tests with their full figures (see test/support/faults/sizes.ts). Takes hours.
process.env.FAULTS ??= 'full';

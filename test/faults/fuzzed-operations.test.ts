/** The e2e test with the sizes of `npm run test:faults`. */
import '../e2e/security/fuzzed-operations.test.js';

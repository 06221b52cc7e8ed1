/** The same test as with each change, with the figures of `npm run test:faults`. */
import '../../e2e/security/fuzzed-operations.test.js';

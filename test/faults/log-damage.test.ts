/** The integration test with the sizes of `npm run test:faults`. */
import '../integration/streams/adapters/sqlite/damage.test.js';

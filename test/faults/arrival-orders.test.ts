/** The property tests of `npm test` with many more arrival orders (R25), set by ARRIVAL_ORDERS. */
import '../unit/projections/engine/determinism.test.js';
import '../unit/projections/telemetry/rollups/span-rollup-projection.test.js';

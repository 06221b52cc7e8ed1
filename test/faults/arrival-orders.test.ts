/** The same laws as with each change, over many more orders of arrival (R25): ARRIVAL_ORDERS. */
import '../../unit/projections/engine/determinism.test.js';
import '../../unit/projections/telemetry/rollups/span-rollup-projection.test.js';

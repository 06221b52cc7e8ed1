/** The same laws as with each change, over many more orders of arrival (R25): ARRIVAL_ORDERS. */
import '../projections/determinism.test.js';
import '../projections/telemetry/rollups/span-rollups.test.js';

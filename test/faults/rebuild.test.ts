import { rebuildUnderFaults } from '../support/rebuild-faults.js';

rebuildUnderFaults({ spans: 20_000, kills: 3 });

import { rebuildUnderFaults } from '../support/rebuild-faults.js';

// An event at which three processes in a row end is taken for what ends them, and passed by (decision 120): so many kills so soon may meet the same one.
rebuildUnderFaults({ spans: 20_000, kills: 2 });

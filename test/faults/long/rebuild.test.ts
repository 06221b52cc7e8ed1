import { rebuildUnderFaults } from '../../support/rebuild-faults.js';

rebuildUnderFaults({
  spans: Number(process.env.REBUILD_SPANS ?? 1_000_000),
  kills: Number(process.env.REBUILD_KILLS ?? 10),
});

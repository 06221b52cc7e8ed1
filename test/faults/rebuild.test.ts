import { scaleToBudget } from '../support/faults/budget.js';
import { rebuildUnderFaults } from '../support/rebuild-faults.js';

rebuildUnderFaults({
  spans: scaleToBudget('REBUILD_SPANS', 20_000, 1_000_000),
  kills: scaleToBudget('REBUILD_KILLS', 3, 10),
});

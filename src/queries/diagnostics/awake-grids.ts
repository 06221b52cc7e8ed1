import { RULE_BOUNDS } from '../../diagnostics/alert-rule.js';
import { MINUTE_MS } from '../../diagnostics/timeframe.js';
import { eq } from '../../read-models/filter.js';
import type { ReadModelReader } from '../../read-models/store.js';
import type { DiagnosticsData } from './diagnostics-data.js';

/** The farthest that any rule looks back. */
const LOOKS_BACK_MINUTES = RULE_BOUNDS.windowMinutes.max + RULE_BOUNDS.forMinutes.max;

/** Grids whose rules can change their mind: those with telemetry that a rule may look at, and those with an alert that may resolve. */
export async function awakeGrids(store: ReadModelReader, data: DiagnosticsData): Promise<readonly string[]> {
  const { rollups } = data;
  await rollups.look();
  const oldest = Math.floor(data.clock() / MINUTE_MS) - LOOKS_BACK_MINUTES;
  const awake = new Set([...rollups.grids()].filter((gridId) => (rollups.newestMinute(gridId) ?? -Infinity) >= oldest));
  const collections = await data.alertCollections();
  const open = collections === undefined ? [] : await store.find(collections.alerts, { filter: eq('open', true) });
  for (const { document } of open) awake.add(document.gridId);
  return [...awake];
}

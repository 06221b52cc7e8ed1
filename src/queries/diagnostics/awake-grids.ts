import { RULE_BOUNDS } from '../../diagnostics/alert-rule.js';
import { MINUTE_MS } from '../../diagnostics/timeframe.js';
import type { DiagnosticsData } from './diagnostics-data.js';

/** The farthest that any rule looks back. */
const LOOKS_BACK_MINUTES = RULE_BOUNDS.windowMinutes.max + RULE_BOUNDS.forMinutes.max;

/**
 * Grids whose rules can change their mind: those with telemetry that a rule may look at, of these shares or of all, and those of
 * any share with an alert that may resolve.
 */
export async function awakeGrids({ rollups, alerts, clock }: DiagnosticsData, shares?: readonly number[]): Promise<readonly string[]> {
  await rollups.lookAtShares(shares);
  const oldest = Math.floor(clock() / MINUTE_MS) - LOOKS_BACK_MINUTES;
  const awake = new Set([...rollups.grids(shares)].filter((gridId) => (rollups.newestMinute(gridId) ?? -Infinity) >= oldest));
  for (const { gridId } of await alerts.openAlerts()) awake.add(gridId);
  return [...awake];
}

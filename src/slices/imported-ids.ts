import { defaultAlertRules } from '../streams/events/default-alert-rules.js';
import { defaultCharts, defaultDashboards } from '../streams/events/default-charts.js';
import { derivedId } from '../telemetry/derived-id.js';

/**
 * Ids in the new Grid for those of the old one: what every Grid starts with keeps its place, all else gets an id of its own, the same for the same, so that
 * a machine can hold a Grid and its imported slices.
 */
export function importedIds(oldGridId: string, newGridId: string): (id: string) => string {
  const defaults = new Map<string, string>();
  const were = startingIds(oldGridId);
  startingIds(newGridId).forEach((id, i) => defaults.set(were[i], id));
  return (id) => defaults.get(id) ?? derivedId(`${newGridId}/imported/${id}`);
}

function startingIds(gridId: string): string[] {
  return [...defaultAlertRules(gridId), ...defaultCharts(gridId), ...defaultDashboards(gridId)].map(({ id }) => id);
}

import { MaintenanceMinutes, NO_MAINTENANCE } from '../../diagnostics/slos/maintenance-minutes.js';
import type { Slo } from '../../diagnostics/slos/slo-model.js';
import { compileMatchers, toLabels } from '../../notifications/label-matching.js';
import { maintenanceCollection } from '../../read-models/documents/maintenance-documents.js';
import { readActiveVersion } from '../../read-models/documents/projection-documents.js';
import { SLOS_PROJECTION } from '../../read-models/documents/slo-documents.js';
import type { ReadModelReader } from '../../read-models/read-model-store.js';

/** Severities of the alerts of an objective. */
const SEVERITIES = ['critical', 'warning'] as const;

/**
 * Planned maintenance that concerns an objective: all of its alerts would be silenced. A window for its tickets alone does
 * not.
 */
export async function readMaintenance(
  store: ReadModelReader,
  gridId: string,
  { id, name, indicator: { serviceName } }: Pick<Slo, 'id' | 'name' | 'indicator'>,
): Promise<MaintenanceMinutes> {
  const version = await readActiveVersion(store, SLOS_PROJECTION);
  const found = version === undefined ? undefined : await store.get(maintenanceCollection(version), gridId);
  if (found === undefined) return NO_MAINTENANCE;
  const labels = SEVERITIES.map((severity) =>
    toLabels({ ruleId: id, ruleName: name, serviceName, labels: {}, severity }),
  );
  return new MaintenanceMinutes(found.periods.filter(({ matchers }) => labels.every(compileMatchers(matchers))));
}

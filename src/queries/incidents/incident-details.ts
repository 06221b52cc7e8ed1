import type { Change } from '../../diagnostics/diagnostic-results.js';
import { MINUTE_MS } from '../../diagnostics/time-windows.js';
import type { DiagnosticsQueries } from '../diagnostics/diagnostics-query-types.js';
import type { IncidentQueries, StoredIncidentDetail } from './incident-query-types.js';

/** An incident with the changes that may have to do with it. */
export interface IncidentDetail extends StoredIncidentDetail {
  /** Newest first. */
  readonly changes: readonly Change[];
}

export interface IncidentDetailQueries extends Pick<IncidentQueries, 'incidents'> {
  /** Undefined if it is unknown, or was not open before the selected time. */
  incident(gridId: string, incidentId: string, asOfMs: number | undefined): Promise<IncidentDetail | undefined>;
}

/** Changes from so long (ms) before the fault began until so long after count as nearby. */
const BEFORE_MS = 30 * MINUTE_MS;
const AFTER_MS = 60 * MINUTE_MS;

/** Incidents are read where documents are, changes where rollups are: in different threads. */
export function withNearbyChanges(
  queries: Pick<IncidentQueries, 'incidents' | 'incident'>,
  diagnostics: Pick<DiagnosticsQueries, 'changes'>,
  now: () => number,
): IncidentDetailQueries {
  return {
    incidents: (gridId, selection) => queries.incidents(gridId, selection),
    async incident(gridId, incidentId, asOfMs) {
      const found = await queries.incident(gridId, incidentId, asOfMs);
      if (found === undefined) return undefined;
      const { startedAt } = found.incident;
      const toMs = Math.min(startedAt + AFTER_MS, asOfMs ?? now());
      const range = { fromMs: startedAt - BEFORE_MS, toMs };
      const changes = toMs > range.fromMs ? await diagnostics.changes(gridId, { range }) : [];
      return { ...found, changes: changes.filter(({ detectedAt }) => detectedAt <= toMs) };
    },
  };
}

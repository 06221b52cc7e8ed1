import type { Collection } from './store.js';

/** The export requests that one commit counted, kept for as long as a repetition must be recognised. */
export interface RecentRequestsDocument {
  /** Log time (ms since 1970) of the newest of them. */
  readonly at: number;
  /** Grids that the rows of the blob name by index. */
  readonly grids: readonly string[];
}

/** Name of the blob with one fixed-length row a request (see projections/telemetry/request-journal.ts). */
export const REQUESTS_BLOB = 'requests';

/** `run` names the run of projections that the requests belong to: `live`, or that of a rebuild. */
export function recentRequests(run: string): Collection<RecentRequestsDocument> {
  return { name: `recent-requests.${run}`, indexes: [] };
}

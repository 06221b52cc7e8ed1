import type { Collection, ReadModelReader } from '../read-model-store.js';

/** A version of a projection's read model that stands in the store: `schema` is the shape that the program wrote it in. */
export interface BuiltVersion {
  readonly version: number;
  readonly schema: number;
}

/** Which version of a projection answers queries. The id of the document is the projection's name. */
export interface ProjectionDocument {
  /** A running number, part of the names of the projection's collections; every rebuild takes the next one. */
  readonly active: number;
  /** Shape of the active version's documents; another one than the program's asks for a rebuild. */
  readonly schema: number;
  /** The version that a rebuild under way fills beside the active one. */
  readonly building?: BuiltVersion;
  /** A former version that waits to be removed, once no query under way can still read it. */
  readonly obsolete?: number;
}

export const PROJECTIONS: Collection<ProjectionDocument> = { name: 'projections', indexes: [] };

/** Version of the projection that queries read; undefined before its first commit. */
export async function readActiveVersion(store: ReadModelReader, projection: string): Promise<number | undefined> {
  return (await store.get(PROJECTIONS, projection))?.active;
}

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
export function recentRequestsCollection(run: string): Collection<RecentRequestsDocument> {
  return { name: `recent-requests.${run}`, indexes: [] };
}

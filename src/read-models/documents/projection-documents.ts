import type { Collection, ReadModelReader } from '../read-model-store.js';

/** A version of a projection's read model in the store; `schema`: the shape in which it was written. */
export interface BuiltVersion {
  readonly version: number;
  readonly schema: number;
  /** While it is built: it may lack damaged events that the version in use has. */
  readonly acceptLoss?: boolean;
}

/** Versions of a projection. The id of the document is the projection's name. */
export interface ProjectionDocument {
  /**
   * Version that queries read: a running number, part of the names of the projection's collections; every rebuild uses
   * the next one.
   */
  readonly active: number;
  /** Schema of the active version; another one than the program's requires a rebuild. */
  readonly schema: number;
  /** Version that a rebuild in progress writes next to the active one. */
  readonly building?: BuiltVersion;
  /** Former version that is removed once no running query can still read it. */
  readonly obsolete?: number;
}

export const PROJECTIONS: Collection<ProjectionDocument> = { name: 'projections', indexes: [] };

/** Version of the projection that queries read; undefined before its first commit. */
export async function readActiveVersion(store: ReadModelReader, projection: string): Promise<number | undefined> {
  return (await store.get(PROJECTIONS, projection))?.active;
}

/** The export requests that one commit counted, stored for as long as a repetition must be recognised. */
export interface RecentRequestsDocument {
  /** Log time (ms since 1970) of the newest of them. */
  readonly at: number;
  /** Grids that the rows of the blob refer to by index. */
  readonly grids: readonly string[];
}

/**
 * Name of the blob with one fixed-length row per request (see projections/telemetry/deduplication/request-journal.ts).
 */
export const REQUESTS_BLOB = 'requests';

/** `run`: the run that counted the requests: `live`, or the name of a rebuild. */
export function recentRequestsCollection(run: string): Collection<RecentRequestsDocument> {
  return { name: `recent-requests.${run}`, indexes: [] };
}

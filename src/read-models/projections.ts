import type { Collection, ReadModelReader } from './store.js';

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
export async function activeVersion(store: ReadModelReader, projection: string): Promise<number | undefined> {
  return (await store.get(PROJECTIONS, projection))?.active;
}

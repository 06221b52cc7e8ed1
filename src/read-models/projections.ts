import type { Collection, ReadModelReader } from './store.js';

/** Which version of a projection answers queries. The id of the document is the projection's name. */
export interface ProjectionDocument {
  readonly active: number;
}

export const PROJECTIONS: Collection<ProjectionDocument> = { name: 'projections', indexes: [] };

/** Version of the projection that queries read; undefined before its first commit. */
export async function activeVersion(store: ReadModelReader, projection: string): Promise<number | undefined> {
  return (await store.get(PROJECTIONS, projection))?.active;
}

import type { StoredView } from '../../streams/events/view-events.js';
import type { Collection } from '../read-model-store.js';

/** A saved view; its times are ms since 1970. */
export interface ViewDocument extends StoredView {
  readonly gridId: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Name of the projection that writes this collection, and its version in this release. */
export const VIEWS_PROJECTION = 'views';
export const VIEWS_VERSION = 1;

/** Prefixed with the Grid, because in a hand-made log views of two Grids may have the same id. */
export function viewDocumentId(gridId: string, viewId: string): string {
  return `${gridId}/${viewId}`;
}

export function viewCollection(version: number): Collection<ViewDocument> {
  return { name: `views.v${version}`, indexes: [['gridId']] };
}

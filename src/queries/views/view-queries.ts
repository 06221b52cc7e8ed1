import { compareText } from '../../diagnostics/text-order.js';
import { eq } from '../../read-models/document-filter.js';
import { readActiveVersion } from '../../read-models/documents/projection-documents.js';
import {
  viewCollection,
  viewDocumentId,
  type ViewDocument,
  VIEWS_PROJECTION,
} from '../../read-models/documents/view-documents.js';
import type { ReadModelReader } from '../../read-models/read-model-store.js';

export type SavedView = Omit<ViewDocument, 'gridId'>;

/** Saved views; empty before the projection's first commit. */
export interface ViewQueries {
  /** Sorted by name. */
  savedViews(gridId: string): Promise<readonly SavedView[]>;
  savedView(gridId: string, viewId: string): Promise<SavedView | undefined>;
}

export function createViewQueries(store: ReadModelReader): ViewQueries {
  return {
    async savedViews(gridId) {
      const version = await readActiveVersion(store, VIEWS_PROJECTION);
      if (version === undefined) return [];
      const found = await store.find(viewCollection(version), { filter: eq('gridId', gridId) });
      return found
        .map(({ document }) => omitGridId(document))
        .sort((a, b) => compareText(a.name, b.name) || compareText(a.id, b.id));
    },
    async savedView(gridId, viewId) {
      const version = await readActiveVersion(store, VIEWS_PROJECTION);
      const found = version && (await store.get(viewCollection(version), viewDocumentId(gridId, viewId)));
      return found ? omitGridId(found) : undefined;
    },
  };
}

function omitGridId({ gridId: _, ...view }: ViewDocument): SavedView {
  return view;
}

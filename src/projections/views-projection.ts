import {
  viewCollection,
  viewDocumentId,
  type ViewDocument,
  VIEWS_PROJECTION,
  VIEWS_VERSION,
} from '../read-models/documents/view-documents.js';
import type { ReadModelReader } from '../read-models/read-model-store.js';
import type { ViewEvent } from '../streams/events/view-events.js';
import { GRID_PREFIX } from '../streams/stream-names.js';
import { createDocumentFold, type DocumentFold, selectEvents } from './document-fold.js';
import { checkpointName, type Projection } from './projection.js';

/** Saved views of every Grid. */
export const viewsProjection: Projection = {
  name: VIEWS_PROJECTION,
  schema: VIEWS_VERSION,
  contents: (version) => [{ kind: 'documents', collection: viewCollection(version) }],
};

export function createViewsRun(version: number, store: ReadModelReader) {
  const fold: DocumentFold<ViewDocument, ViewEvent> = {
    collection: viewCollection(version),
    documentId: (event) =>
      viewDocumentId(event.data.gridId, event.type === 'ViewDeleted.v1' ? event.data.viewId : event.data.view.id),
    evolve: evolveView,
  };
  return {
    name: viewsProjection.name,
    group: viewsProjection.name,
    prefixes: [GRID_PREFIX],
    checkpoints: [checkpointName(viewsProjection.name, version)],
    fold: createDocumentFold([fold as DocumentFold<object, ViewEvent>], store, VIEW_EVENTS),
  };
}

const VIEW_EVENTS = selectEvents<ViewEvent>('ViewCreated.v1', 'ViewChanged.v1', 'ViewDeleted.v1');

function evolveView(before: ViewDocument | undefined, event: ViewEvent): ViewDocument | undefined {
  if (event.type === 'ViewDeleted.v1') return undefined;
  const { gridId, at, view } = event.data;
  return { ...view, gridId, createdAt: before?.createdAt ?? at, updatedAt: at };
}

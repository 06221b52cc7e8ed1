import {
  ERROR_GROUPS_PROJECTION,
  ERROR_GROUPS_VERSION,
  errorGroupCollection,
  type ErrorGroupChange,
  type ErrorGroupDocument,
  errorGroupDocumentId,
  MAX_ERROR_GROUP_CHANGES,
} from '../read-models/documents/error-group-documents.js';
import type { ReadModelReader } from '../read-models/read-model-store.js';
import type { ErrorGroupEvent } from '../streams/events/error-group-events.js';
import { ERROR_GROUPS_PREFIX } from '../streams/stream-names.js';
import { createDocumentFold, type DocumentFold, selectEvents } from './document-fold.js';
import { checkpointName, type Projection } from './projection.js';

/** Error groups that people resolved or reopened, with when and by whom. */
export const errorGroupsProjection: Projection = {
  name: ERROR_GROUPS_PROJECTION,
  schema: ERROR_GROUPS_VERSION,
  contents: (version) => [{ kind: 'documents', collection: errorGroupCollection(version) }],
};

export function createErrorGroupsRun(version: number, store: ReadModelReader) {
  const fold: DocumentFold<ErrorGroupDocument, ErrorGroupEvent> = {
    collection: errorGroupCollection(version),
    documentId: ({ data }) => errorGroupDocumentId(data.gridId, data.groupId),
    evolve: evolveErrorGroup,
  };
  return {
    name: errorGroupsProjection.name,
    group: errorGroupsProjection.name,
    prefixes: [ERROR_GROUPS_PREFIX],
    checkpoints: [checkpointName(errorGroupsProjection.name, version)],
    fold: createDocumentFold([fold as DocumentFold<object, ErrorGroupEvent>], store, ERROR_GROUP_EVENTS),
  };
}

const ERROR_GROUP_EVENTS = selectEvents<ErrorGroupEvent>(
  'ErrorGroupResolved.v1',
  'ErrorGroupReopened.v1',
  'ErrorGroupDropped.v1',
);

function evolveErrorGroup(
  before: ErrorGroupDocument | undefined,
  event: ErrorGroupEvent,
): ErrorGroupDocument | undefined {
  if (event.type === 'ErrorGroupDropped.v1') return undefined;
  const { gridId, groupId } = event.data;
  const changes = [...(before?.changes ?? []), toChange(event)];
  return { gridId, groupId, changes: changes.slice(-MAX_ERROR_GROUP_CHANGES) };
}

function toChange(event: Exclude<ErrorGroupEvent, { readonly type: 'ErrorGroupDropped.v1' }>): ErrorGroupChange {
  const { at, actor: by } = event.data;
  if (event.type === 'ErrorGroupReopened.v1') return { type: 'reopened', at, by };
  const { fixedIn, knownVersions } = event.data;
  return { type: 'resolved', at, by, fixedIn, knownVersions };
}

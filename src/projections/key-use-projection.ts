import {
  KEY_USE_PROJECTION,
  KEY_USE_VERSION,
  keyUseCollection,
  combineKeyUse,
  type KeyUseDocument,
} from '../read-models/documents/key-use-documents.js';
import type { ReadModelReader } from '../read-models/read-model-store.js';
import type { RecordedEvent } from '../streams/event-store.js';
import type { GridEvent } from '../streams/events/grid-events.js';
import type { ApiKeysUsed, StoredKeyUse } from '../streams/events/key-use-events.js';
import { GRID_PREFIX, KEY_USE_PREFIX } from '../streams/stream-names.js';
import { createDocumentFold, type DocumentFold } from './document-fold.js';
import { checkpointName, type Projection } from './projection.js';

/** What one event means for one key; `use` undefined: the key was revoked. */
type Step = { readonly keyId: string; readonly use: KeyUseDocument | undefined };

/** Last use of each API key. */
export const keyUseProjection: Projection = {
  name: KEY_USE_PROJECTION,
  schema: KEY_USE_VERSION,
  contents: (version) => [{ kind: 'documents', collection: keyUseCollection(version) }],
};

export function createKeyUseRun(version: number, store: ReadModelReader) {
  const fold: DocumentFold<KeyUseDocument, Step> = {
    collection: keyUseCollection(version),
    documentId: ({ keyId }) => keyId,
    evolve: evolveKeyUse,
  };
  return {
    name: keyUseProjection.name,
    group: keyUseProjection.name,
    prefixes: [KEY_USE_PREFIX, GRID_PREFIX],
    checkpoints: [checkpointName(keyUseProjection.name, version)],
    fold: createDocumentFold([fold] as DocumentFold<object, Step>[], store, toSteps),
  };
}

function toSteps({ type, data }: RecordedEvent): readonly Step[] {
  const event = { type, data } as ApiKeysUsed | GridEvent;
  if (event.type === 'ApiKeysUsed.v1')
    return event.data.keys.map((use: StoredKeyUse) => ({
      keyId: use.keyId,
      use: { gridId: event.data.gridId, ...use },
    }));
  if (event.type === 'ApiKeyRevoked.v1') return [{ keyId: event.data.keyId, use: undefined }];
  return [];
}

export function evolveKeyUse(before: KeyUseDocument | undefined, { use }: Step): KeyUseDocument | undefined {
  return before === undefined || use === undefined ? use : combineKeyUse(before, use);
}

import {
  KEY_USE_PROJECTION,
  KEY_USE_VERSION,
  keyUseCollection,
  combineKeyUse,
  type KeyUseDocument,
} from '../read-models/documents/key-use-documents.js';
import type { ReadModelReader } from '../read-models/read-model-store.js';
import type { GridEvent } from '../streams/events/grid-events.js';
import type { ApiKeysUsed, StoredKeyUse } from '../streams/events/key-use-events.js';
import { GRID_PREFIX, KEY_USE_PREFIX } from '../streams/stream-names.js';
import { createDocumentFold, type DocumentFold, type EventMapping } from './document-fold.js';
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
    fold: createDocumentFold([fold] as DocumentFold<object, Step>[], store, STEPS),
  };
}

const STEPS: EventMapping<ApiKeysUsed | GridEvent, Step> = {
  'ApiKeysUsed.v1': ({ gridId, keys }) =>
    keys.map((use: StoredKeyUse) => ({ keyId: use.keyId, use: { gridId, ...use } })),
  'ApiKeyRevoked.v1': ({ keyId }) => [{ keyId, use: undefined }],
};

export function evolveKeyUse(before: KeyUseDocument | undefined, { use }: Step): KeyUseDocument | undefined {
  return before === undefined || use === undefined ? use : combineKeyUse(before, use);
}

import { KEY_USE_PROJECTION, KEY_USE_VERSION, keyUseCollection, laterUse, type KeyUseDocument } from '../read-models/key-use.js';
import type { ReadModelReader } from '../read-models/store.js';
import type { RecordedEvent } from '../streams/event-store.js';
import type { GridEvent } from '../streams/events/grid-events.js';
import type { ApiKeysUsed, StoredKeyUse } from '../streams/events/key-use-events.js';
import { GRID_PREFIX, KEY_USE_PREFIX } from '../streams/stream-names.js';
import { foldDocuments, type DocumentFold } from './documents.js';
import { checkpointName, type Projection } from './projection.js';

/** What one event means for one key: used for this, or gone. */
type Step = { readonly keyId: string; readonly use: KeyUseDocument | undefined };

/** What API keys were used for last. */
export const keyUse: Projection = {
  name: KEY_USE_PROJECTION,
  schema: KEY_USE_VERSION,
  contents: (version) => [{ kind: 'documents', collection: keyUseCollection(version) }],
};

export function keyUseRun(version: number, store: ReadModelReader) {
  const fold: DocumentFold<KeyUseDocument, Step> = { collection: keyUseCollection(version), idOf: ({ keyId }) => keyId, evolve: evolveKeyUse };
  return {
    name: keyUse.name,
    group: keyUse.name,
    prefixes: [KEY_USE_PREFIX, GRID_PREFIX],
    checkpoints: [checkpointName(keyUse.name, version)],
    fold: foldDocuments([fold] as DocumentFold<object, Step>[], store, stepsOf),
  };
}

function stepsOf({ type, data }: RecordedEvent): readonly Step[] {
  const event = { type, data } as ApiKeysUsed | GridEvent;
  if (event.type === 'ApiKeysUsed.v1') return event.data.keys.map((use: StoredKeyUse) => ({ keyId: use.keyId, use: { gridId: event.data.gridId, ...use } }));
  if (event.type === 'ApiKeyRevoked.v1') return [{ keyId: event.data.keyId, use: undefined }];
  return [];
}

export function evolveKeyUse(before: KeyUseDocument | undefined, { use }: Step): KeyUseDocument | undefined {
  return before === undefined || use === undefined ? use : laterUse(before, use);
}

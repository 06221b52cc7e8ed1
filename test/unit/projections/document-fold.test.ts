import assert from 'node:assert/strict';
import { createDocumentFold, type DocumentFold, selectEvents } from '../../../src/projections/document-fold.js';
import { MemoryReadModelStore } from '../../../src/read-models/adapters/memory/read-model-store.js';
import type { RecordedEvent } from '../../../src/streams/event-store.js';

interface Counted {
  readonly type: 'Counted.v1';
  readonly data: { readonly id: string };
}

describe('a document fold', () => {
  it('folds events of its types, and ignores others of the same streams', async () => {
    const fold: DocumentFold<{ readonly count: number }, Counted> = {
      collection: { name: 'counts', indexes: [] },
      documentId: ({ data }) => data.id,
      evolve: (before) => ({ count: (before?.count ?? 0) + 1 }),
    };
    const { fold: foldEvents } = createDocumentFold(
      [fold as DocumentFold<object, Counted>],
      new MemoryReadModelStore(),
      selectEvents<Counted>('Counted.v1'),
    );
    const recorded = (type: string) => ({ type, data: { id: 'a' } }) as RecordedEvent;
    assert.deepEqual(await foldEvents([recorded('Counted.v1'), recorded('Other.v1'), recorded('Counted.v1')]), [
      { kind: 'put', collection: fold.collection, id: 'a', document: { count: 2 } },
    ]);
    assert.deepEqual(await foldEvents([recorded('toString')]), []);
  });
});

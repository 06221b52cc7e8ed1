import { type ProjectionDocument, PROJECTIONS } from '../../../../../src/read-models/documents/projection-documents.js';
import type { DocumentChange, ReadModelStore } from '../../../../../src/read-models/read-model-store.js';

/** Lets every switch to a rebuilt version fail, so that the rebuild is left unfinished, until the result is called. */
export function failSwap(store: ReadModelStore): () => void {
  const commit = store.commit.bind(store);
  store.commit = (changes, checkpoints) =>
    changes.some(isSwap) ? Promise.reject(new Error('the disk is full')) : commit(changes, checkpoints);
  return () => void (store.commit = commit);
}

function isSwap(change: DocumentChange): boolean {
  return (
    change.kind === 'put' &&
    change.collection.name === PROJECTIONS.name &&
    (change.document as ProjectionDocument).active > 1
  );
}

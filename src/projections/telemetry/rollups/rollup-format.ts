import {
  ROLLUP_BLOB,
  type RollupCatalogDocument,
  type RollupCollections,
  type RollupDocument,
} from '../../../read-models/documents/rollup-documents.js';
import type { Document } from '../../../read-models/read-model-store.js';
import type { ProjectionContent } from '../../projection.js';

/** One kind of rollups: where they are kept, and how. `A` counts in memory. */
export interface RollupFormat<A> {
  readonly collections: RollupCollections;
  /** Empty; `service` is "" for what is about a whole Grid. */
  create(service: string): A;
  decode(blob: Uint8Array): A;
  /** MUST give the same bytes for the same content. */
  encode(accumulator: A): Uint8Array;
  /** What blobs of one service add up to; they come in ascending order of their minutes. */
  merge(blobs: readonly Uint8Array[]): Uint8Array;
}

/**
 * Contents of a projection that keeps rollups. Minutes count in its digest, hours do not: they are sums of minutes, and
 * which of them are made yet depends on how commits fell.
 */
export function rollupContents({ minutes, hours, catalogs }: RollupCollections): readonly ProjectionContent[] {
  return [
    { kind: 'blobs', collection: minutes, blob: ROLLUP_BLOB, canonical: toCanonicalRollup },
    { kind: 'derived', collection: hours },
    { kind: 'documents', collection: catalogs, canonical: toCanonicalRollupCatalog },
  ];
}

function toCanonicalRollup(document: Document): Document {
  const { gridId, minute, service } = document as RollupDocument;
  return { gridId, minute, service };
}

function toCanonicalRollupCatalog(document: Document): Document {
  const { gridId, newestMinute, expiredBefore } = document as RollupCatalogDocument;
  return { gridId, newestMinute, expiredBefore };
}

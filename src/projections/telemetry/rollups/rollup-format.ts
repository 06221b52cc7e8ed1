import {
  ROLLUP_BLOB,
  type RollupCatalogDocument,
  type RollupCollections,
  type RollupDocument,
} from '../../../read-models/documents/rollup-documents.js';
import type { Document } from '../../../read-models/read-model-store.js';
import type { ProjectionContent } from '../../projection.js';

/** One kind of rollups: its collections, and how an accumulator `A` is encoded. */
export interface RollupFormat<A> {
  readonly collections: RollupCollections;
  /** Creates an empty accumulator; `service`: "" for a whole Grid. */
  create(service: string): A;
  decode(blob: Uint8Array): A;
  /** MUST return the same bytes for the same content. */
  encode(accumulator: A): Uint8Array;
  /** The sum of the blobs of one service, which come in ascending order of their minutes. */
  merge(blobs: readonly Uint8Array[]): Uint8Array;
}

/**
 * Contents of a projection that stores rollups. Minutes are part of its digest, hours are not: they are sums of
 * minutes, and which of them exist depends on how commits were split.
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

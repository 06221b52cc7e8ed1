import type { AnyCollection, Document, ReadModelReader } from '../read-models/store.js';

/** A document whose `stamp` is larger than that of any that was written before it. */
export interface Stamped {
  readonly stamp: number;
}

/** What a projection keeps in the store, and what of it counts in its digest. */
export type Content =
  /** `canonical` leaves out what may differ between equal read models; absent: all counts. */
  | { readonly kind: 'documents'; readonly collection: AnyCollection; readonly canonical?: (document: Document) => Document }
  /** Stamped documents with one blob each, whose bytes are the same for the same content. `canonical` MUST leave `stamp` out. */
  | { readonly kind: 'blobs'; readonly collection: AnyCollection; readonly blob: string; readonly canonical: (document: Document) => Document }
  /** Made of other contents and of nothing else: no part of the digest. */
  | { readonly kind: 'derived'; readonly collection: AnyCollection }
  /**
   * `digest` sums up the rows of one block, undefined where it is gone; sums over a Grid's blocks do not depend on how
   * its rows are spread over them.
   */
  | { readonly kind: 'blocks'; readonly collection: AnyCollection; readonly digest: (store: ReadModelReader, id: string) => Promise<bigint | undefined> };

/** A read model that can be built anew from the log. */
export interface Projection {
  readonly name: string;
  /** Counts up with every change of its documents' shape or meaning; the program rebuilds what has another one. */
  readonly schema: number;
  contents(version: number): readonly Content[];
}

export function checkpointName(projection: string, version: number): string {
  return `${projection}.v${version}`;
}

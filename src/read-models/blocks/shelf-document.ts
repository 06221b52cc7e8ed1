import type { BlockCatalogDocument } from './block.js';

/** What a projection of blocks remembers of a Grid, beside what readers need of its catalogue. */
export interface ShelfDocument extends BlockCatalogDocument {
  /** Rows before this time (ms) have left and do not come back. */
  readonly expiredBefore: number;
  /** Sequence numbers below this one have been used. */
  readonly nextSeq: number;
}

/** Rows that a block holds at most. Row numbers fit 16 bits. */
export const MAX_BLOCK_ROWS = 8192;

/** Inclusive range of sequence numbers. */
export type SeqRange = readonly [first: number, last: number];

/** What is known of a block without reading its blobs; the encoder's share. */
export interface BlockSummary {
  readonly rows: number;
  /** Rows by service: the index is the block-local id of the service. */
  readonly services: readonly (readonly [name: string, rows: number])[];
  /** Oldest and newest event that a row refers to. */
  readonly minRevision: number;
  readonly maxRevision: number;
  /**
   * Every block that went into this one, directly or through blocks that were merged before; ascending, disjoint.
   * A reader that missed the steps between drops what it names.
   */
  readonly replaces: readonly SeqRange[];
  /** True: all columns stand in one blob, because a page of its own for each would waste more than it holds. */
  readonly packed: boolean;
}

/** Where a block stands; the projection's share. */
export interface BlockPlace {
  readonly gridId: string;
  /** Counts up within one Grid and one version of the projection, never used twice: also merges take a new one. */
  readonly seq: number;
}

/** A block on its way into the store: `{ ...document, gridId, seq }` is put under `blockId(gridId, seq)`. */
export interface EncodedBlock<Summary extends BlockSummary> {
  readonly document: Summary;
  readonly blobs: Readonly<Record<string, Uint8Array>>;
}

/** A block as it came out of the store, with all of its blobs. */
export interface StoredBlock<Document extends BlockSummary & BlockPlace> {
  readonly document: Document;
  readonly blobs: Readonly<Record<string, Uint8Array>>;
}

/**
 * One document a Grid, its id is the Grid's. `generation` goes up when blocks leave without a block that replaces them
 * (retention): readers then forget what they know and load all summaries anew. Absent means 0.
 */
export interface BlockCatalogDocument {
  readonly gridId: string;
  readonly generation: number;
}

/** Ids sort as the sequence numbers do. */
export function blockId(gridId: string, seq: number): string {
  return `${gridId}/${String(seq).padStart(10, '0')}`;
}

/** The ranges that a block merged from these blocks replaces. */
export function replacedBy(blocks: readonly (BlockSummary & BlockPlace)[]): SeqRange[] {
  const ranges = blocks.flatMap((block) => [[block.seq, block.seq] as const, ...block.replaces]);
  ranges.sort((a, b) => a[0] - b[0]);
  const joined: [number, number][] = [];
  for (const [first, last] of ranges) {
    const previous = joined.at(-1);
    if (previous && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last);
    else joined.push([first, last]);
  }
  return joined;
}

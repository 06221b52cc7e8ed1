import type { Section } from './section.js';

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
export interface BlockLocation {
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
export interface StoredBlock<Document extends BlockSummary & BlockLocation> {
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
export function computeReplacedRanges(blocks: readonly (BlockSummary & BlockLocation)[]): SeqRange[] {
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

/** Blocks of fewer rows keep all columns in one blob. */
export const PACKED_BELOW_ROWS = 512;

/** Name of the one blob of a packed block. */
export const PACKED_BLOB = 'packed';

const HEAD_BYTES = 4;

/** Puts many blobs into one: length of the directory (JSON: name → size), the directory, the blobs in its order. */
export function packBlobs(blobs: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const sizes = Object.entries(blobs).map(([name, blob]) => [name, blob.length] as const);
  const directory = Buffer.from(JSON.stringify(sizes));
  const head = new Uint8Array(HEAD_BYTES);
  new DataView(head.buffer).setUint32(0, directory.length, true);
  return Buffer.concat([head, directory, ...Object.values(blobs)]);
}

/** The blobs that `pack` put together, as views. */
export function unpackBlobs(packed: Uint8Array): Record<string, Uint8Array> {
  const length = new DataView(packed.buffer, packed.byteOffset).getUint32(0, true);
  let at = HEAD_BYTES + length;
  const directory = Buffer.from(packed.buffer, packed.byteOffset + HEAD_BYTES, length).toString();
  const blobs: Record<string, Uint8Array> = {};
  for (const [name, size] of JSON.parse(directory) as [string, number][]) {
    blobs[name] = packed.subarray(at, at + size);
    at += size;
  }
  return blobs;
}

/** The columns of a block by name, whichever way they were stored. */
export function unpackColumnBlobs(
  packed: boolean,
  blobs: Readonly<Record<string, Uint8Array>>,
): Readonly<Record<string, Uint8Array>> {
  return packed ? unpackBlobs(blobs[PACKED_BLOB]) : blobs;
}

/** A column in the form that searches read: from which blobs it comes, and how. */
export interface BlockColumn<Document, Value> {
  /** Unique among the columns of one kind of block. */
  readonly name: string;
  /** Blobs that `decode` takes, in its order. */
  blobs(document: Document): readonly string[];
  decode(sections: readonly Section[], document: Document): Value;
  /** Size of the value in memory. */
  bytes(value: Value): number;
}

/** A column that is made of one blob. */
export function defineColumn<Document, Value>(
  name: string,
  blob: string,
  decode: (section: Section, document: Document) => Value,
  bytes: (value: Value) => number,
): BlockColumn<Document, Value> {
  const blobs = [blob];
  return { name, blobs: () => blobs, decode: ([section], document) => decode(section, document), bytes };
}

import type { Section } from './section.js';

/** Maximum rows of a block. Row numbers fit into 16 bits. */
export const MAX_BLOCK_ROWS = 8192;

/** Inclusive range of sequence numbers. */
export type SeqRange = readonly [first: number, last: number];

/** What is known about a block without reading its blobs; written by the encoder. */
export interface BlockSummary {
  readonly rows: number;
  /** Rows by service: the index is the block-local id of the service. */
  readonly services: readonly (readonly [name: string, rows: number])[];
  /** Oldest and newest event that a row refers to. */
  readonly minRevision: number;
  readonly maxRevision: number;
  /**
   * Every block that was merged into this one, directly or indirectly; ascending, disjoint. A reader that missed
   * intermediate merges drops the blocks in these ranges.
   */
  readonly replaces: readonly SeqRange[];
  /** True: all columns are in one blob, because a separate page for each would waste more than it holds. */
  readonly packed: boolean;
}

/** Location of a block; assigned by the projection. */
export interface BlockLocation {
  readonly gridId: string;
  /**
   * Increases within one Grid and one version of the projection and is never reused: merged blocks get a new one too.
   */
  readonly seq: number;
}

/** A block to be stored: `{ ...document, gridId, seq }` is put under `blockId(gridId, seq)`. */
export interface EncodedBlock<Summary extends BlockSummary> {
  readonly document: Summary;
  readonly blobs: Readonly<Record<string, Uint8Array>>;
}

/** A block as read from the store, with all of its blobs. */
export interface StoredBlock<Document extends BlockSummary & BlockLocation> {
  readonly document: Document;
  readonly blobs: Readonly<Record<string, Uint8Array>>;
}

/** A block that replaces others. `columns`: those from which it was encoded, if they hold no other rows. */
export interface MergedBlock<Summary extends BlockSummary, Columns> extends EncodedBlock<Summary> {
  readonly columns?: Columns | undefined;
}

/** A block whose rows are in memory, as the columns from which it was encoded. */
export interface DecodedBlock<Document extends BlockSummary & BlockLocation, Columns> {
  readonly document: Document;
  readonly columns: Columns;
}

/**
 * One document per Grid, under the Grid's id. `generation` increases when blocks are removed without a replacement
 * (retention): readers then reload all summaries. Absent means 0.
 */
export interface BlockCatalogDocument {
  readonly gridId: string;
  readonly generation: number;
}

/** Ids sort by sequence number. */
export function blockId(gridId: string, seq: number): string {
  return `${gridId}/${String(seq).padStart(10, '0')}`;
}

/** The ranges that a block merged from these blocks replaces. */
export function computeReplacedRanges(blocks: readonly (BlockSummary & BlockLocation)[]): SeqRange[] {
  const ranges = blocks.flatMap((block) => [[block.seq, block.seq] as const, ...block.replaces]);
  ranges.sort((a, b) => a[0] - b[0]);
  const merged: [number, number][] = [];
  for (const [first, last] of ranges) {
    const previous = merged.at(-1);
    if (previous && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last);
    else merged.push([first, last]);
  }
  return merged;
}

/** Blocks of fewer rows have all columns in one blob. */
export const PACKED_BELOW_ROWS = 512;

/** Name of the only blob of a packed block. */
export const PACKED_BLOB = 'packed';

const HEAD_BYTES = 4;

/** Packs blobs into one: length of the directory (JSON: name → size), the directory, the blobs in its order. */
export function packBlobs(blobs: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const sizes = Object.entries(blobs).map(([name, blob]) => [name, blob.length] as const);
  const directory = Buffer.from(JSON.stringify(sizes));
  const head = new Uint8Array(HEAD_BYTES);
  new DataView(head.buffer).setUint32(0, directory.length, true);
  return Buffer.concat([head, directory, ...Object.values(blobs)]);
}

/** The blobs packed by `packBlobs`, as views. */
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

/** The columns of a block by name, packed or not. */
export function unpackColumnBlobs(
  packed: boolean,
  blobs: Readonly<Record<string, Uint8Array>>,
): Readonly<Record<string, Uint8Array>> {
  return packed ? unpackBlobs(blobs[PACKED_BLOB]) : blobs;
}

/** A column in the form that searches read: its blobs and how to decode them. */
export interface BlockColumn<Document, Value> {
  /** Unique among the columns of one kind of block. */
  readonly name: string;
  /** Blobs that `decode` takes, in its order. */
  blobs(document: Document): readonly string[];
  decode(sections: readonly Section[], document: Document): Value;
  /** Size of the value in memory. */
  bytes(value: Value): number;
}

/** Defines a column that is decoded from one blob. */
export function defineColumn<Document, Value>(
  name: string,
  blob: string,
  decode: (section: Section, document: Document) => Value,
  bytes: (value: Value) => number,
): BlockColumn<Document, Value> {
  const blobs = [blob];
  return { name, blobs: () => blobs, decode: ([section], document) => decode(section, document), bytes };
}

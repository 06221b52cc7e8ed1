import { type BloomFilter } from './bloom-filter.js';
import { Id64HashTable } from './id-hash-tables.js';
import { forEachPosting, PostingListBuilder, decodePostingList, type EncodedPostingLists } from './posting-lists.js';
import { type Section, SectionWriter } from './section.js';
import { hashPair } from './uint32-words.js';

/** Tokens of rows: those of row i are `tokens[tokenEnd[i−1], tokenEnd[i])`; `tokenChecks` is parallel to `tokens`. */
export interface RowTokens {
  readonly tokenEnd: Uint32Array;
  readonly tokens: Uint32Array;
  readonly tokenChecks: Uint16Array;
}

/** Tokens of the attributes of one resource. */
export interface ResourceTokens {
  readonly tokens: Uint32Array;
  readonly checks: Uint16Array;
}

/** Encoded tags of a block. */
export interface TagPostings {
  /** One blob per partition; a token's top bits select the partition. */
  readonly partitions: Uint8Array[];
  /** Distinct tokens with their checks, two words each. */
  readonly distinct: Id64HashTable;
}

const TAG_PARTITIONS = 8;
const MAX_BUCKET_BITS = 16;

/** Parts of a partition's section. */
const BUCKETS = 0;
const RESTS = 1;
const CHECKS = 2;
const COUNTS = 3;
const GAPS = 4;

export function tagPartitionCount(packed: boolean): number {
  return packed ? 1 : TAG_PARTITIONS;
}

/** Name of the blob in which a token is listed. */
export function tagBlobName(token: number, packed: boolean): string {
  return `tags.${Math.floor(((token >>> 0) / 2 ** 32) * tagPartitionCount(packed))}`;
}

export function tagHash(token: number, check: number): number {
  return hashPair(token >>> 0, check);
}

/**
 * Encodes for each distinct token the rows that have it. Tokens are distributed over buckets by their top bits, so that
 * only the rest of each token is stored, with its check and its rows.
 */
export function encodeTagPostings(source: RowTokens, rows: Uint32Array, packed: boolean): TagPostings {
  const distinct = new Id64HashTable(rows.length * 4);
  const lists = gatherRows(source, rows, distinct);
  const partitions = tagPartitionCount(packed);
  const bucketBits = Math.min(
    MAX_BUCKET_BITS,
    Math.max(Math.log2(partitions), Math.ceil(Math.log2(distinct.size + 1))),
  );
  const { order, bucketEnds } = orderByBucket(distinct, bucketBits);
  const encoded = lists.encode(order);
  const perPartition = bucketEnds.length / partitions;
  const blobs: Uint8Array[] = [];
  for (let p = 0; p < partitions; p++) {
    blobs.push(encodePartition(distinct, order, bucketEnds, encoded, p * perPartition, (p + 1) * perPartition));
  }
  return { partitions: blobs, distinct };
}

export function addTagsToBloom(bloom: BloomFilter, distinct: Id64HashTable): void {
  for (let i = 0; i < distinct.size; i++) bloom.add(tagHash(distinct.words[i * 2], distinct.words[i * 2 + 1]));
}

/** Rows that have the token, ascending; empty if none does. */
export function findRowsWithTag(section: Section, token: number, check: number, packed: boolean): Uint16Array {
  const counts = section.uint32(BUCKETS);
  const bits = Math.round(Math.log2(counts.length * tagPartitionCount(packed)));
  const bucket = tokenBucket(token, bits) % counts.length;
  let from = 0;
  for (let before = 0; before < bucket; before++) from += counts[before];
  if (counts[bucket] === 0) return new Uint16Array(0);
  const index = indexInBucket(section, from, counts[bucket], tokenRemainder(token, bits), check);
  return index < 0 ? new Uint16Array(0) : decodePostingList(section.uint32(COUNTS), section.bytes(GAPS), index);
}

/** Number of (token, row) pairs in a partition. */
export function countTagEntries(section: Section): number {
  return section.uint32(COUNTS).reduce((sum, count) => sum + count, 0);
}

/** Calls `visit` for every (token, check, row) of partition p. */
export function forEachTag(
  section: Section,
  p: number,
  packed: boolean,
  visit: (token: number, check: number, row: number) => void,
): void {
  const buckets = section.uint32(BUCKETS);
  const bits = Math.round(Math.log2(buckets.length * tagPartitionCount(packed)));
  const tokens = section.float64(RESTS);
  for (let bucket = 0, list = 0; bucket < buckets.length; bucket++) {
    for (let left = buckets[bucket]; left > 0; left--)
      tokens[list++] += (p * buckets.length + bucket) * 2 ** (32 - bits);
  }
  const checks = section.uint16(CHECKS);
  forEachPosting(section.uint32(COUNTS), section.bytes(GAPS), (list, row) => visit(tokens[list], checks[list], row));
}

function gatherRows(source: RowTokens, rows: Uint32Array, distinct: Id64HashTable): PostingListBuilder {
  const { tokenEnd, tokens, tokenChecks } = source;
  const lists = new PostingListBuilder(countEntries(tokenEnd, rows));
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    for (let t = row === 0 ? 0 : tokenEnd[row - 1]; t < tokenEnd[row]; t++)
      lists.add(distinct.add(tokens[t], tokenChecks[t]), i);
  }
  return lists;
}

/** Total number of entries of the rows, in a column of list ends. */
export function countEntries(ends: Uint32Array, rows: Uint32Array): number {
  let entries = 0;
  for (let i = 0; i < rows.length; i++) entries += ends[rows[i]] - (rows[i] === 0 ? 0 : ends[rows[i] - 1]);
  return entries;
}

/** Numbers of the distinct tokens, bucket by bucket, and where each bucket ends. */
function orderByBucket(distinct: Id64HashTable, bits: number): { order: Uint32Array; bucketEnds: Uint32Array } {
  const bucketEnds = new Uint32Array(2 ** bits);
  for (let i = 0; i < distinct.size; i++) bucketEnds[tokenBucket(distinct.words[i * 2], bits)]++;
  for (let bucket = 1; bucket < bucketEnds.length; bucket++) bucketEnds[bucket] += bucketEnds[bucket - 1];
  const order = new Uint32Array(distinct.size);
  const cursors = bucketEnds.slice();
  for (let i = distinct.size - 1; i >= 0; i--) order[--cursors[tokenBucket(distinct.words[i * 2], bits)]] = i;
  return { order, bucketEnds };
}

function encodePartition(
  distinct: Id64HashTable,
  order: Uint32Array,
  bucketEnds: Uint32Array,
  lists: EncodedPostingLists,
  fromBucket: number,
  toBucket: number,
): Uint8Array {
  const from = fromBucket === 0 ? 0 : bucketEnds[fromBucket - 1];
  const to = bucketEnds[toBucket - 1];
  const bits = Math.log2(bucketEnds.length);
  const buckets = new Uint32Array(toBucket - fromBucket);
  for (let i = 0; i < buckets.length; i++)
    buckets[i] = bucketEnds[fromBucket + i] - (fromBucket + i === 0 ? 0 : bucketEnds[fromBucket + i - 1]);
  const rests = new Uint32Array(to - from);
  const checks = new Uint16Array(to - from);
  for (let i = from; i < to; i++) {
    rests[i - from] = tokenRemainder(distinct.words[order[i] * 2], bits);
    checks[i - from] = distinct.words[order[i] * 2 + 1];
  }
  return new SectionWriter()
    .numbers(buckets)
    .numbers(rests)
    .numbers(checks)
    .numbers(lists.counts.subarray(from, to))
    .bytes(lists.gaps.subarray(lists.starts[from], lists.starts[to]))
    .finish();
}

function indexInBucket(section: Section, from: number, count: number, rest: number, check: number): number {
  const rests = section.uint32(RESTS);
  const checks = section.uint16(CHECKS);
  for (let index = from; index < from + count; index++)
    if (rests[index] === rest && checks[index] === check) return index;
  return -1;
}

function tokenBucket(token: number, bits: number): number {
  return bits === 0 ? 0 : token >>> (32 - bits);
}

function tokenRemainder(token: number, bits: number): number {
  return bits === 0 ? token >>> 0 : (token << bits) >>> bits;
}

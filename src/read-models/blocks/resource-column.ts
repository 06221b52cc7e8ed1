import { type BlockColumn, type BlockSummary, defineColumn } from './block.js';
import type { BloomFilter } from './bloom-filter.js';
import { assignLocalIds, concatColumns } from './column-operations.js';
import { collectMarkedRows } from './posting-lists.js';
import { SectionWriter, type Section } from './section.js';
import { type ResourceTokens, tagHash } from './tag-postings.js';

export interface EncodedResources {
  readonly blob: Uint8Array;
  readonly used: readonly ResourceTokens[];
}

export const RESOURCES_BLOB = 'resources';

/** Parts of the section. */
const ROWS = 0;
const ENDS = 1;
const TOKENS = 2;
const CHECKS = 3;

/** Encodes resources: their attributes are stored once, not per row, and once for all requests that carry them. */
export function encodeResources(
  column: Uint32Array,
  resources: readonly ResourceTokens[],
  rows: Uint32Array,
): EncodedResources {
  const local = assignLocalIds(column, rows);
  const { used, indexes } = deduplicateResources(local.originals.map((original) => resources[original]));
  const blob = new SectionWriter()
    .numbers(local.ids.map((id) => indexes[id]))
    .numbers(cumulativeEnds(used.map(({ tokens }) => tokens.length)))
    .numbers(concatColumns(used.map(({ tokens }) => tokens)))
    .numbers(concatColumns(used.map(({ checks }) => checks)))
    .finish();
  return { blob, used };
}

/** The distinct resources, and the index of each given one among them. */
function deduplicateResources(resources: readonly ResourceTokens[]): { used: ResourceTokens[]; indexes: number[] } {
  const known = new Map<string, number>();
  const used: ResourceTokens[] = [];
  const indexes = resources.map((resource) => {
    const content = contentKey(resource.tokens) + contentKey(resource.checks);
    const index = known.get(content) ?? used.push(resource) - 1;
    known.set(content, index);
    return index;
  });
  return { used, indexes };
}

function contentKey(array: Uint32Array | Uint16Array): string {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString('latin1');
}

function cumulativeEnds(lengths: readonly number[]): Uint32Array {
  let end = 0;
  return Uint32Array.from(lengths, (length) => (end += length));
}

export function addResourceTagsToBloom(bloom: BloomFilter, resources: readonly ResourceTokens[]): void {
  for (const { tokens, checks } of resources) {
    for (let i = 0; i < tokens.length; i++) bloom.add(tagHash(tokens[i], checks[i]));
  }
}

/** Local resource id of each row, and the resources by local id. */
export function decodeResources(section: Section): { rows: Uint16Array; resources: ResourceTokens[] } {
  const tokens = section.uint32(TOKENS);
  const checks = section.uint16(CHECKS);
  const ends = section.uint32(ENDS);
  const resources = Array.from(ends, (end, i) => {
    const from = i === 0 ? 0 : ends[i - 1];
    return { tokens: tokens.slice(from, end), checks: checks.slice(from, end) };
  });
  return { rows: section.uint16(ROWS), resources };
}

/** The resources of a block: the local resource of each row, and for each resource a key that equal ones share. */
export interface ResourceColumn {
  readonly rows: Uint16Array;
  readonly keys: readonly string[];
}

export const BLOCK_RESOURCES: BlockColumn<BlockSummary, ResourceColumn> = defineColumn(
  'resources',
  RESOURCES_BLOB,
  (section) => {
    const { rows, resources } = decodeResources(section);
    return { rows, keys: resources.map(({ tokens, checks }) => contentKey(tokens) + contentKey(checks)) };
  },
  ({ rows, keys }) => rows.byteLength + keys.reduce((sum, key) => sum + key.length + 40, 0),
);

/** `rows` plus every row whose resource has the token. */
export function addResourceRows(section: Section, token: number, check: number, rows: Uint16Array): Uint16Array {
  const carriers = markResourcesWithTag(section, token, check);
  if (!carriers.includes(1)) return rows;
  const marks = new Uint8Array(section.count(ROWS));
  const resourceOf = section.uint16(ROWS);
  for (let row = 0; row < marks.length; row++) marks[row] = carriers[resourceOf[row]];
  for (let i = 0; i < rows.length; i++) marks[rows[i]] = 1;
  return collectMarkedRows(marks);
}

/** 1 for each local resource that has the token. */
function markResourcesWithTag(section: Section, token: number, check: number): Uint8Array {
  const ends = section.uint32(ENDS);
  const tokens = section.uint32(TOKENS);
  const checks = section.uint16(CHECKS);
  const carriers = new Uint8Array(ends.length);
  for (let resource = 0, t = 0; resource < ends.length; resource++) {
    for (; t < ends[resource]; t++) if (tokens[t] === token && checks[t] === check) carriers[resource] = 1;
  }
  return carriers;
}

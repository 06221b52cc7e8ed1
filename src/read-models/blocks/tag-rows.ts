import { type columnBlobs } from './packing.js';
import { decodeResources, RESOURCES_BLOB, type ResourceTokens } from './resource-column.js';
import { Section } from './section.js';
import { eachTag, tagEntries, tagPartitions } from './tag-postings.js';

/** Tags of all rows of a block, as the decoder of requests would have filled them. */
export interface DecodedTags {
  readonly tokenEnd: Uint32Array;
  readonly tokens: Uint32Array;
  readonly tokenChecks: Uint16Array;
  readonly resource: Uint16Array;
  readonly resourceTokens: ResourceTokens[];
}

/** Turns the postings of a block back into lists of tokens by row. */
export function decodeTags(blobs: ReturnType<typeof columnBlobs>, rows: number, packed: boolean): DecodedTags {
  const partitions = Array.from({ length: tagPartitions(packed) }, (_, p) => new Section(blobs[`tags.${p}`]));
  const entries = new TagEntries(partitions.reduce((sum, section) => sum + tagEntries(section), 0));
  partitions.forEach((section, p) => eachTag(section, p, packed, (token, check, row) => entries.add(token, check, row)));
  const { rows: resource, resources } = decodeResources(new Section(blobs[RESOURCES_BLOB]));
  return { ...entries.byRow(rows), resource, resourceTokens: resources };
}

/** All (token, row) pairs of a block, as they come from its postings. */
class TagEntries {
  private readonly tokens: Uint32Array;
  private readonly checks: Uint16Array;
  private readonly rows: Uint16Array;
  private count = 0;

  constructor(entries: number) {
    this.tokens = new Uint32Array(entries);
    this.checks = new Uint16Array(entries);
    this.rows = new Uint16Array(entries);
  }

  add(token: number, check: number, row: number): void {
    this.tokens[this.count] = token;
    this.checks[this.count] = check;
    this.rows[this.count++] = row;
  }

  /** The same in the order of rows. */
  byRow(blockRows: number): Pick<DecodedTags, 'tokenEnd' | 'tokens' | 'tokenChecks'> {
    const tokenEnd = new Uint32Array(blockRows);
    for (let i = 0; i < this.count; i++) tokenEnd[this.rows[i]]++;
    for (let row = 1; row < blockRows; row++) tokenEnd[row] += tokenEnd[row - 1];
    const cursors = tokenEnd.slice();
    const tokens = new Uint32Array(this.count);
    const tokenChecks = new Uint16Array(this.count);
    for (let i = 0; i < this.count; i++) {
      const at = --cursors[this.rows[i]];
      tokens[at] = this.tokens[i];
      tokenChecks[at] = this.checks[i];
    }
    return { tokenEnd, tokens, tokenChecks };
  }
}

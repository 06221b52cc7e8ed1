import { columnBlobs } from './packing.js';
import { decodeResources, RESOURCES_BLOB, type ResourceTokens } from './resource-column.js';
import { Section } from './section.js';
import { eachTag, tagPartitions } from './tag-postings.js';

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
  const tokenEnd = new Uint32Array(rows);
  partitions.forEach((section, p) => eachTag(section, p, packed, (_token, _check, row) => tokenEnd[row]++));
  for (let row = 1; row < rows; row++) tokenEnd[row] += tokenEnd[row - 1];
  const cursors = tokenEnd.slice();
  const tokens = new Uint32Array(tokenEnd[rows - 1]);
  const tokenChecks = new Uint16Array(tokens.length);
  partitions.forEach((section, p) =>
    eachTag(section, p, packed, (token, check, row) => {
      const at = --cursors[row];
      tokens[at] = token;
      tokenChecks[at] = check;
    }),
  );
  const { rows: resource, resources } = decodeResources(new Section(blobs[RESOURCES_BLOB]));
  return { tokenEnd, tokens, tokenChecks, resource, resourceTokens: resources };
}

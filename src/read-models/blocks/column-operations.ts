import type { StringInterner } from '../../telemetry/columns/string-interner.js';
import type { NumberArray } from './section.js';
import type { ResourceTokens } from './tag-postings.js';

/** Tag columns, which are concatenated in the same way for every kind of block. */
interface TaggedSource {
  readonly tokenEnd: Uint32Array;
  readonly tokens: Uint32Array;
  readonly tokenChecks: Uint16Array;
  readonly resource: Uint32Array;
  readonly resourceTokens: readonly ResourceTokens[];
}

/** Concatenates columns; at least one. */
export function concatColumns<A extends NumberArray>(columns: readonly A[]): A {
  const length = columns.reduce((sum, column) => sum + column.length, 0);
  const all = new (columns[0].constructor as new (length: number) => A)(length);
  let at = 0;
  for (const column of columns) {
    all.set(column, at);
    at += column.length;
  }
  return all;
}

/** Concatenates columns of list ends, offsetting each by the end of the previous one. */
export function concatListEnds(ends: readonly Uint32Array[]): Uint32Array {
  let base = 0;
  return concatColumns(
    ends.map((column) => {
      const moved = column.map((end) => end + base);
      base += column.at(-1) ?? 0;
      return moved;
    }),
  );
}

/** Concatenates columns of string ids, mapped to ids of one interner. */
export function concatTextColumns(
  columns: readonly { readonly ids: Uint32Array; readonly strings: StringInterner }[],
  into: StringInterner,
): Uint32Array {
  return concatColumns(
    columns.map(({ ids, strings }) => {
      const known = new Map<number, number>();
      return ids.map((id) => {
        const seen = known.get(id) ?? into.internText(strings.text(id));
        known.set(id, seen);
        return seen;
      });
    }),
  );
}

interface TagColumns {
  tokenEnd: Uint32Array;
  tokens: Uint32Array;
  tokenChecks: Uint16Array;
  resource: Uint32Array;
  resourceTokens: ResourceTokens[];
}

/** Tag columns of some rows, with the resources of these alone. */
export function gatherTagColumns(source: TaggedSource, rows: Uint32Array): TagColumns {
  const { tokenEnd, tokens, tokenChecks } = source;
  const gathered = { tokenEnd: new Uint32Array(rows.length), tokens: [] as Uint32Array[], checks: [] as Uint16Array[] };
  let end = 0;
  for (let i = 0; i < rows.length;) {
    // Most rows follow each other.
    const first = rows[i];
    const from = first === 0 ? 0 : tokenEnd[first - 1];
    const base = end - from;
    let row = first;
    do gathered.tokenEnd[i++] = end = base + tokenEnd[row];
    while (i < rows.length && rows[i] === ++row);
    gathered.tokens.push(tokens.subarray(from, end - base));
    gathered.checks.push(tokenChecks.subarray(from, end - base));
  }
  const resources = assignLocalIds(source.resource, rows);
  return {
    tokenEnd: gathered.tokenEnd,
    tokens: concatColumns(gathered.tokens),
    tokenChecks: concatColumns(gathered.checks),
    resource: Uint32Array.from(resources.ids),
    resourceTokens: resources.originals.map((id) => source.resourceTokens[id]),
  };
}

export function concatTagColumns(sources: readonly TaggedSource[]): TagColumns {
  let base = 0;
  return {
    tokenEnd: concatListEnds(sources.map((source) => source.tokenEnd)),
    tokens: concatColumns(sources.map((source) => source.tokens)),
    tokenChecks: concatColumns(sources.map((source) => source.tokenChecks)),
    resource: concatColumns(
      sources.map((source) => {
        const moved = source.resource.map((id) => id + base);
        base += source.resourceTokens.length;
        return moved;
      }),
    ),
    resourceTokens: sources.flatMap((source) => [...source.resourceTokens]),
  };
}

/** Values of some rows, in their order. */
export function gather<A extends NumberArray>(column: A, rows: Uint32Array): A {
  const gathered = new (column.constructor as new (length: number) => A)(rows.length);
  for (let i = 0; i < rows.length; i++) gathered[i] = column[rows[i]];
  return gathered;
}

/** Ids of some rows, `words` 32-bit words each, of a column that is viewed as words. */
export function gatherIds(column: Uint32Array, rows: Uint32Array, words: 2 | 4): Uint32Array {
  const gathered = new Uint32Array(rows.length * words);
  for (let i = 0; i < rows.length; i++) {
    const from = rows[i] * words;
    for (let word = 0; word < words; word++) gathered[i * words + word] = column[from + word];
  }
  return gathered;
}

export function columnMin(values: NumberArray): number {
  let min = Infinity;
  for (let i = 0; i < values.length; i++) if (values[i] < min) min = values[i];
  return min;
}

export function columnMax(values: NumberArray): number {
  let max = -Infinity;
  for (let i = 0; i < values.length; i++) if (values[i] > max) max = values[i];
  return max;
}

/** Row numbers from 0 to `count` − 1. */
export function allRows(count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, row) => row);
}

/** Block-local ids of the ids in one column, in the order of their first row. */
export interface LocalIds {
  /** Local id of each row. */
  readonly ids: Uint16Array;
  /** Original id of each local id. */
  readonly originals: readonly number[];
  /** Number of rows of each local id. */
  readonly counts: readonly number[];
}

export function assignLocalIds(column: Uint32Array, rows: Uint32Array): LocalIds {
  const ids = new Uint16Array(rows.length);
  const known = new Map<number, number>();
  const originals: number[] = [];
  const counts: number[] = [];
  let previous = -1;
  let id = 0;
  for (let i = 0; i < rows.length; i++) {
    const original = column[rows[i]];
    if (original !== previous) {
      previous = original;
      const found = known.get(original);
      if (found === undefined) {
        id = originals.push(original) - 1;
        counts.push(0);
        known.set(original, id);
      } else id = found;
    }
    ids[i] = id;
    counts[id]++;
  }
  return { ids, originals, counts };
}

import type { Interner } from '../../telemetry/interner.js';
import type { NumberArray } from './byte-planes.js';
import type { ResourceTokens } from './resource-column.js';

/** Columns that joining treats alike, in every source. */
interface TaggedSource {
  readonly tokenEnd: Uint32Array;
  readonly tokens: Uint32Array;
  readonly tokenChecks: Uint16Array;
  readonly resource: Uint32Array;
  readonly resourceTokens: readonly ResourceTokens[];
}

/** One column after the other; there is at least one. */
export function joined<A extends NumberArray>(columns: readonly A[]): A {
  const length = columns.reduce((sum, column) => sum + column.length, 0);
  const all = new (columns[0].constructor as new (length: number) => A)(length);
  let at = 0;
  for (const column of columns) {
    all.set(column, at);
    at += column.length;
  }
  return all;
}

/** Columns of list ends, each counted on from the end of the one before. */
export function joinedEnds(ends: readonly Uint32Array[]): Uint32Array {
  let base = 0;
  return joined(
    ends.map((column) => {
      const moved = column.map((end) => end + base);
      base += column.at(-1) ?? 0;
      return moved;
    }),
  );
}

/** Columns of string ids, all of them as ids of one interner. */
export function joinedTexts(columns: readonly { readonly ids: Uint32Array; readonly strings: Interner }[], into: Interner): Uint32Array {
  return joined(
    columns.map(({ ids, strings }) => {
      const known = new Map<number, number>();
      return ids.map((id) => {
        const seen = known.get(id) ?? into.idOf(strings.text(id));
        known.set(id, seen);
        return seen;
      });
    }),
  );
}

export function joinedTags(sources: readonly TaggedSource[]): {
  tokenEnd: Uint32Array;
  tokens: Uint32Array;
  tokenChecks: Uint16Array;
  resource: Uint32Array;
  resourceTokens: ResourceTokens[];
} {
  let base = 0;
  return {
    tokenEnd: joinedEnds(sources.map((source) => source.tokenEnd)),
    tokens: joined(sources.map((source) => source.tokens)),
    tokenChecks: joined(sources.map((source) => source.tokenChecks)),
    resource: joined(
      sources.map((source) => {
        const moved = source.resource.map((id) => id + base);
        base += source.resourceTokens.length;
        return moved;
      }),
    ),
    resourceTokens: sources.flatMap((source) => [...source.resourceTokens]),
  };
}
